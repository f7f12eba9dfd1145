/** All guards of a realm. */
import type { ProxyRegistry } from "../intrinsics/proxies.js";
import type { Limits } from "../limits.js";
import { chargeArrayLength, guardArrays, guardCalls } from "./arrays.js";
import { type BigIntCharges, chargeBigIntText, createBigIntCharges, guardBigInts } from "./bigints.js";
import { guardBuffers } from "./buffers.js";
import { Guards } from "./guard.js";
import { guardFinalization, guardIntl } from "./intl.js";
import { guardJson } from "./json.js";
import { guardAssignment } from "./objects.js";
import { guardRegExps } from "./regexps.js";
import { guardReplacement } from "./replacement.js";
import { guardStrings } from "./strings.js";

/** Charges of what is syntax, not a call: the interpreter makes them. All throw the limit's error or return. */
export interface Charges extends BigIntCharges {
  /** `new Array(length)`, `Array(length)`. */
  arrayLength(length: number): void;
  /** A big integer becoming text without `toString`: `String(x)`, templates, `+`, property keys. */
  bigIntText(value: bigint): void;
  /** A string of `length` code units about to be built by `+` or a template. */
  stringLength(length: number): void;
  /** `count` elements about to be spread into an array or an argument list. */
  spread(count: number): void;
}

export function installGuards(limits: Limits, proxies: ProxyRegistry, isShared: (object: object) => boolean): Charges {
  const guards = new Guards(limits, proxies);
  // Assignment first: `guardStrings` then charges what it replaced.
  guardAssignment(isShared, proxies.isProxy);
  guardArrays(guards);
  guardCalls(guards);
  guardStrings(guards);
  guardReplacement(guards);
  guardRegExps(guards, proxies.isProxy);
  guardJson(guards, proxies);
  guardBigInts(guards);
  guardBuffers(guards);
  guardIntl(guards);
  guardFinalization(guards, proxies.NativeProxy);
  return {
    ...createBigIntCharges(guards),
    arrayLength: (length) => chargeArrayLength(guards, length),
    bigIntText: (value) => chargeBigIntText(guards, value),
    stringLength: (length) => limits.chargeBytes(length, "A string"),
    spread: (count) => {
      limits.chargeBytes(count * 8, "Spreading a list");
      limits.chargeSteps(count, "Spreading a list");
    },
  };
}
