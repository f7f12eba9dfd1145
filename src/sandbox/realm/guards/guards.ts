/** All guards of a realm. */
import type { Charges } from "../../../interpreter/charges.js";
import type { Bridge } from "../bridge.js";
import type { ProxyRegistry } from "../intrinsics/proxies.js";
import type { Limits } from "../limits.js";
import { chargeArrayLength, guardArrays, guardCalls } from "./arrays.js";
import { createBigIntCharges, guardBigInts } from "./bigints.js";
import { guardBuffers } from "./buffers.js";
import { guardDefinitions } from "./definitions.js";
import { Guards, SLOT } from "./guard.js";
import { guardFinalization, guardIntl } from "./intl.js";
import { guardJson } from "./json.js";
import { guardAssignment } from "./objects.js";
import { guardRegExps } from "./regexps.js";
import { guardReplacement } from "./replacement.js";
import { guardStrings } from "./strings.js";

/**
 * Installs all guards; gives what the interpreter charges for operators. `outlives` is called when a program makes something that
 * may run after it.
 */
export function installGuards(
  limits: Limits,
  proxies: ProxyRegistry,
  isShared: (object: object) => boolean,
  bridge: Pick<Bridge, "at">,
  outlives: () => void,
): Charges {
  const guards = new Guards(limits, proxies);
  // Assignment first: `guardStrings` then charges what it replaced.
  guardAssignment(isShared, proxies.isProxy);
  guardDefinitions();
  guardArrays(guards);
  guardCalls(guards);
  guardStrings(guards);
  guardReplacement(guards);
  guardRegExps(guards, proxies.isProxy, bridge);
  guardJson(guards, proxies);
  guardBigInts(guards);
  guardBuffers(guards);
  guardIntl(guards);
  guardFinalization(guards, proxies.NativeProxy, outlives);
  return {
    ...createBigIntCharges(guards),
    arrayLength: (length) => chargeArrayLength(guards, length),
    spread: (count) => {
      limits.chargeBytes(count * SLOT, "The list");
      limits.chargeSteps(count, "Spreading the list");
    },
    stringLength: (length) => limits.bound(length, "The string"),
  };
}
