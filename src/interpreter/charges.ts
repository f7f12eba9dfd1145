/**
 * What operators charge before they compute: a single one on large operands can take longer, or more memory, than the rest of
 * the program. The realm that sets limits gives these; without it nothing is charged.
 */
export interface Charges {
  multiply(left: bigint, right: bigint): void;
  /** Also for the remainder. */
  divide(left: bigint, right: bigint): void;
  power(base: bigint, exponent: bigint): void;
  shiftLeft(value: bigint, count: bigint): void;
  /** A string of `length` code units about to be built by `+`. */
  stringLength(length: number): void;
  /** `new Array(length)`. */
  arrayLength(length: number): void;
  /** `count` elements about to be spread into a list. */
  spread(count: number): void;
}

const free = (): void => {};

/** The charges in force. */
export const charges: Charges = {
  multiply: free,
  divide: free,
  power: free,
  shiftLeft: free,
  stringLength: free,
  arrayLength: free,
  spread: free,
};

export function useCharges(given: Charges): void {
  charges.multiply = given.multiply;
  charges.divide = given.divide;
  charges.power = given.power;
  charges.shiftLeft = given.shiftLeft;
  charges.stringLength = given.stringLength;
  charges.arrayLength = given.arrayLength;
  charges.spread = given.spread;
}

const NativeArray = Array;

/** Charges `new fn(first)`. */
export function chargeNew(fn: unknown, first: number): void {
  if (fn === NativeArray) charges.arrayLength(first);
}
