/** The web built-ins of a program, made for one realm. */
import type { Bridge } from "../bridge.js";
import type { Limits } from "../limits.js";
import { createBase64 } from "./base64.js";
import { DOMException } from "./dom-exception.js";
import { createEncoding } from "./encoding.js";
import { createStructuredClone } from "./structured-clone.js";
import { createURL } from "./url.js";
import { createURLSearchParams } from "./url-search-params.js";

export interface WebContext {
  readonly bridge: Bridge;
  readonly limits: Limits;
  isProxy(value: unknown): boolean;
}

export function createWeb(context: WebContext) {
  const { bridge, limits } = context;
  const params = createURLSearchParams((bytes) => bridge.decodeText("utf-8", false, true, bytes, 0, false) ?? "");
  const { URL, describeURL } = createURL(bridge, params);
  const { TextEncoder, TextDecoder } = createEncoding(bridge, limits);
  const { atob, btoa } = createBase64(limits);
  const platform = [URL, params.URLSearchParams, TextEncoder, TextDecoder];
  const structuredClone = createStructuredClone({
    limits,
    isProxy: context.isProxy,
    isPlatformObject: (value) => platform.some((Interface) => value instanceof Interface),
  });
  const { queueMicrotask } = {
    queueMicrotask(callback: unknown): void {
      if (typeof callback !== "function") throw new TypeError("queueMicrotask: the callback is not a function.");
      Promise.resolve().then(() => {
        callback();
      });
    },
  };
  return {
    globals: {
      URL,
      URLSearchParams: params.URLSearchParams,
      TextEncoder,
      TextDecoder,
      DOMException,
      structuredClone,
      atob,
      btoa,
      queueMicrotask,
    },
    /** Objects that no property leads to. */
    hidden: [params.SearchParamsIteratorPrototype],
    /** What the console shows of a web object, whose state is private; `undefined` for other objects. */
    describe(value: object): { name: string; properties: Record<string, unknown> } | string | undefined {
      return describeURL(value) ?? params.describe(value);
    },
  };
}
