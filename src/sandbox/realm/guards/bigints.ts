/**
 * Guards of big integers: multiplication, powers, shifts and conversion to text take more than linear time in the number of
 * digits. Operators are the interpreter's: it calls the charges before it computes.
 */
import type { Charges } from "../../../interpreter/charges.js";
import { type Guards, LARGE } from "./guard.js";

/** V8's longest big integer, in bits; more is a RangeError of the native at once. */
const MAX_BITS = 2 ** 30;
/** Below this many bits nothing is worth a charge. */
const LARGE_BITS = 1 << 15;

const { asIntN } = BigInt;

/**
 * About how many bits `value` has, never less than half of them. Cheap: no conversion to text.
 */
export function bitLength(value: bigint): number {
  // Most are small: two comparisons tell.
  if (value < 0x8000_0000_0000_0000n && value > -0x8000_0000_0000_0000n) return 64;
  let bits = 128;
  while (bits < MAX_BITS && asIntN(bits, value) !== value) bits *= 2;
  return bits;
}

export function createBigIntCharges({ limits }: Guards): Omit<Charges, "stringLength" | "arrayLength" | "spread"> {
  /** Schoolbook to Karatsuba and beyond: steps grow as the 1.5th power of the digits, 64 bits a digit. */
  const work = (left: number, right: number): number => {
    const short = Math.min(left, right) / 64;
    return (Math.max(left, right) / 64) * Math.sqrt(short);
  };
  const result = (bits: number, what: string): void => {
    // The estimate may be a little high: what is just beyond the longest may still be tried.
    if (bits >= LARGE_BITS && bits <= MAX_BITS * 1.01) limits.chargeBytes(bits / 8, what);
  };
  return {
    multiply(left, right) {
      const a = bitLength(left);
      const b = bitLength(right);
      if (a + b < LARGE_BITS) return;
      result(a + b, "Multiplying big integers");
      limits.chargeSteps(work(a, b) * 10, "Multiplying big integers");
    },
    divide(left, right) {
      const a = bitLength(left);
      const b = bitLength(right);
      if (a < LARGE_BITS || b < 128) return;
      limits.chargeSteps(work(a, b) * 20, "Dividing big integers");
    },
    power(base, exponent) {
      if (exponent <= 1n || base === 0n || base === 1n || base === -1n) return;
      const bits = bitLength(base) === 64 ? smallBits(base) : bitLength(base);
      const total = exponent > 0x4000_0000n ? Number.POSITIVE_INFINITY : bits * Number(exponent);
      if (total < LARGE_BITS || total > MAX_BITS) return;
      result(total, "A power of big integers");
      limits.chargeSteps(work(total, total) * 10, "A power of big integers");
    },
    shiftLeft(value, count) {
      if (count <= 0n || value === 0n) return;
      const bits = count > 0x4000_0000n ? Number.POSITIVE_INFINITY : bitLength(value) + Number(count);
      result(bits, "Shifting a big integer");
    },
  };
}

/** Bits of a value below 2^63. */
function smallBits(value: bigint): number {
  return Math.ceil(Math.log2(Math.abs(Number(value)) + 1));
}

export function guardBigInts(guards: Guards): void {
  const { limits } = guards;
  const digits = (what: string) => (value: unknown, parameters: ArrayLike<unknown>) => {
    if (typeof value !== "bigint") return;
    const bits = bitLength(value);
    if (bits < LARGE_BITS) return;
    const radix = typeof parameters[0] === "number" ? parameters[0] : 10;
    limits.chargeBytes(bits / Math.max(1, Math.log2(radix)), what);
    // Powers of two are linear.
    if (radix !== 2 && radix !== 4 && radix !== 8 && radix !== 16 && radix !== 32) {
      limits.chargeSteps((bits / 64) ** 1.6 * 4, what);
    }
  };
  guards.method(BigInt.prototype, "toString", digits("BigInt.prototype.toString"));
  guards.method(BigInt.prototype, "toLocaleString", digits("BigInt.prototype.toLocaleString"));
  guards.method(BigInt, "asUintN", (_receiver, [bits, value]: any) => {
    // A negative value is written out to the full width.
    if (typeof bits === "number" && typeof value === "bigint" && value < 0n && bits >= LARGE && bits <= MAX_BITS) {
      limits.chargeBytes(bits / 8, "BigInt.asUintN");
    }
  });
}
