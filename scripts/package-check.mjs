// Packs the package as npm would publish it, looks at what is inside, installs it into an empty folder and uses it there:
// the command line, the library and its types.
//   node scripts/package-check.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (command, args, options = {}) =>
  execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options });

const failures = [];
let passed = 0;
function expect(what, condition, detail = "") {
  if (condition) passed++;
  else failures.push(`${what}${detail ? `: ${detail}` : ""}`);
  console.log(`${condition ? "ok  " : "FAIL"} ${what}`);
}

const folder = mkdtempSync(join(tmpdir(), "codemode-package-"));
try {
  const [{ filename, files, size }] = JSON.parse(
    run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]),
  );
  const paths = files.map(({ path }) => path);
  for (const needed of [
    "bin/codemode-openapi.js",
    "dist/cli.js",
    "dist/index.js",
    "dist/types/index.d.ts",
    "dist/sandbox/process.cjs",
    "dist/sandbox/realm.js",
    "dist/THIRD-PARTY-NOTICES.txt",
    "fixtures/demo/openapi.yaml",
    "README.md",
    "LICENSE",
  ]) {
    expect(`the package has ${needed}`, paths.includes(needed));
  }
  const strange = paths.filter((path) => !/^(bin\/|dist\/|fixtures\/demo\/|package\.json$|[A-Z-]+(\.md)?$)/.test(path));
  expect("nothing else is in the package", strange.length === 0, strange.join(", "));
  console.log(`     ${paths.length} files, ${(size / 1e6).toFixed(2)} MB packed`);

  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", join(folder, filename)], { cwd: folder });
  const bin = join(folder, "node_modules", ".bin", "codemode-openapi");
  expect("--version", /^\d+\.\d+\.\d+\n$/.test(run(bin, ["--version"], { cwd: folder })));
  expect(
    "--help names the commands",
    /\brun\b[\s\S]*\bcall\b[\s\S]*\blist\b/.test(run(bin, ["--help"], { cwd: folder })),
  );
  const demo = JSON.parse(run(bin, ["demo", "--json"], { cwd: folder }));
  expect("demo runs", demo.ok === true && demo.toolCalls.length > 5, JSON.stringify(demo).slice(0, 300));
  const listed = JSON.parse(run(bin, ["list", "demo:", "--json"], { cwd: folder }));
  expect("list demo:", listed.tools.length >= 8);

  writeFileSync(
    join(folder, "use.ts"),
    `import { CodeMode, Tool } from "codemode-openapi";
const double = Tool.make({ description: "Doubles", input: { type: "object", properties: { n: { type: "number" } } }, run: (input: any) => input.n * 2 });
const runtime = CodeMode.make({ tools: { math: { double } }, limits: { timeoutMs: 20_000 } });
const result = await runtime.run("return await tools.math.double({ n: 21 })");
await runtime.close();
console.log(JSON.stringify(result));
`,
  );
  const tsc = join(process.cwd(), "node_modules/typescript/bin/tsc");
  const options = [
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
    "--strict",
    "--skipLibCheck",
    "use.ts",
  ];
  const compiled = (() => {
    try {
      // console is not typed without @types/node: declare what the example needs.
      writeFileSync(join(folder, "globals.d.ts"), "declare const console: { log(...values: unknown[]): void };\n");
      run(process.execPath, [tsc, ...options, "globals.d.ts"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
      return true;
    } catch (error) {
      console.log(String(error.stdout ?? error));
      return false;
    }
  })();
  expect("the library's types compile for a consumer", compiled);
  if (compiled) {
    const result = JSON.parse(run(process.execPath, ["use.js"], { cwd: folder }));
    expect("the library runs a program", result.ok === true && result.value === 42, JSON.stringify(result));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`package check: ${passed} passed, ${failures.length} failed`);
for (const failure of failures) console.error(`package check: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
