import { defineConfig } from "vitest/config";

/** Real servers from Debian packages on loopback: `npm run test:live`. */
export default defineConfig({
  test: {
    include: ["test/live/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    globalSetup: "test/build.ts",
  },
});
