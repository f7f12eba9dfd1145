/** Files of a description, served on loopback or laid in a folder. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** By path without leading slash: a text, octets, or a value to write as JSON. */
export type Files = Readonly<Record<string, unknown>>;

function octets(content: unknown): Uint8Array {
  if (content instanceof Uint8Array) return content;
  return Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
}

/** Lays the files in a folder of their own, gone after the test. Gives the folder. */
export function folderOf(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, octets(content));
  }
  return folder;
}

export interface FileServer {
  readonly origin: string;
  /** Paths asked for, in order. */
  readonly requests: string[];
}

/** Serves the files until the test ends; a function answers by itself. */
export async function serve(files: Files): Promise<FileServer> {
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.url ?? "");
    const content = files[decodeURI((request.url ?? "").slice(1).split("?")[0] as string)];
    if (typeof content === "function") content(request, response);
    else if (content === undefined) response.writeHead(404).end("none");
    else response.end(octets(content));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** A document of one version with the paths given and whatever else. */
export function description(paths: unknown, rest: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    openapi: "3.1.1",
    info: { title: "T", version: "1" },
    servers: [{ url: "https://api.example" }],
    paths,
    ...rest,
  };
}

/** An operation that only answers. */
export function operation(rest: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { responses: { 200: { description: "ok" } }, ...rest };
}
