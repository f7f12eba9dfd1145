/** Tools made of plain functions: contracts checked at the border, everything else left to the function. */
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schema from "effect/Schema";
import type { Json } from "../json/json.js";
import { callNow, Promised, publicOrDefect } from "./host/tool-call.js";
import type { Answer, JsonSchema, ToolContract, Tool as ToolInterface } from "./tool.js";
import { ToolError } from "./tool-error.js";

/** The value of a contract: a schema's own type; of a JSON Schema nothing is known. */
export type ValueOf<C> = C extends Schema.Top ? C["Type"] : any;

/** What a contract needs to be decoded and encoded. */
export type ContractServices<C> = C extends Schema.Top ? C["DecodingServices"] | C["EncodingServices"] : never;

/** What `run` may give: an Effect, a promise or a value; of those an async iterable is a stream of items. */
export type Returned<A, R> =
  | Effect.Effect<A | AsyncIterable<A>, unknown, R>
  | PromiseLike<A | AsyncIterable<A>>
  | A
  | AsyncIterable<A>;

/** What `Tool.make` takes. `I` and `O` are the contracts, `R` the services that `run` needs. */
export interface ToolOptions<I, O, R> {
  /** What the tool does, for people and models. The first sentence is shown in lists. */
  readonly description: string;
  /** The contract of the one argument. An Effect Schema is decoded before `run`; a JSON Schema is shown, not checked. */
  readonly input?: I | undefined;
  /** The contract of the answer. An Effect Schema encodes it; a JSON Schema is shown, not checked. */
  readonly output?: O | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly deprecated?: boolean | undefined;
  /**
   * Does the work. A `ToolError`, thrown or failed with, is what the program sees; any other failure is shown as "The tool
   * failed.". `signal` is aborted when the call is interrupted.
   */
  readonly run: (input: ValueOf<I>, options: { readonly signal: AbortSignal }) => Returned<ValueOf<O>, R>;
}

/** A tool that needs the services `R`. */
export type Tool<R = never> = ToolInterface<R>;

/** Makes tools. */
export const Tool = {
  /** A tool of a function. */
  make<R = never, const I extends ToolContract = JsonSchema, const O extends ToolContract = JsonSchema>(
    options: ToolOptions<I, O, R>,
  ): Tool<R | ContractServices<I> | ContractServices<O>> {
    return new FunctionTool(options as ToolOptions<never, never, never>) as never;
  },
};

class FunctionTool implements Tool<never> {
  readonly description: string;
  readonly facts: Tool["facts"];
  readonly #options: ToolOptions<ToolContract, ToolContract, never>;
  readonly #input: Contract;
  readonly #output: Contract;

  constructor(options: ToolOptions<ToolContract, ToolContract, never>) {
    const { description, input, output, tags, deprecated } = options;
    this.description = description;
    this.facts = { tags, deprecated };
    this.#options = options;
    this.#input = new Contract(input);
    this.#output = new Contract(output);
  }

  get inputSchema(): JsonSchema | undefined {
    return this.#input.jsonSchema;
  }

  get outputSchema(): JsonSchema | undefined {
    return this.#output.jsonSchema;
  }

  call(input: Json | undefined): Effect.Effect<Answer, ToolError> {
    return Effect.suspend(() => {
      const left = this[callNow](input);
      return left instanceof Promised ? Effect.map(left.effect, asAnswer) : left;
    });
  }

  [callNow](input: Json | undefined): Effect.Effect<Answer, ToolError> | Promised {
    if (!this.#input.isChecked && !this.#output.isChecked) {
      const returned = this.#run(input);
      if (returned instanceof Promised) return returned;
      return isSuccess(returned) ? Effect.succeed(asAnswer(returned.value)) : Effect.map(returned, asAnswer);
    }
    const decoded = this.#input.decode(input);
    return Effect.flatMap(
      Effect.flatMap(decoded, (value) => {
        const returned = this.#run(value);
        return returned instanceof Promised ? returned.effect : returned;
      }),
      (value) => this.#output.answer(value),
    );
  }

  /** Calls the function; what it gives at once is an exit. */
  #run(input: unknown): Effect.Effect<unknown, ToolError> | Promised {
    const options = new RunOptions();
    let returned: unknown;
    try {
      returned = this.#options.run(input as never, options);
    } catch (error) {
      // What a plain function throws is like what a promise rejects with.
      return publicOrDefect(error);
    }
    // Interruption aborts the signal, also of a function that gives an Effect.
    if (Effect.isEffect(returned)) {
      return Effect.onInterrupt(publicOnly(returned as Effect.Effect<unknown, unknown>), () =>
        Effect.sync(() => RunOptions.abort(options)),
      );
    }
    return isPromiseLike(returned) ? new Promised(returned, () => RunOptions.abort(options)) : Effect.succeed(returned);
  }
}

