import { Argument } from "commander";
import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import { jsonOption } from "../options.js";
import { writeOut } from "../terminal.js";

export const defineCompletion: Define = (program, finish) => {
  const command = program
    .command("completion")
    .summary("print a completion script for bash, zsh or fish")
    .description(
      "Prints a script that completes commands, options and their values. Load it from your shell's start-up file.",
    )
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]));
  examples(
    jsonOption(command),
    "source <(codemode-openapi completion bash)",
    "codemode-openapi completion fish | source",
  );
  command.action(async (shell: "bash" | "zsh" | "fish", options: { json?: boolean }) => {
    const { completionScript } = await import("../completion-script.js");
    const script = completionScript(program, shell);
    await writeOut(options.json ? JSON.stringify({ shell, script }) + "\n" : script);
    finish(ExitCode.success);
  });
};
