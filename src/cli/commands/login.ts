import { Option } from "commander";
import { type Define, examples } from "../define.js";
import { type DocumentOptions, documentOptions, jsonOption, unusedCredentialOptions } from "../options.js";
import { count, duration, each, text } from "../values.js";

export interface LoginOptions extends DocumentOptions {
  readonly json?: boolean;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly scope?: readonly string[];
  readonly device?: boolean;
  readonly port?: number;
  readonly timeout?: number;
  readonly logout?: boolean;
}

export const defineLogin: Define = (program, finish) => {
  const command = program
    .command("login")
    .summary("obtain OAuth tokens in the browser or by a device code")
    .description(
      "Obtains a token for a security scheme of type oauth2 or openIdConnect: by authorization code with PKCE in a browser on this machine, or by a device code. The token is kept in a file that only you can read, belongs to the server's origin, and is renewed when it expires. Without <scheme> the only one is meant.",
    )
    .argument("[words...]", "the OpenAPI document and the scheme")
    .usage("[options] <spec> [scheme]")
    .option("--client-id <id>", "the client that is registered at the authorization server")
    .option("--client-secret <source>", "its secret, when it has one: env:NAME, file:PATH, cmd:COMMAND")
    .addOption(
      new Option("--scope <scope>", "a scope to ask for (repeatable; default: those that the tools name)").argParser(
        each(text),
      ),
    )
    .option("--device", "use a device code, for machines without a browser")
    .option("--port <n>", "port of the loopback redirect URI (default: a free one)", count(1))
    .option("--timeout <time>", "time to grant access (default: 5m)", duration)
    .option("--logout", "forget the token instead");
  unusedCredentialOptions(documentOptions(jsonOption(command)));
  examples(
    command,
    "codemode-openapi login demo: shopLogin --client-id demo --device",
    "codemode-openapi login demo: shopLogin --logout",
  );
  command.action(async (words: readonly string[], options: LoginOptions) => {
    const { loginCommand } = await import("../log-in.js");
    finish(await loginCommand(words, options));
  });
};