const asAnswer = (value: unknown): Answer => ({ data: value as Json });

function isSuccess(effect: Effect.Effect<unknown, unknown>): effect is Exit.Success<unknown> {
  return Exit.isExit(effect) && effect._tag === "Success";
}

/** The second argument of `run`. Most functions never look at the signal, and one costs more than their call: it is made when read. */
class RunOptions {
  #controller: AbortController | undefined;
  #aborted = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Not a method: `run` has no business with it. */
  static abort(options: RunOptions): void {
    options.#aborted = true;
    options.#controller?.abort();
  }
}

/** Failures and defects other than `ToolError` are the tool's private affair. */
function publicOnly(effect: Effect.Effect<unknown, unknown>): Effect.Effect<unknown, ToolError> {
  return Effect.catchDefect(Effect.catch(effect, publicOrDefect), publicOrDefect);
}

function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === "function";
}

/** One side of a tool's contract. */
class Contract {
  /** Whether it is a schema that decodes and encodes; a JSON Schema is only shown. */
  readonly isChecked: boolean;
  readonly #contract: ToolContract | undefined;
  #codec: Schema.Codec<unknown, Json> | undefined;
  #jsonSchema: JsonSchema | undefined;

  constructor(contract: ToolContract | undefined) {
    this.#contract = contract;
    this.isChecked = Schema.isSchema(contract);
  }

  get jsonSchema(): JsonSchema | undefined {
    const contract = this.#contract;
    if (!Schema.isSchema(contract)) return contract as JsonSchema | undefined;
    this.#jsonSchema ??= render(contract);
    return this.#jsonSchema;
  }

  decode(input: Json | undefined): Effect.Effect<unknown, ToolError> {
    const codec = this.#jsonCodec;
    if (codec === undefined) return Effect.succeed(input);
    const decode = Schema.decodeUnknownEffect(codec);
    // A call without an argument gives no fields, or where the contract has no fields, nothing.
    const decoded =
      input === undefined
        ? Effect.catch(decode({}), (error) => Effect.mapError(decode(null), () => error))
        : decode(input);
    return Effect.mapError(
      decoded,
      (error) => new ToolError(`Invalid input: ${oneLine(error.message)}`, { kind: "InvalidToolInput", cause: error }),
    );
  }

  answer(value: unknown): Effect.Effect<Answer, ToolError> {
    const codec = this.#jsonCodec;
    if (codec === undefined) return Effect.succeed({ data: value as Json });
    if (isAsyncIterable(value)) return Effect.succeed({ data: encodeItems(codec, value) });
    return Effect.map(encodeOutput(codec, value), (data) => ({ data }));
  }

  get #jsonCodec(): Schema.Codec<unknown, Json> | undefined {
    if (!Schema.isSchema(this.#contract)) return undefined;
    this.#codec ??= Schema.toCodecJson(this.#contract) as unknown as Schema.Codec<unknown, Json>;
    return this.#codec;
  }
}

function encodeOutput(codec: Schema.Codec<unknown, Json>, value: unknown): Effect.Effect<Json, ToolError> {
  return Effect.mapError(
    Schema.encodeUnknownEffect(codec)(value),
    // What the tool gave instead may be anybody's secret.
    (error) => new ToolError("The tool's answer breaks its contract.", { kind: "InvalidToolOutput", cause: error }),
  );
}

async function* encodeItems(codec: Schema.Codec<unknown, Json>, items: AsyncIterable<unknown>): AsyncGenerator<Json> {
  for await (const item of items) yield await Effect.runPromise(encodeOutput(codec, item));
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

const oneLine = (message: string): string => message.replace(/\s*\n\s*/g, " ");

function render(schema: Schema.Top): JsonSchema {
  const { schema: root, definitions } = Schema.toJsonSchemaDocument(schema);
  const document = Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions };
  return withPlainNumbers(document) as JsonSchema;
}

/**
 * A JSON number stands for `number`: the names of the values that JSON has no number for (`"NaN"`, …) are accepted as well,
 * but a reader gains nothing from them.
 */
function withPlainNumbers(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlainNumbers);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withPlainNumbers(value)]));
  const { anyOf, ...rest } = members as { anyOf?: { type?: unknown; enum?: unknown }[] };
  const [first, second] = Array.isArray(anyOf) && anyOf.length === 2 ? anyOf : [];
  const isNumber = first?.type === "number" && second?.type === "string" && JSON.stringify(second.enum) === NOT_FINITE;
  return isNumber ? { ...first, ...rest } : members;
}

const NOT_FINITE = '["Infinity","-Infinity","NaN"]';
