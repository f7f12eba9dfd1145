/** Which operations become tools at all. */
import picomatch from "picomatch";
import { isSafeMethod } from "../http/methods.js";
import { DocumentError } from "./document-error.js";

export interface SelectionOptions {
  /**
   * Globs of the operations to keep; all when empty. A glob is matched against the tool's name (`repos.*`), the
   * operationId, the path template (`/repos/**`) and method with path template (`GET /repos/**`).
   */
  readonly include?: readonly string[] | undefined;
  /** Globs of the operations to leave out; they win over `include`. */
  readonly exclude?: readonly string[] | undefined;
  /** Keeps operations with one of these tags, compared without case. */
  readonly tags?: readonly string[] | undefined;
  /** Keeps GET, HEAD, OPTIONS, TRACE and QUERY only. */
  readonly readOnly?: boolean | undefined;
}

export interface Selectable {
  readonly name: string;
  readonly method: string;
  readonly pathTemplate: string;
  readonly operationId: string | undefined;
  readonly tags: readonly string[];
}

/** @throws DocumentError when a glob is empty. */
export function makeSelection(options: SelectionOptions): (operation: Selectable) => boolean {
  const include = (options.include ?? []).map(globMatcher);
  const exclude = (options.exclude ?? []).map(globMatcher);
  const tags = new Set((options.tags ?? []).map((tag) => tag.toLowerCase()));
  const anyOf = (matchers: readonly Matcher[], operation: Selectable) => {
    const { name, method, pathTemplate, operationId } = operation;
    const forms = [
      name,
      pathTemplate,
      `${method} ${pathTemplate}`,
      ...(operationId === undefined ? [] : [operationId]),
    ];
    return matchers.some((matches) => forms.some(matches));
  };
  return (operation) => {
    // A path item that cannot be read (method `*`) may hold safe ones.
    if (options.readOnly === true && operation.method !== "*" && !isSafeMethod(operation.method)) return false;
    if (tags.size > 0 && !operation.tags.some((tag) => tags.has(tag.toLowerCase()))) return false;
    if (include.length > 0 && !anyOf(include, operation)) return false;
    return !anyOf(exclude, operation);
  };
}

type Matcher = (text: string) => boolean;

function globMatcher(glob: string): Matcher {
  if (glob.trim() === "") {
    throw new DocumentError("An empty glob selects nothing.", { reason: "options", source: glob });
  }
  // The expressions of a path template are no alternatives of a glob.
  const literal = glob.replace(/\{[^{},]*\}/g, (braces) => `\\{${braces.slice(1, -1)}\\}`);
  const matches = picomatch(literal, { dot: true });
  return (text) => text === glob || matches(text);
}
