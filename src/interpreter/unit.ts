/** What is being compiled: set for the duration of one compilation. */
import type { Source } from "./errors.js";

export const unit = {
  /** Added to the offset of a node: see `Source`. */
  base: 0,
  source: undefined as Source | undefined,
  globals: Object.create(null) as Readonly<Record<string, unknown>>,
  /** Globals may change while the program runs (conformance tests only). */
  openGlobals: false,
  /** `this` outside functions. */
  topLevelThis: undefined as unknown,
};
