/** An operation as a tool. Its schemas are written when they are asked for. */
import type * as Effect from "effect/Effect";
import type { Answer, CallOptions, JsonSchema, Tool, ToolFacts } from "../codemode/tool.js";
import type { ToolError } from "../codemode/tool-error.js";
import type { Json } from "../json/json.js";
import { type CallEnvironment, callOperation, callPages } from "./call-operation.js";
import { identityOf, type Omitted } from "./operation-index.js";
import type { OperationModel } from "./operation-model.js";
import type { InputField, OmittedPart, OperationPlan, SecurityPlan } from "./plan.js";
import type { ChosenServer } from "./server-object.js";

export class OperationTool implements Tool {
  readonly #model: OperationModel;
  readonly #plan: OperationPlan;
  readonly #environment: CallEnvironment;
  readonly #omittedServers: readonly OmittedPart[];
  #facts: ToolFacts | undefined;
  #inputSchema: JsonSchema | undefined;
  #outputSchema: { readonly value: JsonSchema | undefined } | undefined;

  constructor(
    /** The dotted name. */
    readonly name: string,
    model: OperationModel,
    plan: OperationPlan,
    server: { readonly server: ChosenServer; readonly omitted: readonly OmittedPart[] },
    environment: Omit<CallEnvironment, "tool" | "server">,
  ) {
    this.#model = model;
    this.#plan = plan;
    this.#omittedServers = server.omitted;
    this.#environment = { ...environment, tool: name, server: server.server };
  }

  get description(): string {
    return this.#model.description ?? this.#model.summary ?? "";
  }

  get facts(): ToolFacts {
    const { operationId, method, pathTemplate, tags, summary, deprecated } = this.#model;
    this.#facts ??= { operationId, method, pathTemplate, tags, summary, deprecated };
    return this.#facts;
  }

  get inputSchema(): JsonSchema {
    this.#inputSchema ??= this.#plan.inputSchema;
    return this.#inputSchema;
  }

  get outputSchema(): JsonSchema | undefined {
    this.#outputSchema ??= { value: this.#plan.outputSchema };
    return this.#outputSchema.value;
  }

  /** Which model-facing key carries which parameter or part of the body. */
  get inputs(): readonly InputField[] {
    return this.#plan.inputs;
  }

  get security(): SecurityPlan {
    return this.#plan.security;
  }

  /** Scheme, authority and base path of the server that calls go to. */
  get server(): string {
    const { origin, basePath } = this.#environment.server;
    return origin + basePath;
  }

  /** Optional parts of the operation that the tool lacks. */
  get omitted(): readonly Omitted[] {
    const identity = identityOf(this.#model);
    return [...this.#plan.omitted, ...this.#omittedServers].map((part) => ({ ...identity, ...part }));
  }

  call(input: Json | undefined, { mode }: CallOptions): Effect.Effect<Answer, ToolError> {
    return callOperation(this.#plan, input, mode, this.#environment);
  }

  /** The pages of a listing, each an answer in `value` mode. @throws ToolError of the call that fails. */
  pages(input: Json | undefined): AsyncIterable<Answer> {
    return callPages(this.#plan, input, this.#environment);
  }
}
