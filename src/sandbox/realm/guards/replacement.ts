/** `String.prototype.replace` and `replaceAll` for a string pattern, charging what they build; other patterns are the natives'. */
import { replaceMethod } from "../intrinsics/native-like.js";
import { type Guards, LARGE } from "./guard.js";
import { substitute } from "./substitution.js";

const { apply } = Reflect;

export function guardReplacement(guards: Guards): void {
  const { limits } = guards;

  const replacementFor = (value: unknown, template: string, text: string, matched: string, position: number): string =>
    typeof value === "function"
      ? `${apply(value, undefined, [matched, position, text])}`
      : substitute(template, { matched, text, position, captures: [], groups: undefined }, limits);

  replaceMethod(String.prototype, "replace", (native) => {
    return {
      replace(this: unknown, pattern: unknown, value: unknown): unknown {
        guards.tick();
        if (typeof this !== "string" || typeof pattern !== "string") return apply(native, this, arguments);
        const template = typeof value === "function" ? "" : `${value}`;
        const position = this.indexOf(pattern);
        if (position < 0) return this;
        return (
          this.slice(0, position) +
          replacementFor(value, template, this, pattern, position) +
          this.slice(position + pattern.length)
        );
      },
    }.replace;
  });

  replaceMethod(String.prototype, "replaceAll", (native) => {
    return {
      replaceAll(this: unknown, pattern: unknown, value: unknown): unknown {
        guards.tick();
        if (typeof this !== "string" || typeof pattern !== "string") return apply(native, this, arguments);
        const template = typeof value === "function" ? "" : `${value}`;
        const step = Math.max(1, pattern.length);
        let out = "";
        let end = 0;
        let count = 0;
        let charged = 0;
        for (
          let at = this.indexOf(pattern);
          at >= 0;
          at = at + step > this.length ? -1 : this.indexOf(pattern, at + step)
        ) {
          out += this.slice(end, at) + replacementFor(value, template, this, pattern, at);
          end = at + pattern.length;
          if (out.length - charged >= LARGE) {
            limits.chargeBytes(out.length, "String.prototype.replaceAll");
            charged = out.length;
          }
          if (++count % 4096 === 0) limits.check();
        }
        return out + this.slice(end);
      },
    }.replaceAll;
  });
}
