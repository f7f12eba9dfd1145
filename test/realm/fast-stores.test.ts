import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

/** Boots a realm and asks V8 itself, with its own test functions, how it keeps what the realm has frozen. */
const SCRIPT = `
const { readFileSync } = require("node:fs");
const { createContext, runInContext } = require("node:vm");
const context = createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
for (const name of ["polyfills.js", "realm.js"]) runInContext(readFileSync(name, "utf8"), context);
const boot = runInContext("__codemode.boot", context);
const ask = runInContext(\`() => [
  Object.isFrozen(Array.prototype) && Object.isFrozen(Object.prototype),
  %HasDictionaryElements(Array.prototype) && %HasDictionaryElements(Object.prototype),
  %ArraySpeciesProtector() && %ArrayIteratorProtector(),
  %PromiseSpeciesProtector(),
].join()\`, context);
boot(new Proxy({}, { get: () => () => 0 }));
console.log(ask());
`;

const nodes = [process.execPath, ...(process.env["CODEMODE_NODES"]?.split(":") ?? [])];

// What is asked is what decides: a measured time would only tell how busy the machine is.
test.each(nodes)("freezing built-ins keeps arrays and promises on the engine's fast paths: %s", (node) => {
  const answer = execFileSync(node, ["--allow-natives-syntax", "-e", SCRIPT], {
    cwd: resolve("dist/sandbox"),
    encoding: "utf8",
  });
  expect(answer.trim()).toBe("true,true,true,true");
});
