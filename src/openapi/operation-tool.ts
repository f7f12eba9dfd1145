/**
 * An operation as a tool. It is planned when it is first asked for something that a plan knows, and its schemas are
 * written when they are asked for: a document has thousands of operations, a program calls a few.
 */
import * as Effect from "effect/Effect";
import type { Answer, CallOptions, JsonSchema, Tool, ToolFacts } from "../codemode/tool.js";
import { ToolError } from "../codemode/tool-error.js";
import { isSafeMethod } from "../http/methods.js";
import type { Json } from "../json/json.js";
import { type CallEnvironment, callOperation, callPages } from "./call-operation.js";
import { DocumentFault, type Fault } from "./document.js";
import type { OperationModel } from "./operation-model.js";
import type { DeclaredOperation } from "./operations.js";
import type { InputField, OmittedPart, OperationPlan, SecurityPlan } from "./plan.js";
import { type PlanOptions, planOperation } from "./plan-operation.js";
import { outputSchema } from "./response-object.js";
import { chooseServer, type ServerSettings } from "./server-object.js";

/** Which operation an entry of `skipped` or `omitted` is about. */
export interface OperationIdentity {
  readonly operationId: string | null;
  readonly method: string;
  readonly pathTemplate: string;
}

/** An operation that is no tool. `method` is `*` for a path item that cannot be read. */
export interface Skipped extends OperationIdentity, Fault {}

/** A part left out of a tool that exists. */
export interface Omitted extends OperationIdentity, OmittedPart {}

/** What the operations of an API share. */
export interface Environment {
  readonly options: PlanOptions;
  readonly servers: ServerSettings;
  readonly call: Omit<CallEnvironment, "tool" | "server">;
}

/** How much of an output schema its outline shows. */
const OUTLINE_SCHEMAS = 60;

interface Planned {
  readonly plan: OperationPlan;
  readonly call: CallEnvironment;
  readonly omitted: readonly OmittedPart[];
}

/** An operation as a tool, planned when it is first used. */
export class OperationTool implements Tool {
  readonly facts: ToolFacts;
  readonly #declared: DeclaredOperation;
  readonly #environment: Environment;
  #planned: Planned | Skipped | undefined;
  #inputSchema: JsonSchema | undefined;
  #outputSchema: { readonly value: JsonSchema | undefined } | undefined;

  /** @internal */
  constructor(
    /** The dotted name. */
    readonly name: string,
    declared: DeclaredOperation,
    environment: Environment,
  ) {
    this.#declared = declared;
    this.#environment = environment;
    this.facts = new Facts(declared);
  }

  /** Why the operation cannot be called; `undefined` when it can. */
  get skipped(): Skipped | undefined {
    const planned = this.#plan();
    return "code" in planned ? planned : undefined;
  }

  /** What the document says of the operation: its description, or else its summary. */
  get description(): string {
    const model = this.#declared.model();
    return model.description ?? model.summary ?? "";
  }

  get inputSchema(): JsonSchema | undefined {
    this.#inputSchema ??= this.#sound()?.plan.inputSchema;
    return this.#inputSchema;
  }

  get outputSchema(): JsonSchema | undefined {
    this.#outputSchema ??= { value: this.#sound()?.plan.outputSchema };
    return this.#outputSchema.value;
  }

  get outputOutline(): JsonSchema | undefined {
    return this.#sound() === undefined ? undefined : outputSchema(this.#declared.model(), OUTLINE_SCHEMAS);
  }

  /**
   * Which model-facing key carries which parameter or part of the body.
   *
   * @internal
   */
  get inputs(): readonly InputField[] {
    return this.#sound()?.plan.inputs ?? [];
  }

  /**
   * Which credentials a call needs.
   *
   * @internal
   */
  get security(): SecurityPlan {
    return this.#sound()?.plan.security ?? { alternatives: [] };
  }

  /** Scheme, authority and base path of the server that calls go to; empty when there is none. */
  get server(): string {
    const server = this.#sound()?.call.server;
    return server === undefined || "missing" in server ? "" : server.origin + server.basePath;
  }

  /** Optional parts of the operation that the tool lacks. */
  get omitted(): readonly Omitted[] {
    return (this.#sound()?.omitted ?? []).map((part) => ({ ...identityOf(this.#declared), ...part }));
  }

  call(input: Json | undefined, { mode }: CallOptions): Effect.Effect<Answer, ToolError> {
    return Effect.suspend(() => {
      const planned = this.#plan();
      if ("code" in planned) return Effect.fail(this.#refusal(planned));
      return callOperation(planned.plan, input, mode, planned.call);
    });
  }

  /** The pages of a listing, each an answer in `value` mode. @throws ToolError of the call that fails. */
  pages(input: Json | undefined): AsyncIterable<Answer> {
    const planned = this.#plan();
    if ("code" in planned) throw this.#refusal(planned);
    return callPages(planned.plan, input, planned.call);
  }

  #plan(): Planned | Skipped {
    this.#planned ??= makePlan(this.name, this.#declared, this.#environment);
    return this.#planned;
  }

  #sound(): Planned | undefined {
    const planned = this.#plan();
    return "code" in planned ? undefined : planned;
  }

  #refusal({ reason, code, pointer }: Skipped): ToolError {
    return new ToolError(`${this.name} cannot be called: ${reason}`, {
      kind: "UnknownTool",
      hint: `The operation is skipped (${code}, at ${pointer}).`,
    });
  }
}

function makePlan(name: string, declared: DeclaredOperation, environment: Environment): Planned | Skipped {
  try {
    const model: OperationModel = declared.model();
    const planned = planOperation(model, environment.options);
    if ("skip" in planned) return { ...identityOf(declared), ...planned.skip };
    const choice = chooseServer(model.document, model.servers, environment.servers);
    if ("fault" in choice) return { ...identityOf(declared), ...choice.fault };
    return {
      plan: planned.plan,
      call: { ...environment.call, tool: name, server: choice.server },
      omitted: [...planned.plan.omitted, ...choice.omitted],
    };
  } catch (error) {
    return { ...identityOf(declared), ...faultOf(error, declared) };
  }
}

function faultOf(error: unknown, declared: DeclaredOperation): Fault {
  if (error instanceof DocumentFault) return error.fault;
  // The stack is the bound on how deep planning follows a schema.
  if (!(error instanceof RangeError)) throw error;
  const { document, node } = declared.model();
  const reason = "The operation is nested too deeply to be read.";
  return { code: "malformed-operation", reason, pointer: document.show(node) };
}

/** The parts that need no model are there at once. */
class Facts implements ToolFacts {
  readonly #declared: DeclaredOperation;
  readonly operationId: string | undefined;
  readonly method: string;
  readonly pathTemplate: string;
  readonly tags: readonly string[];
  readonly readOnly: boolean;

  constructor(declared: DeclaredOperation) {
    this.#declared = declared;
    this.operationId = declared.operationId;
    this.method = declared.method;
    this.pathTemplate = declared.pathTemplate;
    this.tags = declared.tags;
    this.readOnly = isSafeMethod(declared.method);
  }

  get summary(): string | undefined {
    return this.#declared.model().summary;
  }

  get deprecated(): boolean {
    return this.#declared.model().deprecated;
  }
}

export function identityOf(
  operation: Pick<DeclaredOperation, "operationId" | "method" | "pathTemplate">,
): OperationIdentity {
  const { operationId, method, pathTemplate } = operation;
  return { operationId: operationId ?? null, method, pathTemplate };
}
