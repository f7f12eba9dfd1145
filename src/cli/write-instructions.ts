import { instructions } from "../discovery/index.js";
import { loadApis } from "./apis.js";
import type { InstructionsOptions } from "./commands/instructions.js";
import { beginSession } from "./session.js";
import { writeOut } from "./terminal.js";

/** `instructions <spec>` */
export async function instructionsCommand(words: readonly string[], options: InstructionsOptions): Promise<void> {
  const session = await beginSession(words, 0, options);
  const { catalog } = await loadApis(session);
  const text = instructions(catalog, options.budget === undefined ? {} : { maxTokens: options.budget });
  await writeOut(options.json ? JSON.stringify({ instructions: text }) + "\n" : text.trimEnd() + "\n");
}
