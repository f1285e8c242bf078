import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';

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
    sequence: { sequencer: LongestFirst },
    // A project takes no flags from the command line.
    execArgv: process.env.POTSTREAM_CHECKS_FLAGS?.split(' ') ?? [],
    projects: [
      {
        extends: true,
        // They wait for processes, leases and time-outs: two cores have room for four.
        test: {
          name: 'own process',
          include: ownProcess.map(testsOf),
          maxWorkers: workers(4),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: ownProcess,
          isolate: false,
          // They wait less.
          maxWorkers: workers(3),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

/** As `--maxWorkers=N` says: a project takes no flags from the command line by itself. */
function workers(usual: number): number {
  const asked = process.argv.find((argument) => argument.startsWith('--maxWorkers='));
  return asked === undefined ? usual : Number(asked.slice('--maxWorkers='.length));
}

function testsOf(pattern: string): string {
  return pattern.endsWith('/**') ? `${pattern}/*.test.ts` : pattern;
}
