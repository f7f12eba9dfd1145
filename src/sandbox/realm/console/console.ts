/** The program's `console` (Console Standard): values become lines of text, lines go to the execution's sink. */
import type { Bridge } from "../bridge.js";
import { brandOf } from "../intrinsics/brand.js";
import type { Limits } from "../limits.js";
import type { ConsoleSink } from "../realm.js";
import { formatLine } from "./format.js";
import { type InspectContext, Inspector } from "./inspect.js";
import { drawTable } from "./table.js";

const { getOwnPropertyDescriptor } = Object;
const { apply, ownKeys } = Reflect;

/** Characters of one call, whatever its values. */
const MAX_LINE = 100_000;
const MAX_ROWS = 1000;
const MAX_COLUMNS = 30;
const MAX_GROUPS = 100;
const MAX_LABELS = 1000;

export interface ConsoleContext extends InspectContext {
  readonly bridge: Bridge;
  readonly limits: Limits;
  /** Where lines go now. */
  sink(): ConsoleSink | undefined;
}

/** The console, and what makes it forget its groups, counters and timers. */
export function createConsole(context: ConsoleContext): { console: object; reset: () => void } {
  const { bridge, limits } = context;
  let groups = 0;
  const counts = new Map<string, number>();
  const timers = new Map<string, number>();

  const write = (values: readonly unknown[], depth?: number): void => {
    limits.check();
    const sink = context.sink();
    if (sink === undefined || sink.budget <= 0) return;
    const length = Math.min(MAX_LINE, sink.budget);
    const inspector = new Inspector(context, depth === undefined ? { length } : { length, depth });
    let text = formatLine(values.slice(0, MAX_ROWS), (value) => inspector.inspect(value));
    if (groups > 0) {
      const pad = "  ".repeat(groups);
      text = pad + text.slice(0, length).replaceAll("\n", `\n${pad}`);
    }
    sink.line(text.length > length ? `${text.slice(0, length)}...` : text);
  };
  const label = (value: unknown): string => (value === undefined ? "default" : `${value}`.slice(0, 200));
  const elapsed = (name: string, start: number): string => {
    const ms = bridge.now() - start;
    return ms >= 1000 ? `${name}: ${(ms / 1000).toFixed(3)}s` : `${name}: ${Number(ms.toFixed(3))}ms`;
  };

  const methods = {
    log: (...values: unknown[]) => write(values),
    info: (...values: unknown[]) => write(values),
    debug: (...values: unknown[]) => write(values),
    warn: (...values: unknown[]) => write(values),
    error: (...values: unknown[]) => write(values),
    dirxml: (...values: unknown[]) => write(values),
    trace: (...values: unknown[]) => write(["Trace:", ...values]),
    dir(value: unknown, options: unknown = undefined) {
      const depth = (options as { depth?: unknown } | null | undefined)?.depth;
      const levels = depth === null ? 100 : typeof depth === "number" && depth >= 0 ? Math.min(depth, 100) : undefined;
      const sink = context.sink();
      if (sink === undefined) return;
      const inspector = new Inspector(context, {
        length: Math.min(MAX_LINE, sink.budget),
        ...(levels === undefined ? {} : { depth: levels }),
      });
      write([inspector.inspect(value)]);
    },
    table(data: unknown, columns: unknown = undefined) {
      if (typeof data !== "object" || data === null || context.isProxy(data)) write([data]);
      else write([drawTable(tableCells(context, data, columns))]);
    },
    assert(condition: unknown = false, ...values: unknown[]) {
      if (condition) return;
      if (typeof values[0] === "string") write([`Assertion failed: ${values[0]}`, ...values.slice(1)]);
      else write(["Assertion failed", ...values]);
    },
    group(...values: unknown[]) {
      if (values.length > 0) write(values);
      groups = Math.min(MAX_GROUPS, groups + 1);
    },
    groupCollapsed(...values: unknown[]) {
      methods.group(...values);
    },
    groupEnd() {
      groups = Math.max(0, groups - 1);
    },
    count(name: unknown = undefined) {
      const key = label(name);
      const count = (counts.get(key) ?? 0) + 1;
      if (counts.has(key) || counts.size < MAX_LABELS) counts.set(key, count);
      write([`${key}: ${count}`]);
    },
    countReset(name: unknown = undefined) {
      counts.delete(label(name));
    },
    time(name: unknown = undefined) {
      const key = label(name);
      if (timers.has(key)) write([`Timer '${key}' already exists`]);
      else if (timers.size < MAX_LABELS) timers.set(key, bridge.now());
    },
    timeLog(name: unknown = undefined, ...values: unknown[]) {
      const key = label(name);
      const start = timers.get(key);
      if (start === undefined) write([`Timer '${key}' does not exist`]);
      else write([elapsed(key, start), ...values]);
    },
    timeEnd(name: unknown = undefined) {
      methods.timeLog(name);
      timers.delete(label(name));
    },
    clear() {},
  };

  // As in browsers and Node: an ordinary object whose methods need no receiver.
  const console: Record<string, unknown> = Object.create(Object.create(Object.prototype));
  for (const [name, method] of Object.entries(methods)) console[name] = method;
  Object.defineProperty(console, Symbol.toStringTag, { value: "console", configurable: true });
  const reset = (): void => {
    groups = 0;
    counts.clear();
    timers.clear();
  };
  return { console, reset };
}

