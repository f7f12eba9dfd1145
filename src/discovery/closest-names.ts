/** Which names somebody may have meant. */
import { editDistance } from "./edit-distance.js";

/**
 * The names nearest to a misspelt one, best first: the same letters apart from case and separators, then a small edit
 * distance (insertions, deletions, substitutions, swapped neighbours), of the whole or of the last segment.
 */
export function closestNames(name: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = fold(name);
  const last = fold(name.slice(name.lastIndexOf(".") + 1));
  const found: { name: string; distance: number }[] = [];
  for (const candidate of names) {
    const distance = Math.min(
      within(wanted, fold(candidate)),
      // The right tool under a wrong or missing namespace.
      within(last, fold(candidate.slice(candidate.lastIndexOf(".") + 1))) + 0.5,
    );
    if (distance !== Number.POSITIVE_INFINITY) found.push({ name: candidate, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  // What is a whole letter further off than the nearest was not meant.
  return found
    .filter((one) => one.distance < found[0]!.distance + 1)
    .slice(0, limit)
    .map((one) => one.name);
}

const fold = (name: string): string => name.toLowerCase().replace(/[\s_./-]+/g, "");

/** The distance, or infinity beyond what a slip of the fingers explains: a third of the letters, four at most. */
function within(a: string, b: string): number {
  const most = Math.min(4, Math.floor(Math.max(a.length, b.length) / 3));
  const distance = editDistance(a, b, most);
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}
