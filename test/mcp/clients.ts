/** Clients of the MCP server: the SDK's own, over both transports. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { BIN, ROOT } from "../cli/command-line.js";

export type Capabilities = NonNullable<ConstructorParameters<typeof Client>[1]>["capabilities"];

/** Starts `codemode-openapi mcp` on standard streams and connects to it. */
export async function stdioClient(
  args: readonly string[],
  capabilities: Capabilities = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "mcp", ...args],
      cwd: ROOT,
      env: { ...getDefaultEnvironment(), ...env },
      stderr: "ignore",
    }),
  );
  return client;
}

export interface HttpServer {
  readonly url: string;
  readonly token: string;
  /** Connects with the token. */
  client(): Promise<Client>;
  /** The sandbox processes of the server. Linux only; elsewhere none is known. */
  sandboxes(): number[];
  close(): void;
}

/** Starts `codemode-openapi mcp --http 0`. */
export async function httpServer(args: readonly string[]): Promise<HttpServer> {
  const child: ChildProcess = spawn(process.execPath, [BIN, "mcp", ...args, "--http", "0", "--json"], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout!.once("data", (data: Buffer) => resolve(data.toString()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  return {
    url,
    token,
    client: async () => {
      const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
      const headers = { Authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as Transport);
      return client;
    },
    sandboxes: () => childrenOf(child.pid!),
    close: () => child.kill("SIGTERM"),
  };
}

function childrenOf(pid: number): number[] {
  if (process.platform !== "linux") return [];
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}

/** The text of a tool's result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.flatMap((block) => (block.type === "text" ? [block.text!] : [])).join("\n");
}
