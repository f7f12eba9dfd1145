/** Guards of `Intl` and of the registries that outlive what they hold. */
import type { Guards } from "./guard.js";

const { apply, construct } = Reflect;

/** Locale data of one formatter, outside the heap. */
const FORMATTER = 16 * 1024;

export function guardIntl(guards: Guards): void {
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const { value } = Object.getOwnPropertyDescriptor(Intl, name)!;
    if (typeof value !== "function" || value.prototype === undefined) continue;
    guards.constructorOf(Intl, name, () => guards.limits.chargeBytes(FORMATTER, `Intl.${name}`));
  }
}

/** Clean-up callbacks run outside of every program function: what they throw is theirs to lose (HostEnqueueFinalizationRegistryCleanupJob). */
export function guardFinalization(guards: Guards, NativeProxy: ProxyConstructor, outlives: () => void): void {
  const Native = FinalizationRegistry;
  const guarded = new NativeProxy(Native, {
    construct(target, [callback], newTarget) {
      outlives();
      if (typeof callback !== "function") return construct(target, [callback], newTarget);
      const contained = (held: unknown): void => {
        if (guards.limits.exceeded !== undefined) return;
        try {
          apply(callback, undefined, [held]);
        } catch {
          // As the host would: reported nowhere, for nobody waits for it.
        }
      };
      return construct(target, [contained], newTarget);
    },
  });
  globalThis.FinalizationRegistry = guarded;
  Object.defineProperty(Native.prototype, "constructor", { value: guarded });
}
