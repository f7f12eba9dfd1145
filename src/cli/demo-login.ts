/**
 * The authorization server of the demo API: device codes (RFC 8628) that approve themselves, for there is nobody to ask.
 */
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** Device codes that were given out, and whether they were asked for before: the first answer is "not yet". */
const asked = new Map<string, boolean>();

function send(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify(body));
}

/** Answers `/oauth/device` and `/oauth/token`; the access token is the one that the API accepts. */
export async function answerLogin(request: IncomingMessage, response: ServerResponse, token: string): Promise<void> {
  const form = new URLSearchParams(await text(request));
  const origin = `http://${request.headers.host}`;
  if (request.method === "POST" && request.url === "/oauth/device") {
    const code = randomBytes(18).toString("base64url");
    asked.set(code, false);
    send(response, 200, {
      device_code: code,
      user_code: "DEMO-SHOP",
      verification_uri: `${origin}/oauth/approve`,
      expires_in: 300,
      interval: 1,
    });
  } else if (request.method === "POST" && request.url === "/oauth/token") {
    const code = form.get("device_code") ?? "";
    const before = asked.get(code);
    if (form.get("grant_type") !== DEVICE_CODE_GRANT) send(response, 400, { error: "unsupported_grant_type" });
    else if (before === undefined) send(response, 400, { error: "invalid_grant" });
    else if (!before) {
      asked.set(code, true);
      send(response, 400, { error: "authorization_pending" });
    } else {
      asked.delete(code);
      send(response, 200, {
        access_token: token,
        token_type: "Bearer",
        expires_in: 3600,
        scope: form.get("scope") ?? "shop",
      });
    }
  } else {
    send(response, 404, { error: "invalid_request" });
  }
}
