/**
 * The sandbox process. It has an empty environment, no descriptors but its pipes, and no authority that a program could
 * borrow; what the program does cannot hang or crash the host, which ends this process with SIGKILL when it has to.
 *
 * Started by `src/codemode/host/sandbox-process.ts`.
 */
import { ask, die, flushDue, listen, send, sendSoon } from "./main-realm/channels.js";
import { dropAuthority } from "./main-realm/drop-authority.js";
import { Memory } from "./main-realm/memory.js";
import { makeRealm, type Realm } from "./main-realm/realms.js";
import { startWatchdog } from "./main-realm/watchdog.js";
import { resetWeb, web } from "./main-realm/web.js";
import type { Bridge } from "./realm/bridge.js";

/** Programs that a realm serves at most. Each leaves V8 a little less sure of what code of the interpreter is for. */
const MOST_PROGRAMS = 100;

/** `once` is the host's word that it means to run one program and no other. */
const memory = new Memory(process.argv[2] === "once");
/** Where in its source the program is inside a built-in that nothing can interrupt; -1 elsewhere. The watchdog reads it. */
const place = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
const timers = new Map<number, NodeJS.Timeout>();

/** The `tools` message, for every realm that is made from now on. */
let tools: string | undefined;
/** The realm that waits for a program or runs one. */
let realm: Realm | undefined;
/** The realm of the program that has just ended. */
let left: Realm | undefined;
/** How many programs the realm has served. */
let served = 0;
/** The realm is for one program only. */
let alone = false;
let idleScheduled = false;

const bridge: Bridge = {
  post: (message) => {
    if (message.startsWith('{"type":"call"')) {
      sendSoon(message);
      return;
    }
    send(message);
    if (message.startsWith('{"type":"settled"')) {
      left = realm;
      realm = undefined;
      setImmediate(prepare);
    }
  },
  request: ask,
  now: () => {
    const now = performance.now();
    flushDue(now);
    return now;
  },
  at: (offset) => {
    place[0] = offset;
  },
  setTimer: (id, ms) => {
    timers.set(
      id,
      setTimeout(() => {
        timers.delete(id);
        enter((entered) => entered.handle.timer(id));
      }, ms),
    );
  },
  clearTimer: (id) => {
    clearTimeout(timers.get(id));
    timers.delete(id);
  },
  memory: (exact) => memory.used(exact),
  loadTypeScript: () => {
    try {
      realm?.loadTypeScript();
      return true;
    } catch {
      return false;
    }
  },
  ...web,
};

/** Runs something in the realm; afterwards, when nothing is left in the microtask queue, the realm is told. */
function enter(run: (entered: Realm) => void): void {
  if (realm === undefined) return;
  try {
    run(realm);
  } catch {
    // The realm's functions do not throw. What they throw all the same is not looked at: it is the program's.
    die();
  }
  if (idleScheduled) return;
  idleScheduled = true;
  setImmediate(() => {
    idleScheduled = false;
    enterIdle();
  });
}

function enterIdle(): void {
  try {
    realm?.handle.idle();
  } catch {
    die();
  }
}

/** Makes ready for the next program, in time that nobody waits for. */
function prepare(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  resetWeb();
  const kept = alone || served >= MOST_PROGRAMS ? undefined : left;
  left = undefined;
  if (kept !== undefined && renewed(kept)) useRealm(kept);
  else useFreshRealm();
  send('{"type":"ready"}');
}

function renewed({ handle }: Realm): boolean {
  try {
    return handle.renew();
  } catch {
    die();
  }
}

function useFreshRealm(): void {
  served = 0;
  useRealm(makeRealm(bridge));
}

function useRealm(next: Realm): void {
  realm = next;
  if (tools !== undefined) realm.handle.deliver(tools);
  memory.start();
}

listen((message) => {
  if (message.startsWith('{"type":"tools"')) {
    tools = message;
    // Other tools are another matter: nothing that programs with the old ones did can be of importance here.
    if (served > 0) useFreshRealm();
    else realm?.handle.deliver(message);
  } else if (message.startsWith('{"type":"execute"')) {
    alone = message.startsWith('{"type":"execute","fresh":true');
    if (alone && served > 0) useFreshRealm();
    served++;
    enter((entered) => entered.handle.execute(message));
  } else {
    enter((entered) => entered.handle.deliver(message));
  }
});

process.on("unhandledRejection", (reason, promise) => enter((entered) => entered.handle.rejected(promise, reason)));
process.on("rejectionHandled", (promise) => enter((entered) => entered.handle.handled(promise)));
process.on("uncaughtException", die);

prepare();
startWatchdog(place);
dropAuthority();
