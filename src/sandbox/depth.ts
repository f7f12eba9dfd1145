/** Deepest nesting of arrays and objects in a value that crosses between host and sandbox. */
export const MAX_DEPTH = 1_000;
