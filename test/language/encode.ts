/** Program text of an encoder: a value as a JSON tree that keeps undefined, -0, NaN, BigInt, Map, Set, Date and holes apart. */
export const ENCODE = `
const encode = (value, depth = 0) => {
  if (depth > 12) return "$deep";
  const type = typeof value;
  if (value === undefined) return { $: "undefined" };
  if (value === null || type === "boolean" || type === "string") return value;
  if (type === "number") return Number.isFinite(value) && !Object.is(value, -0) ? value : { $: Object.is(value, -0) ? "-0" : String(value) };
  if (type === "bigint") return { $: value + "n" };
  if (type === "symbol" || type === "function") return { $: type };
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (Array.isArray(value)) {
    const result = [];
    for (let i = 0; i < value.length; i++) result.push(i in value ? encode(value[i], depth + 1) : { $: "hole" });
    return result;
  }
  if (tag === "Map") return { $: "Map", v: [...value].map(([a, b]) => [encode(a, depth + 1), encode(b, depth + 1)]) };
  if (tag === "Set") return { $: "Set", v: [...value].map((x) => encode(x, depth + 1)) };
  if (tag === "Date") return { $: "Date", v: Number(value) };
  if (tag === "Error") return { $: "Error", n: String(value.name), m: String(value.message) };
  const result = {};
  for (const key of Object.keys(value)) Object.defineProperty(result, key, { value: encode(value[key], depth + 1), enumerable: true, configurable: true, writable: true });
  return result;
};
`;

/** Wraps the body of an async function with `log` into a program that gives `{ value | error, trace }`. */
export function traced(body: string): string {
  return `${ENCODE}
const trace = [];
const log = (x) => { trace.push(encode(x)); return x; };
try {
  const value = await (async function () {
${body}
  })();
  return { value: encode(value), trace };
} catch (e) {
  return { error: String(e && e.name), trace };
}`;
}
