import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/same-cases.ts'],
    // Twenty times what the longest test of a quiet machine takes: others may want the same cores.
    testTimeout: 300_000,
    // A hook may start a whole system, which may have to be built, and that has three minutes by itself.
    hookTimeout: 240_000,
    pool: 'forks',
    // Many tests wait for processes that they have started: two cores have room for a third worker.
    maxWorkers: 3,
  },
});
