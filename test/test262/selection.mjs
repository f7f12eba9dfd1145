// Which tests of a test262 checkout concern the language of programs: everything about the language and the standard library
// but modules, dynamic code, shared memory and binary data, `with`, reflection on realms, and proposals.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDERS = ["test/language", "test/built-ins"];

const LEFT_OUT_FOLDERS = [
  /^test\/language\/(module-code|import|export|eval-code)\//,
  /^test\/language\/statements\/(with|using|await-using)\//,
  /^test\/language\/expressions\/(dynamic-import|import\.meta|tco)/,
  /^test\/built-ins\/(AbstractModuleSource|ArrayBuffer|AsyncDisposableStack|AsyncFunction|AsyncGeneratorFunction|Atomics|DataView|DisposableStack|FinalizationRegistry|Function|GeneratorFunction|Proxy|Reflect|ShadowRealm|SharedArrayBuffer|SuppressedError|Temporal|ThrowTypeError|TypedArray|TypedArrayConstructors|Uint8Array|WeakRef|eval|global)\//,
];

const LEFT_OUT_FEATURES = new Set(
  `decorators import-attributes import-defer import-bytes import-text source-phase-imports dynamic-import import.meta
  explicit-resource-management tail-call-optimization IsHTMLDDA cross-realm caller ShadowRealm Temporal Atomics SharedArrayBuffer
  FinalizationRegistry WeakRef host-gc-required legacy-regexp resizable-arraybuffer arraybuffer-transfer ArrayBuffer DataView
  TypedArray Proxy Reflect Reflect.construct Reflect.set Reflect.setPrototypeOf immutable-arraybuffer Intl.Era-monthcode
  canonical-tz await-dictionary joint-iteration iterator-sequencing Intl-enumeration __proto__ __getter__ __setter__`.split(
    /\s+/,
  ),
);

const LEFT_OUT_TEXT = [
  /\$262\.|createRealm|detachArrayBuffer/,
  /\beval\s*\(|\bFunction\s*\(|new Function\b|GeneratorFunction\b|AsyncFunction\b/,
  /\bwith\s*\(/,
  /\b(Uint8Array|Float64Array|Int8Array|ArrayBuffer|DataView)\b/,
];

const LEFT_OUT_HARNESS =
  /wellKnownIntrinsic|fnGlobalObject|testTypedArray|detachArray|resizableArray|nativeFunctionMatcher|testIntl|tcoHelper|proxyTraps|^sm\//i;

/** The few forms of YAML that test262 front matter uses. */
function frontMatter(text) {
  const yaml = (/\/\*---([\s\S]*?)---\*\//.exec(text)?.[1] ?? "").replace(/\r\n?/g, "\n");
  const list = (key) => {
    const inline = new RegExp(`^\\s*${key}:\\s*\\[([^\\]]*)\\]`, "m").exec(yaml);
    if (inline)
      return inline[1]
        .split(",")
        .map((item) => item.trim())
        .filter(Boolean);
    const block = new RegExp(`^\\s*${key}:\\s*\\n((?:\\s*-\\s*.*\\n?)+)`, "m").exec(yaml);
    return block
      ? block[1]
          .split("\n")
          .map((item) => item.replace(/^\s*-\s*/, "").trim())
          .filter(Boolean)
      : [];
  };
  const negative = /^\s*negative:\s*\n((?:\s+\w+:.*\n?)+)/m.exec(yaml)?.[1];
  return {
    flags: list("flags"),
    features: list("features"),
    includes: list("includes"),
    negative: negative
      ? { phase: /phase:\s*(\w+)/.exec(negative)?.[1], type: /type:\s*(\w+)/.exec(negative)?.[1] }
      : null,
  };
}

function* files(root, folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* files(root, path);
    else if (path.endsWith(".js") && !path.includes("_FIXTURE")) yield path;
  }
}

/** The tests that can run strict: `{ path, flags, includes, negative }`. */
export function select(root) {
  const selected = [];
  for (const folder of FOLDERS)
    for (const path of files(root, folder)) {
      if (LEFT_OUT_FOLDERS.some((pattern) => pattern.test(path))) continue;
      const text = readFileSync(join(root, path), "utf8");
      const { flags, features, includes, negative } = frontMatter(text);
      if (
        flags.includes("module") ||
        flags.includes("noStrict") ||
        flags.includes("raw") ||
        flags.some((flag) => flag.startsWith("CanBlock"))
      )
        continue;
      if (
        features.some((feature) => LEFT_OUT_FEATURES.has(feature)) ||
        includes.some((file) => LEFT_OUT_HARNESS.test(file))
      )
        continue;
      const body = text.replace(/\/\*---[\s\S]*?---\*\//, "");
      if (LEFT_OUT_TEXT.some((pattern) => pattern.test(body))) continue;
      selected.push({ path, async: flags.includes("async"), includes, negative });
    }
  return selected;
}
