/** The library as users have it: built, with its sandbox beside it. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Library from "../../src/index.js";

const library: typeof Library = await import(pathToFileURL(resolve("dist/index.js")).href);

export const { CodeMode, Tool, ToolError, ToolRegistry, OpenAPI } = library;
export type * from "../../src/index.js";
