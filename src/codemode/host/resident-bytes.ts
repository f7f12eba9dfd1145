import { readFileSync } from "node:fs";

/** The page size of every Linux system that Node has binaries for but a few, where the answer is then too small. */
const PAGE = 4_096;

/** Bytes of memory that a process occupies (`/proc/<pid>/statm`, second field); `undefined` where there is no such file. */
export function residentBytes(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== "linux") return undefined;
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "latin1").split(" ")[1]) * PAGE;
  } catch {
    return undefined;
  }
}
