import type { RealmHandle } from "../bridge.js";
import type { Realm } from "../realm.js";

/** Builds what runs programs in this realm. */
export function createExecution(_realm: Realm): RealmHandle {
  const idle = (): void => {};
  return { execute: idle, deliver: idle, timer: idle, idle };
}
