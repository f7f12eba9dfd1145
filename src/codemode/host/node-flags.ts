/** How Node is started for a sandbox: with little memory, no code from strings, and no authority that Node can take away. */
import { readFileSync } from "node:fs";

const MIB = 1024 * 1024;

/** What the sandbox itself holds: its scripts, their code and a prepared realm. */
const OWN_HEAP_MIB = 32;

/** The half of a young generation that is in use. V8 has as much again, to move there what is alive. */
const YOUNG_MIB = 64;
/** The same at the start of a process for one program. */
const SMALL_YOUNG_MIB = 16;
/** What of the old generation need not be looked through. */
const OLD_MIB = 128;

/**
 * The flags for `node`. `folder` holds the sandbox's scripts, the only files that it may read. `oneProgram`: the process will run
 * no other.
 */
export function nodeFlags(folder: string, maxMemoryBytes: number | undefined, oneProgram: boolean): string[] {
  const flags = [
    "--disallow-code-generation-from-strings",
    "--no-addons",
    "--no-warnings",
    `--stack-size=${stackSize()}`,
  ];
  if (hasPermissionModel()) flags.push(permissionFlag(), `--allow-fs-read=${folder}`, "--allow-worker");
  flags.push(...heapFlags(maxMemoryBytes, oneProgram));
  return flags;
}

/**
 * The old generation is given more than the limit: the realm measures what a program holds and names the line that went too far.
 * That flag is for programs that allocate inside one built-in, where nothing can measure.
 *
 * The others are for speed. What most programs make fits into the young generation, so that no garbage is collected while they run:
 * all is dead when they have ended. It has its size from the start, because V8 would let it grow only with what survives; but a single
 * program would pay more for the new memory than it saves in collections, so that one starts with less.
 */
function heapFlags(maxMemoryBytes: number | undefined, oneProgram: boolean): string[] {
  const limit = maxMemoryBytes === undefined ? Number.POSITIVE_INFINITY : Math.ceil(maxMemoryBytes / MIB);
  const young = Math.min(YOUNG_MIB, Math.max(2, Math.floor(limit / 4)));
  const flags = [
    `--max-semi-space-size=${young}`,
    `--min-semi-space-size=${oneProgram ? Math.min(SMALL_YOUNG_MIB, young) : young}`,
    `--initial-old-space-size=${Math.min(OLD_MIB, OWN_HEAP_MIB + Math.ceil(limit / 2))}`,
  ];
  if (maxMemoryBytes !== undefined) flags.push(`--max-old-space-size=${Math.ceil(limit * 1.25) + OWN_HEAP_MIB}`);
  return flags;
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

function hasPermissionModel(): boolean {
  return major >= 20;
}

/** The permission model left its experimental stage in 22.13 and 23.5. */
function permissionFlag(): string {
  return major >= 24 || (major === 23 && minor >= 5) || (major === 22 && minor >= 13)
    ? "--permission"
    : "--experimental-permission";
}

/** V8's default in KiB, and the most that is asked for: interpreted recursion takes several native frames a call. */
const DEFAULT_STACK = 984;
const LARGEST_STACK = 3_900;

/** Stack for V8 in KiB: well under what the system gives to a main thread, else deep recursion is a crash. */
function stackSize(): number {
  if (process.platform !== "linux") return DEFAULT_STACK;
  try {
    const soft = /^Max stack size\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    const available = soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft) / 1024;
    return available > 0 ? Math.min(LARGEST_STACK, Math.floor(available / 2)) : DEFAULT_STACK;
  } catch {
    return DEFAULT_STACK;
  }
}
