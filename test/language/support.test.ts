import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeRealm } from "./realm.js";

const text = readFileSync(new URL("../../LANGUAGE.md", import.meta.url), "utf8");

/** The rows of the table under a heading, cells without their code marks. */
function rows(heading: string): string[][] {
  const section = text.split(`## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return section
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---") && !line.startsWith("| feature"))
    .map((line) =>
      line
        .slice(2, -2)
        .split(/ (?<!\\)\| /)
        .map((cell) => cell.trim()),
    );
}

/** The text of a code span; in a table, `\|` is a bar. */
function code(cell: string): string {
  const [, marks = "", inner = ""] = /^(`+)(.*)\1$/.exec(cell) ?? [];
  return (marks.length > 1 ? inner.trim() : inner).replaceAll("\\|", "|");
}

const language = (feature: string) => (/TypeScript|decorators/.test(feature) ? "typescript" : "javascript");

describe("LANGUAGE.md: available", () => {
  for (const [feature, program, gives] of rows("Available"))
    it(feature!, async () => {
      const value = await makeRealm().run(code(program!), language(feature!));
      expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(code(gives!)));
    });
});

describe("LANGUAGE.md: not available", () => {
  for (const [feature, program] of rows("Not available"))
    it(feature!, () => {
      const { fault } = makeRealm().compile(code(program!), language(feature!));
      expect(fault?.kind).toMatch(/^(UnsupportedSyntax|ParseError)$/);
    });
});
