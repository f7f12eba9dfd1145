import ts from "typescript";

const files = new Map<string, ts.SourceFile | undefined>();

/** What TypeScript says of files given as text, under `strict`; `lib` as in a configuration, default without the DOM. */
export function compile(
  sources: Readonly<Record<string, string>>,
  lib: string[] | undefined = ["lib.esnext.d.ts"],
): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
    ...(lib ? { lib } : {}),
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) => {
    const own = sources[name];
    if (own !== undefined) return ts.createSourceFile(name, own, version);
    if (!files.has(name)) files.set(name, getSourceFile(name, version));
    return files.get(name);
  };
  host.fileExists = (name) => sources[name] !== undefined;
  const program = ts.createProgram(Object.keys(sources), options, host);
  return ts.getPreEmitDiagnostics(program).map((fault) => {
    const line =
      fault.file && fault.start !== undefined ? fault.file.getLineAndCharacterOfPosition(fault.start).line : -1;
    const text = line < 0 ? "" : fault.file!.text.split("\n")[line]!.trim().slice(0, 200);
    return `TS${fault.code} ${ts.flattenDiagnosticMessageText(fault.messageText, " ")} at ${fault.file?.fileName}:${line + 1}: ${text}`;
  });
}
