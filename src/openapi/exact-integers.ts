/** Integers beyond 2^53 in answers: a program's numbers would round them, so their digits stay as text. */
import type { Json } from "../json/json.js";

export interface ExactIntegers {
  readonly value: Json;
  /** Where they were, e.g. `$.items[0].id`. */
  readonly places: readonly string[];
}

/** A name in a path as a program would write it. */
const member = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`);

/** The value with each BigInt as the string of its digits. The same value when there is none. */
export function exactIntegers(value: Json): ExactIntegers {
  const places: string[] = [];
  const convert = (current: Json, place: string): Json => {
    if (typeof current === "bigint") {
      places.push(place);
      return current.toString();
    }
    if (typeof current !== "object" || current === null) return current;
    const before = places.length;
    if (Array.isArray(current)) {
      const items = current.map((item, index) => convert(item, `${place}[${index}]`));
      return places.length === before ? current : items;
    }
    const entries = Object.entries(current).map(([name, item]) => [name, convert(item, place + member(name))] as const);
    return places.length === before ? current : Object.fromEntries(entries);
  };
  return { value: convert(value, "$"), places };
}
