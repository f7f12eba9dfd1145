/**
 * Takes away from the process what it does not need once it runs: a program that got out of its realm would find neither
 * modules nor a network here. Code from strings is off in this realm too, so there is nothing to make them from.
 */

/** Ways from the process to modules, native code and other processes. */
const OF_PROCESS = [
  "_debugEnd",
  "_debugProcess",
  "_kill",
  "_linkedBinding",
  "binding",
  "chdir",
  "dlopen",
  "getBuiltinModule",
  "initgroups",
  "kill",
  "loadEnvFile",
  "mainModule",
  "report",
  "setegid",
  "seteuid",
  "setgid",
  "setgroups",
  "setuid",
  "umask",
];

const OF_GLOBAL = ["EventSource", "WebAssembly", "WebSocket", "fetch", "navigator", "process", "require", "module"];

export function dropAuthority(): void {
  for (const name of OF_PROCESS) remove(process, name);
  for (const name of OF_GLOBAL) remove(globalThis, name);
}

function remove(object: object, name: string): void {
  if (Reflect.deleteProperty(object, name)) return;
  Reflect.defineProperty(object, name, { value: undefined });
}
