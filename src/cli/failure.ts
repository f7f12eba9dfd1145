/** Exit codes of the command line. */
export const ExitCode = {
  success: 0,
  /** The program failed, or a check found something. */
  failed: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** The document could not be loaded. */
  document: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** A failure that ends the command: shown as `error: message` with its hint, never as a stack trace. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
    /** What the user can do about it; one line or several. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** Wrong usage or configuration: exit code 2. */
export function usageFailure(message: string, hint?: string): CommandFailure {
  return new CommandFailure(message, ExitCode.usage, hint);
}

/** A system error's cause in words: the code alone says little to a person. */
export function systemReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  switch (code) {
    case "ENOENT":
      return "no such file or folder";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EISDIR":
      return "it is a folder, not a file";
    case "ENOTDIR":
      return "a part of the path is not a folder";
    case "EADDRINUSE":
      return "the address is already in use";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
