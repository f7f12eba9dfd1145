/** Literals and templates (ECMA-262 §13.2.3, §13.2.7, §13.2.8). */
import { call, callWithThis } from "./calls.js";
import { expression } from "./compiler.js";
import { type Frame, machine, type Run } from "./machine.js";
import { NativeBigInt, NativeRegExp, ObjectDefineProperty, ObjectFreeze } from "./primordials.js";
import type { Scope } from "./scope.js";
import { intern, type Node, SourceError } from "./syntax.js";
import { unit } from "./unit.js";

export function compileLiteral(node: Node): Run {
  const { regex, bigint } = node as { regex?: { pattern: string; flags: string }; bigint?: string };
  if (regex) {
    const { pattern, flags } = regex;
    try {
      new NativeRegExp(pattern, flags);
    } catch (error) {
      throw new SourceError("ParseError", (error as Error).message, node.start);
    }
    return () => new NativeRegExp(pattern, flags);
  }
  const plain = typeof node["value"] === "string" ? intern(node["value"]) : node["value"];
  const value = bigint ? NativeBigInt(bigint) : plain;
  return () => value;
}

/** A literal's value, for operators that have a form with a constant operand. */
export function numberLiteral(node: Node): number | undefined {
  if (node.type === "Literal" && typeof node["value"] === "number") return node["value"];
  return undefined;
}

export function compileTemplate(node: Node, scope: Scope): Run {
  const strings: string[] = node["quasis"].map((quasi: Node) => quasi["value"].cooked);
  const runs: Run[] = node["expressions"].map((item: Node) => expression(item, scope));
  const offset = unit.base + node.start;
  switch (runs.length) {
    case 0: {
      const [only] = strings;
      return () => only;
    }
    case 1: {
      const [before, after] = strings as [string, string];
      const [run] = runs as [Run];
      return (frame) => {
        const value = run(frame);
        if (typeof value === "string") return before + value + after;
        machine.position = offset;
        return `${before}${value}${after}`;
      };
    }
    case 2: {
      const [before, between, after] = strings as [string, string, string];
      const [first, second] = runs as [Run, Run];
      return (frame) => {
        const a = first(frame);
        machine.position = offset;
        const start = `${before}${a}${between}`;
        const b = second(frame);
        machine.position = offset;
        return `${start}${b}${after}`;
      };
    }
    default:
      return (frame) => {
        let text = strings[0]!;
        for (let i = 0; i < runs.length; i++) {
          const value = runs[i]!(frame);
          machine.position = offset;
          text += `${value}${strings[i + 1]}`;
        }
        return text;
      };
  }
}

/** `ToString` of one substitution, at the time at which a template converts it. */
export function toTemplateText(value: unknown): string {
  return `${value as string}`;
}

/** The template object of a site (§13.2.8.4): one per site, frozen. */
export function templateObject(quasi: Node): (frame: Frame) => readonly (string | undefined)[] {
  let cached: (string | undefined)[] | undefined;
  const quasis: Node[] = quasi["quasis"];
  return () => {
    if (cached === undefined) {
      const cooked: (string | undefined)[] = [];
      const raw: string[] = [];
      for (let i = 0; i < quasis.length; i++) {
        cooked[i] = quasis[i]!["value"].cooked ?? undefined;
        raw[i] = quasis[i]!["value"].raw;
      }
      ObjectDefineProperty(cooked, "raw", {
        value: ObjectFreeze(raw),
        writable: false,
        enumerable: false,
        configurable: false,
      });
      cached = ObjectFreeze(cooked) as (string | undefined)[];
    }
    return cached;
  };
}

export function compileTaggedTemplate(node: Node, scope: Scope): Run {
  const strings = templateObject(node["quasi"]);
  const runs: Run[] = [strings, ...node["quasi"]["expressions"].map((item: Node) => expression(item, scope))];
  const { tag } = node as unknown as { tag: Node };
  const args = (frame: Frame) => {
    const values: unknown[] = [];
    for (let i = 0; i < runs.length; i++) values[i] = runs[i]!(frame);
    return values;
  };
  return tag.type === "MemberExpression"
    ? callWithThis(tag, scope, args, unit.base + node.start)
    : call(tag, scope, args, unit.base + node.start);
}
