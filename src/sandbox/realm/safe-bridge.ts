/**
 * The bridge as realm code may call it.
 *
 * Near the end of the stack a call into the main realm can fail with a RangeError OF THE MAIN REALM, whose constructors
 * lead to an unrestricted `Function`. So nothing that a bridge function throws is kept, read or rethrown: the realm
 * throws an error of its own.
 */
import type { Bridge } from "./bridge.js";

type Call = (...parameters: never[]) => unknown;

function own<F extends Call>(call: F): F {
  return ((...parameters: never[]) => {
    let result: unknown;
    let failed = true;
    try {
      result = call(...parameters);
      failed = false;
    } catch {
      // The value is of another realm: dropped unseen.
    }
    if (failed) throw new RangeError("Maximum call stack size exceeded");
    return typeof result === "object" || typeof result === "function" ? undefined : result;
  }) as F;
}

export function safeBridge(bridge: Bridge): Bridge {
  const unsafeAt = bridge.at;
  return {
    post: own(bridge.post),
    request: own(bridge.request),
    now: own(bridge.now),
    at: (offset) => {
      try {
        unsafeAt(offset);
      } catch {
        // Dropped unseen, and of no consequence.
      }
    },
    setTimer: own(bridge.setTimer),
    clearTimer: own(bridge.clearTimer),
    memory: own(bridge.memory),
    loadTypeScript: own(bridge.loadTypeScript),
    parseUrl: own(bridge.parseUrl),
    setUrlPart: own(bridge.setUrlPart),
    encodingName: own(bridge.encodingName),
    decodeText: own(bridge.decodeText),
  };
}
