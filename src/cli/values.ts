/**
 * The values of options as text: durations, sizes, counts, pairs. Each reader throws `InvalidArgumentError`, which commander
 * shows beside the option's name.
 */
import { InvalidArgumentError } from "commander";

const DURATION_UNITS: Readonly<Record<string, number>> = {
  "": 1,
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
};

/** Milliseconds of `1500`, `30s`, `5m`, `1h`; `none` is Infinity. */
export function duration(text: string): number {
  if (text === "none") return Number.POSITIVE_INFINITY;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim());
  const unit = match && DURATION_UNITS[match[2]!];
  const ms = unit ? Math.round(Number(match[1]) * unit) : Number.NaN;
  if (!(ms > 0)) throw new InvalidArgumentError("Give a time such as 500ms, 30s, 5m, 1h, plain milliseconds, or none.");
  return ms;
}

const SIZE_UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 1e3,
  kb: 1e3,
  kib: 2 ** 10,
  m: 1e6,
  mb: 1e6,
  mib: 2 ** 20,
  g: 1e9,
  gb: 1e9,
  gib: 2 ** 30,
};

function size(text: string, plainUnit: number): number {
  if (text === "none") return Number.POSITIVE_INFINITY;
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(text.trim().toLowerCase());
  const unit = match && (match[2] === "" ? plainUnit : SIZE_UNITS[match[2]!]);
  const bytes = unit ? Math.round(Number(match[1]) * unit) : Number.NaN;
  if (!(bytes > 0)) throw new InvalidArgumentError("Give a size such as 100kB, 5MB, 64MiB, a plain number, or none.");
  return bytes;
}

/** Bytes of `1000`, `100kB`, `5MB`, `1MiB`; `none` is Infinity. */
export const bytes = (text: string): number => size(text, 1);

/** Bytes of a memory limit: a plain number is MiB. */
export const memory = (text: string): number => size(text, 2 ** 20);

/** A whole number from `minimum` up. */
export function count(minimum: number, orNone = false): (text: string) => number {
  return (text) => {
    if (orNone && text === "none") return Number.POSITIVE_INFINITY;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (!Number.isSafeInteger(value) || value < minimum) {
      throw new InvalidArgumentError(`Give a whole number from ${minimum} up${orNone ? ", or none" : ""}.`);
    }
    return value;
  };
}

/** `name=value`; the name is not empty, the value may be. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

export function pair(example: string): (text: string) => Pair {
  return (text) => {
    const at = text.indexOf("=");
    if (at <= 0) throw new InvalidArgumentError(`Give name=value, for example ${example}.`);
    return { name: text.slice(0, at).trim(), value: text.slice(at + 1) };
  };
}

/** Makes an option repeatable: each value is read by `read` and added. */
export function each<T>(read: (text: string) => T): (text: string, before: readonly T[] | undefined) => readonly T[] {
  return (text, before) => [...(before ?? []), read(text)];
}

export const text = (value: string): string => value;
