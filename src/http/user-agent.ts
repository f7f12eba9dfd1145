declare const __VERSION__: string | undefined;

/** RFC 9110, 10.1.5. */
export const USER_AGENT = `codemode-openapi/${typeof __VERSION__ === "string" ? __VERSION__ : "0.0.0"}`;
