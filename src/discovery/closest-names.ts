/** Which names somebody may have meant. */

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
  return found.slice(0, limit).map((one) => one.name);
}

const fold = (name: string): string => name.toLowerCase().replace(/[\s_./-]+/g, "");

/** The distance, or infinity beyond what a slip of the fingers explains: a third of the letters, four at most. */
function within(a: string, b: string): number {
  const most = Math.min(4, Math.floor(Math.max(a.length, b.length) / 3));
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY;
  const distance = editDistance(a, b, most);
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** Optimal string alignment distance; stops early beyond `most`. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return least;
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
