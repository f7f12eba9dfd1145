/** Which parser a program is given to. The one for TypeScript is loaded for programs that need it only. */
import { type Compiled, type Environment, hasTypeArguments } from "../../../interpreter/index.js";
import type { Language } from "../../protocol.js";
import type { Realm } from "../realm.js";

/** Compiles a program. `auto` is JavaScript, unless only TypeScript's parser takes the source. */
export function compileAs(realm: Realm, source: string, language: Language, environment: Environment): Compiled {
  if (language === "javascript" || (language === "auto" && !hasTypeArguments(source))) {
    const compiled = realm.compile(source, "javascript", environment);
    const isFinal = !("fault" in compiled) || compiled.fault.kind !== "ParseError" || language === "javascript";
    if (isFinal) return compiled;
  }
  realm.bridge.loadTypeScript();
  return realm.compile(source, "typescript", environment);
}
