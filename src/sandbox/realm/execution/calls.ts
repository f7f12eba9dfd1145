/** Calls of tools and the streams that they open: what is posted to the host, and what waits for its answer. */
import type { CallMode } from "../../../codemode/tool.js";
import type { DeliveryMessage } from "../../protocol.js";
import type { ToolErrors } from "./tool-errors.js";

// As the engine made it: that of a program is charged for what it writes.
const { stringify } = JSON;

type Answer = Extract<DeliveryMessage, { type: "answer" }>;
type Settled = Answer | Extract<DeliveryMessage, { type: "item" | "end" }>;

interface Waiting {
  readonly tool: string;
  /** Of a call; without it what is waited for is an item of a stream. */
  readonly mode: CallMode | undefined;
  resolve(message: unknown): void;
  reject(error: Error): void;
}

export class Calls {
  #post: (message: string) => void;
  #errors: ToolErrors;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  /** The async iterators given to the program: they are no data. */
  readonly streams = new WeakSet<object>();

  constructor(post: (message: string) => void, errors: ToolErrors) {
    this.#post = post;
    this.#errors = errors;
  }

  /** How many answers are still to come. */
  get size(): number {
    return this.#waiting.size;
  }

  /** The dotted names of the tools that are waited for, in the order of the calls. */
  names(): string[] {
    return Array.from(this.#waiting.values(), (waiting) => waiting.tool);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Calls a tool; `input` is JSON text. The host hears of it at once, or within about a millisecond. */
  call(tool: string, mode: CallMode, input: string | undefined): Promise<unknown> {
    const id = this.#next++;
    this.#post(
      `{"type":"call","id":${id},"mode":"${mode}","tool":${stringify(tool)}${input === undefined ? "" : `,"input":${input}`}}`,
    );
    return this.#answer(id, tool, mode);
  }

  /** The pages of a listing; the first is asked for when the program asks. `count` is called for each. */
  pages(tool: string, input: string | undefined, count: () => void): object {
    const id = this.#next++;
    const open = `{"type":"pages","id":${id},"tool":${stringify(tool)}${input === undefined ? "" : `,"input":${input}`}}`;
    return this.#stream(id, tool, open, count);
  }

  /** A message of the host that settles something here. Messages for calls long gone are dropped. */
  deliver(message: DeliveryMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (message.type === "failure") waiting.reject(this.#errors.make(message.error, waiting.tool));
    else if (waiting.mode === undefined) waiting.resolve(message);
    else waiting.resolve(this.#result(message as Answer, waiting.tool, waiting.mode));
  }

  /** What a call gives to the program. */
  #result(message: Answer, tool: string, mode: CallMode): unknown {
    const data = message.stream ? this.#stream(message.id, tool) : message.data;
    return mode === "value" ? data : { status: message.status, headers: message.headers ?? {}, data };
  }

  #answer(id: number, tool: string, mode: CallMode | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { tool, mode, resolve, reject });
    });
  }

  /** An async iterator over the items that the host holds under `id`, pulled one by one. */
  #stream(id: number, tool: string, open?: string, onItem?: () => void): object {
    const items = this.#items(id, tool, open, onItem);
    this.streams.add(items);
    return items;
  }

  async *#items(id: number, tool: string, open?: string, onItem?: () => void): AsyncGenerator<unknown> {
    if (open !== undefined) this.#post(open);
    let left = true;
    try {
      for (;;) {
        const answer = this.#answer(id, tool, undefined);
        this.#post(`{"type":"pull","id":${id}}`);
        left = false;
        const message = (await answer) as Settled;
        if (message.type !== "item") return;
        left = true;
        onItem?.();
        yield message.data;
      }
    } finally {
      // Left early: the host ends what it reads from.
      if (left) this.#post(`{"type":"close","id":${id}}`);
    }
  }
}
