/** HTTP Archive 1.2 (the format's own document: http://www.softwareishard.com/blog/har-12-spec/): types and recording. */
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { STATUS_CODES } from "node:http";
import type { Redactor } from "../credentials/redaction.js";
import type { HttpRequest, HttpResponse } from "./message.js";
import { type ShownRequest, showBytes, showRequest } from "./shown-request.js";
import { USER_AGENT } from "./user-agent.js";

export interface NameValue {
  readonly name: string;
  readonly value: string;
}

export interface HarEntry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly queryString: readonly NameValue[];
    /** `_encoding` is ours: the format has no word for a binary request body. */
    readonly postData?: {
      readonly mimeType: string;
      readonly text: string;
      readonly params: readonly never[];
      readonly _encoding?: string;
    };
    readonly headersSize: number;
    readonly bodySize: number;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly cookies: readonly NameValue[];
    readonly headers: readonly NameValue[];
    readonly content: {
      readonly size: number;
      readonly mimeType: string;
      readonly text?: string;
      readonly encoding?: string;
      readonly comment?: string;
    };
    readonly redirectURL: string;
    readonly headersSize: number;
    readonly bodySize: number;
    readonly comment?: string;
  };
  readonly cache: Record<string, never>;
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number };
}

export interface Har {
  readonly log: {
    readonly version: "1.2";
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly HarEntry[];
  };
}

/** Of a longer body only the beginning is kept, in octets. */
const KEPT = 16 * 1024 * 1024;

export interface HarRecorder {
  /** Notes an exchange. The response to use in its place is given back: its body is noted as it is read. */
  record<R extends HttpResponse>(request: HttpRequest, started: Date, outcome: R): R;
  /** Notes an exchange that gave no answer. */
  failed(request: HttpRequest, started: Date, message: string): void;
  /** The archive, secrets replaced. */
  archive(): Promise<Har>;
  /** Writes the archive: the whole file or, when that fails, none. */
  save(path: string): Promise<void>;
}

interface Note {
  readonly request: HttpRequest;
  readonly started: Date;
  readonly response: HttpResponse | undefined;
  readonly failure: string | undefined;
  waited: number;
  received: number;
  readonly chunks: Uint8Array[];
  size: number;
  complete: boolean;
}

/** Secrets are replaced when the archive is made: a token that an answer brings is then known too. */
export function makeHarRecorder(redactor: Redactor): HarRecorder {
  const notes: Note[] = [];

  const note = (
    request: HttpRequest,
    started: Date,
    response: HttpResponse | undefined,
    failure: string | undefined,
  ): Note => {
    const made: Note = {
      request,
      started,
      response,
      failure,
      waited: Date.now() - started.getTime(),
      received: 0,
      chunks: [],
      size: 0,
      complete: false,
    };
    notes.push(made);
    return made;
  };

  const archive = async (): Promise<Har> => ({
    log: {
      version: "1.2",
      creator: { name: "codemode-openapi", version: USER_AGENT.split("/")[1] ?? "" },
      entries: await Promise.all(notes.map((made) => entry(made, redactor))),
    },
  });

  return {
    record: (request, started, outcome) => {
      const made = note(request, started, outcome, undefined);
      return { ...outcome, body: noting(outcome.body, made) };
    },
    failed: (request, started, message) => void note(request, started, undefined, message),
    archive,
    save: async (path) => {
      const draft = `${path}.${randomBytes(6).toString("hex")}`;
      try {
        await writeFile(draft, `${JSON.stringify(await archive(), undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
  };
}

function noting(body: AsyncIterable<Uint8Array>, note: Note): AsyncIterable<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const iterator: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      const step = await chunks.next();
      note.received = Date.now() - note.started.getTime() - note.waited;
      if (step.done === true) note.complete = true;
      else {
        if (note.size < KEPT) note.chunks.push(step.value.subarray(0, KEPT - note.size));
        note.size += step.value.byteLength;
      }
      return step;
    },
    return: async () => {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return iterator;
}

async function entry(note: Note, redactor: Redactor): Promise<HarEntry> {
  return {
    startedDateTime: note.started.toISOString(),
    time: note.waited + note.received,
    request: requestEntry(await showRequest(note.request, redactor)),
    response: responseEntry(note, redactor),
    cache: {},
    timings: { send: 0, wait: note.waited, receive: note.received },
  };
}

function requestEntry(shown: ShownRequest): HarEntry["request"] {
  const headers = shown.headers.map(([name, value]) => ({ name, value }));
  const field = (wanted: string): string => headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? "";
  const query = shown.url.split("#")[0]!.split("?").slice(1).join("?");
  return {
    method: shown.method,
    url: shown.url,
    httpVersion: "HTTP/1.1",
    cookies: pairs(field("cookie"), /;\s*/),
    headers,
    queryString: pairs(query, /&/),
    ...(shown.body === undefined
      ? {}
      : {
          postData: {
            mimeType: field("content-type"),
            text: shown.body.text,
            params: [],
            ...(shown.body.encoding === "base64" ? { _encoding: "base64" } : {}),
          },
        }),
    headersSize: -1,
    bodySize: shown.body?.bytes ?? 0,
  };
}

function responseEntry(note: Note, redactor: Redactor): HarEntry["response"] {
  const { response, failure } = note;
  const common = { httpVersion: "HTTP/1.1", headersSize: -1, bodySize: -1 };
  if (response === undefined)
    return {
      ...common,
      status: 0,
      statusText: "",
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: "" },
      redirectURL: "",
      comment: redactor.text(failure ?? ""),
    };
  const shown = showBytes(Buffer.concat(note.chunks), redactor);
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    (name === "set-cookie" ? value.split("\n") : [value]).map((line) => ({ name, value: redactor.text(line) })),
  );
  return {
    ...common,
    status: response.status,
    statusText: STATUS_CODES[response.status] ?? "",
    cookies: headers
      .filter(({ name }) => name === "set-cookie")
      .flatMap(({ value }) => pairs(value.split(";")[0]!, /;/)),
    headers,
    content: {
      size: note.size,
      mimeType: response.headers["content-type"] ?? "",
      text: shown.text,
      ...(shown.encoding === "base64" ? { encoding: "base64" } : {}),
      ...(note.complete && note.size <= KEPT ? {} : { comment: "not read to its end" }),
    },
    redirectURL: redactor.text(response.headers["location"] ?? ""),
  };
}

function pairs(text: string, separator: RegExp): NameValue[] {
  return text
    .split(separator)
    .filter((pair) => pair !== "")
    .map((pair) => ({ name: pair.split("=")[0]!, value: pair.split("=").slice(1).join("=") }));
}
