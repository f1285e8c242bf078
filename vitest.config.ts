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
      { extends: true, test: { name: 'own process', include: ownProcess.map(testsOf) } },
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
