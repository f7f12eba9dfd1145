import { describe, expect, it } from "vitest";
import { makeRealm } from "./realm.js";

const realm = makeRealm();
const run = (source: string) => realm.run(source, "typescript");

describe("TypeScript is erased", () => {
  const programs: [source: string, value: unknown][] = [
    ["const x: number = 1 as number; return x! satisfies number", 1],
    ["enum A { X, Y = 5, Z, S = 's' } return [A.X, A.Z, A[6], A.S]", [0, 6, "Z", "s"]],
    ["const enum B { P = 1 << 2, Q = P | 1 } return B.Q", 5],
    [
      "class P { constructor(private x: number, readonly y = 2) {} sum(): number { return this.x + this.y } } return new P(1).sum()",
      3,
    ],
    [
      "class Q { z = 0 } class P extends Q { constructor(public x: number) { super(); this.z = this.x } } return new P(4).z",
      4,
    ],
    [
      "abstract class S { abstract area(): number } class C extends S { override area() { return 3 } } return new C().area()",
      3,
    ],
    ["function f(a: number): number; function f(a: string): string; function f(a: any) { return a } return f(3)", 3],
    [
      "type T = { a: string }; interface I { b: number } declare const q: number; const g = <U,>(x: U): U => x; return g<number>(4)",
      4,
    ],
    ["let u: unknown = 3; return <any>u", 3],
    ["function h(this: Date, a: number) { return a } return h.call(new Date(), 9)", 9],
    ["try { null!.x } catch (e: unknown) { return (e as Error).name }", "TypeError"],
    ["const [a, b]: [number, string] = [1, 'x']; const { c }: { c: number } = { c: 3 }; return [a, b, c]", [1, "x", 3]],
    ["return await Promise.resolve<number>(3)", 3],
    ["const a = true; const f = (c: number) => c; return a ? (f) : (d => d), 1", 1],
  ];
  for (const [source, value] of programs)
    it(source, async () => {
      expect(JSON.parse(JSON.stringify(await run(source)))).toEqual(value);
    });

  it("without moving anything", async () => {
    const error = await run("interface A {\n  b: string;\n}\nconst a = undefined as unknown as A;\na.b.length;").catch(
      (e) => e,
    );
    expect(realm.positionOf(error)).toEqual({ line: 5, column: 3 });
  });
});

describe("what has no meaning in a program is refused with its place", () => {
  for (const [source, language] of [
    ["import { x } from 'y';", "javascript"],
    ["\nexport const a = 1;", "javascript"],
    ["return import('x');", "javascript"],
    ["return import.meta;", "javascript"],
    ["namespace N { export const a = 1 }", "typescript"],
    ["import type { X } from 'y'; 1", "typescript"],
    ["@dec class A {}", "typescript"],
  ] as const)
    it(source, () => {
      const { fault } = realm.compile(source, language);
      expect(fault).toMatchObject({ kind: "UnsupportedSyntax", position: { line: source.startsWith("\n") ? 2 : 1 } });
      expect(fault.hint).toBeTypeOf("string");
    });
});
