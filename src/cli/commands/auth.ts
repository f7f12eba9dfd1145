import { type Define, examples } from "../define.js";
import { ExitCode } from "../failure.js";
import {
  credentialOptions,
  type DocumentOptions,
  documentOptions,
  jsonOption,
  type RequestOptions,
} from "../options.js";

export interface AuthOptions extends DocumentOptions, Pick<RequestOptions, "auth" | "header"> {
  readonly json?: boolean;
}

export const defineAuth: Define = (program, finish) => {
  const command = program
    .command("auth")
    .summary("show which credentials an API needs and which are given")
    .description(
      "Shows the security schemes that the tools need, which of them have a credential, and how to give the others.\nNo secret is read or shown.",
    )
    .argument("[spec]", "the OpenAPI document");
  documentOptions(jsonOption(command));
  credentialOptions(command);
  examples(
    command,
    "codemode-openapi auth demo:",
    "codemode-openapi auth demo: --auth bearerAuth=env:DEMO_TOKEN --json",
  );
  command.action(async (spec: string | undefined, options: AuthOptions) => {
    const { authCommand } = await import("../show-auth.js");
    await authCommand(spec === undefined ? [] : [spec], options);
    finish(ExitCode.success);
  });
};
