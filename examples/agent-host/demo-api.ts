/** In the place of a real API: the shop that `demo:` starts on loopback. An application needs nothing of this kind. */
import * as Effect from "effect/Effect";
import { startDemoServer } from "../../src/cli/demo-server.js";

export const demoApi = Effect.acquireRelease(
  Effect.promise(() => startDemoServer()),
  (server) => Effect.promise(() => server.close()),
);