/** Cells read from property descriptors only: a getter shows as such. */
function tableCells(context: ConsoleContext, data: object, columns: unknown): { header: string[]; rows: string[][] } {
  const text = (value: unknown): string =>
    new Inspector(context, { depth: 0, length: 200 }).inspect(value).replaceAll("\n", " ");
  let chosen: string[] | undefined;
  if (Array.isArray(columns)) {
    chosen = [];
    for (let i = 0; i < Math.min(columns.length, MAX_COLUMNS); i++) chosen.push(`${columns[i]}`);
  }
  const names = new Set<string>(chosen);
  const records: { index: string; cells: Map<string, string>; value: string | undefined }[] = [];
  for (const [index, item] of rowsOf(context, data)) {
    const cells = new Map<string, string>();
    let value: string | undefined;
    if (typeof item === "object" && item !== null && !context.isProxy(item)) {
      for (const key of ownKeys(item)) {
        const property = getOwnPropertyDescriptor(item, key);
        if (typeof key === "symbol" || !property?.enumerable) continue;
        if (chosen === undefined && names.size < MAX_COLUMNS) names.add(key);
        if (names.has(key)) cells.set(key, "value" in property ? text(property.value) : "[Getter]");
      }
    } else {
      value = text(item);
    }
    records.push({ index, cells, value });
  }
  const values = records.some((record) => record.value !== undefined);
  return {
    header: ["(index)", ...names, ...(values ? ["Values"] : [])],
    rows: records.map(({ index, cells, value }) => [
      index,
      ...[...names].map((name) => cells.get(name) ?? ""),
      value ?? "",
    ]),
  };
}

function rowsOf(context: ConsoleContext, data: object): [string, unknown][] {
  const rows: [string, unknown][] = [];
  const add = (index: string, value: unknown): void => {
    if (rows.length < MAX_ROWS) rows.push([index, value]);
  };
  const brand = brandOf(data, context.isProxy);
  if (brand === "Map") {
    apply(Map.prototype.forEach, data, [
      (value: unknown, key: unknown) => add(typeof key === "object" ? "[Object]" : String(key), value),
    ]);
  } else if (brand === "Set") {
    let index = 0;
    apply(Set.prototype.forEach, data, [(value: unknown) => add(`${index++}`, value)]);
  } else {
    for (const key of ownKeys(data)) {
      const property = getOwnPropertyDescriptor(data, key);
      if (typeof key === "string" && property?.enumerable) add(key, "value" in property ? property.value : undefined);
      if (rows.length >= MAX_ROWS) break;
    }
  }
  return rows;
}
