/** The server over standard input and output: one client, the process that started this one. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer, type McpHost } from "./server.js";

/** Serves until the client closes standard input. */
export async function serveStdio(host: McpHost): Promise<void> {
  const server = createMcpServer(host, { elicitation: true });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await server.close();
}
