import { defineConfig } from 'vitest/config';

/**
 * Test files that have a process each: they start processes, measure memory, set flags of V8 or count loaded modules. All others
 * share the processes of the workers (docs/decisions/0266).
 */
const ownProcess = [
  'test/**/*.e2e.test.ts',
  'test/**/*.nats.test.ts',
  'test/jackpot/checks/**',
  'test/jackpot/oracle/**',
  'test/actors/bounds/**',
  'test/fanout/engines/**',
  'test/runtime/**',
  'test/sim/**',
  'test/supervisor/**',
  'test/verifier/tampered.test.ts',
  'test/cli/**',
  'test/demo/**',
  'test/house/**',
  'test/sdk/**',
  'test/web/**',
];

/** They share a running system in each worker (docs/decisions/0326). */
const oneSystem = [
  'test/e2e/administration.e2e.test.ts',
  'test/e2e/surfaces.e2e.test.ts',
  'test/gateway/operations.e2e.test.ts',
  'test/gateway/operator.e2e.test.ts',
  'test/outbox/outbox.e2e.test.ts',
  'test/sdk/examples.e2e.test.ts',
  'test/sdk/integrate.e2e.test.ts',
  'test/sdk/lost-answers.e2e.test.ts',
  'test/web/other-origin.browser.e2e.test.ts',
];

export default defineConfig({
  test: {
    setupFiles: ['test/support/same-cases.ts'],
    // Twenty times what the longest test of a quiet machine takes: others may want the same cores.
    testTimeout: 300_000,
    // A hook may start a whole system, which may have to be built, and that has three minutes by itself.
    hookTimeout: 240_000,
    pool: 'forks',
    // Many tests wait for processes that they have started: two cores have room for a third worker.
    maxWorkers: 3,
    // A project takes no flags from the command line.
    execArgv: process.env.POTSTREAM_CHECKS_FLAGS?.split(' ') ?? [],
    projects: [
      { extends: true, test: { name: 'own process', include: ownProcess.map(testsOf), exclude: oneSystem } },
      { extends: true, test: { name: 'one system', include: oneSystem, isolate: false } },
      {
        extends: true,
        test: { name: 'shared process', include: ['test/**/*.test.ts'], exclude: ownProcess, isolate: false },
      },
    ],
  },
});

function testsOf(pattern: string): string {
  return pattern.endsWith('/**') ? `${pattern}/*.test.ts` : pattern;
}
