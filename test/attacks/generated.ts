/** Programs whose attack is their size: made here rather than kept. */
export interface ExhaustionAttack {
  readonly id: string;
  readonly source: string;
  /** What is exhausted: `time`, `memory`, `stack`, `size`, `output`, `calls`, `data`, `idle`; `value` where nothing is. */
  readonly limit: string;
  readonly note?: string;
}

export const generated: readonly ExhaustionAttack[] = [
  {
    id: "deep-source-add",
    source: `return ${Array(100_001).fill("1").join("+")};`,
    limit: "stack",
    note: "left-deep tree: a parser is iterative, a recursive evaluator is not",
  },
  { id: "deep-source-block", source: `${"{".repeat(50_000)}${"}".repeat(50_000)} return 1;`, limit: "stack" },
  { id: "deep-source-array", source: `return ${"[".repeat(20_000)}${"]".repeat(20_000)};`, limit: "stack" },
  {
    id: "deep-source-else",
    source: `var x = 1; ${"if (x === 2) x = 3; else ".repeat(20_000)}x = 4; return x;`,
    limit: "stack",
  },
  { id: "deep-source-unary", source: `return ${"!".repeat(100_000)}1;`, limit: "stack" },
  { id: "deep-source-call", source: `return ${"f(".repeat(30_000)}${")".repeat(30_000)};`, limit: "stack" },
  { id: "deep-source-member", source: `return x${".a".repeat(200_000)};`, limit: "stack" },
  { id: "deep-source-arrow", source: `return ${"() => ".repeat(30_000)}1;`, limit: "stack" },
  { id: "deep-source-template", source: `return ${"`${".repeat(20_000)}1${"}`".repeat(20_000)};`, limit: "stack" },
  { id: "deep-source-pattern", source: `const ${"[".repeat(20_000)}x${"]".repeat(20_000)} = [];`, limit: "stack" },
  { id: "big-source", source: `var s = 0;${"s = s + 1;".repeat(300_000)} return s;`, limit: "size", note: "3 MB" },
];
