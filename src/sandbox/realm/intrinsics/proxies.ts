/**
 * `Proxy` that remembers what it made: code that must not run a program's traps (console, copying a value out) can then
 * tell a proxy from its target, which the language itself offers no way to do.
 */
const { apply } = Reflect;

export interface ProxyRegistry {
  isProxy(value: unknown): boolean;
  /** `undefined` for a revoked proxy, and for anything but a proxy. */
  proxyTarget(value: object): object | undefined;
  /** `Proxy` as programs see it. Also used to guard constructors: see `guardConstructor`. */
  readonly NativeProxy: ProxyConstructor;
}

/** Replaces the global `Proxy` and `Proxy.revocable`. */
export function registerProxies(): ProxyRegistry {
  const NativeProxy = Proxy;
  const nativeRevocable = Proxy.revocable;
  const targets = new WeakMap<object, object | undefined>();
  // Most programs make none, and every object is asked for.
  let made = false;

  const revocable = {
    revocable(target: object, handler: ProxyHandler<object>) {
      const record = nativeRevocable(target, handler);
      const { proxy, revoke } = record;
      made = true;
      targets.set(proxy, target);
      // A function without parameters, name or prototype, as ECMA-262 §28.2.2.1.1 has it.
      record.revoke = (() => () => {
        targets.set(proxy, undefined);
        apply(revoke, undefined, []);
      })();
      return record;
    },
  }.revocable;
  Object.defineProperty(NativeProxy, "revocable", { value: revocable });

  // A proxy for `Proxy` itself: like it, a constructor without a `prototype` property, which no function of ours could be.
  const wrapper = new NativeProxy(NativeProxy, {
    construct(_native, [target, handler]) {
      const proxy = new NativeProxy(target, handler);
      made = true;
      targets.set(proxy, target);
      return proxy;
    },
  });
  globalThis.Proxy = wrapper;
  return {
    isProxy: (value) => made && targets.has(value as object),
    proxyTarget: (value) => targets.get(value),
    NativeProxy,
  };
}
