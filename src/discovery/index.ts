/**
 * Discovery: which tools there are, what they take and give, and which one is meant. `check.ts` is apart: it brings the
 * interpreter, which the library has in its sandbox only.
 */
export { type Catalog, type CatalogEntry, createCatalog } from "./catalog.js";
export { closestNames } from "./closest-names.js";
export { type CompletionName, completeTool, keepNames, keptNames } from "./completion.js";
export { type DeclarationsOptions, declarations } from "./declarations.js";
export { definitionsOf } from "./definitions.js";
export { type InstructionsOptions, instructions } from "./instructions.js";
export { type SearchItem, type SearchOptions, type SearchResult, search } from "./search.js";
export { type SignatureOptions, signatureOf } from "./signature.js";
