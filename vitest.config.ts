import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/live/**"],
    // The suites start real processes and servers; two cores are common in CI.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Tests speak to the built command line and library, as users do.
    globalSetup: "test/build.ts",
  },
});
