/** A reader of multipart bodies written from RFC 2046, 5.1 and RFC 7578, independent of what writes them. */
import type { Received } from "./wire.js";

export interface Part {
  readonly name: string | undefined;
  readonly filename: string | undefined;
  readonly type: string | undefined;
  /** Other fields, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function parseMultipart(request: Received): Part[] {
  const boundary = /^multipart\/form-data; boundary="?([0-9A-Za-z'()+_,./:=? -]{1,70})"?$/.exec(
    request.headers["content-type"] ?? "",
  )?.[1];
  if (boundary === undefined) throw new Error(`no boundary: ${request.headers["content-type"]}`);
  const text = `\r\n${request.body.toString("latin1")}`;
  const [preamble, ...rest] = text.split(`\r\n--${boundary}`);
  const close = rest.pop();
  if (preamble !== "" || close !== "--\r\n") throw new Error("not closed");
  return rest.map((part) => {
    const end = part.indexOf("\r\n\r\n");
    const lines = part
      .slice(2, end)
      .split("\r\n")
      .map((line) => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon).toLowerCase(), Buffer.from(line.slice(colon + 2), "latin1").toString()] as const;
      });
    const { "content-disposition": disposition = "", "content-type": type, ...headers } = Object.fromEntries(lines);
    const parameter = (name: string): string | undefined => new RegExp(`; ${name}="([^"]*)"`).exec(disposition)?.[1];
    if (!disposition.startsWith("form-data; ")) throw new Error(`no form-data: ${disposition}`);
    return {
      name: parameter("name"),
      filename: parameter("filename"),
      type,
      headers,
      body: Buffer.from(part.slice(end + 4), "latin1"),
    };
  });
}
