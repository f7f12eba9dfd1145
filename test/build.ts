import { execFileSync } from "node:child_process";

/** Builds once before the suites, so that a test never runs yesterday's bundle. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build.mjs", "--no-types"], { stdio: ["ignore", "ignore", "inherit"] });
}
