import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as Effect from "effect/Effect";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createCatalog, declarations, definitionsOf } from "../../src/discovery/index.js";
import { OpenAPI } from "../../src/openapi/index.js";
import { compile } from "./typescript.js";

/** Real documents are not part of this repository; `CODEMODE_CORPUS` says where they are. */
const corpus = process.env["CODEMODE_CORPUS"] ?? fileURLToPath(new URL("../../../shared/corpus", import.meta.url));
/** One of so many documents is taken; 1 takes them all. */
const STEP = Number(process.env["CODEMODE_CORPUS_STEP"] ?? 6);
const LARGEST = 6_000_000;

interface Entry {
  readonly path: string;
  readonly kind: string;
  readonly bytes: number;
  readonly operations: number;
}

const manifest = join(corpus, "manifest.jsonl");
const present = existsSync(manifest);
if (!present) console.warn(`No documents at ${corpus}: tests over real documents are skipped.`);
const documents = (present ? readFileSync(manifest, "utf8").trim().split("\n") : [])
  .map((line) => JSON.parse(line) as Entry)
  .filter(({ kind, bytes, operations }) => kind === "real" && operations > 0 && bytes < LARGEST)
  .map(({ path }) => path)
  .sort()
  .filter((_, index) => index % STEP === 0);

describe.skipIf(!present)("signatures and declarations of real documents", () => {
  test.each(documents)(
    "%s",
    async (path) => {
      const loaded = await Effect.runPromise(Effect.result(OpenAPI.load(join(corpus, path))));
      if (loaded._tag === "Failure") return;
      const api = loaded.success;
      const catalog = createCatalog(api.tools);
      const lines = catalog.entries.map(({ signature, path: expression, tool }) => {
        expect(signature.length, signature).toBeLessThan(2500);
        expect(signature).not.toMatch(/[\n\r]/);
        return `function f${signature.slice(expression.length)};{${definitionsOf(tool, signature)}\n}`;
      });
      const source = ts.createSourceFile(
        "signatures.d.ts",
        lines.join("\n"),
        ts.ScriptTarget.Latest,
      ) as ts.SourceFile & {
        parseDiagnostics: ts.Diagnostic[];
      };
      expect(
        source.parseDiagnostics.map(
          (fault) => `${fault.messageText}: ${source.text.slice(fault.start! - 80, fault.start! + 40)}`,
        ),
      ).toEqual([]);
      expect(compile({ "globals.d.ts": declarations(catalog) })).toEqual([]);
      await api.close();
    },
    300_000,
  );
});
