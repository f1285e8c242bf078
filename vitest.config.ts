import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { type Workers, workers } from './test/support/workers.ts';

/**
 * Test files that have a process each: they start systems, measure memory or processor time, set flags of V8 or count loaded modules.
 * All others share the processes of the workers (CONTRIBUTING.md "Tests").
 */
const ownProcess = [
  'test/**/*.e2e.test.ts',
  // Minutes each: only `npm run checks` runs them.
  ...(process.env.POTSTREAM_CHECKS === 'whole' ? ['test/**/*.check.ts'] : []),
  // Started by a check, in namespaces of its own.
  ...(process.env.POTSTREAM_TOPOLOGY === undefined ? [] : ['test/topology/*.inside.ts']),
  'test/outbox/outbox-million.nats.test.ts',
  'test/jackpot/checks/**',
  'test/jackpot/oracle/**',
  'test/actors/bounds/**',
  'test/fanout/engines/**',
  'test/runtime/parent-watch.test.ts',
  'test/runtime/role-log.test.ts',
  'test/runtime/uncaught.test.ts',
  'test/supervisor/lock.test.ts',
  'test/supervisor/process-tree.test.ts',
  'test/cli/up/websocket-engine.test.ts',
  'test/cli/doctor/**',
  'test/tools/reconcile/**',
  'test/house/promises.test.ts',
  'test/house/recipes.test.ts',
  'test/sdk/package.test.ts',
  'test/client/package.test.ts',
  'test/verifier/package.test.ts',
];

/** A project takes no flags from the command line by itself, so it is given `--maxWorkers=N`. */
const asked = process.argv.find((argument) => argument.startsWith('--maxWorkers='));
const { ownProcess: ownWorkers, sharedProcess: sharedWorkers } =
  asked === undefined ? workers() : alike(Number(asked.slice('--maxWorkers='.length)));

export default defineConfig({
  test: {
    setupFiles: ['test/support/same-cases.ts'],
    // Twenty times what the longest test of a quiet machine takes: others may want the same cores.
    testTimeout: 300_000,
    // A hook may start a whole system, which may have to be built, and that has three minutes by itself.
    hookTimeout: 240_000,
    // A second is less than the machine may be busy with others.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // A project takes no flags from the command line.
    execArgv: process.env.POTSTREAM_CHECKS_FLAGS?.split(' ') ?? [],
    projects: [
      {
        extends: true,
        test: { name: 'own process', include: ownProcess.map(testsOf), maxWorkers: ownWorkers },
      },
      {
        extends: true,
        test: {
          name: 'shared process',
          include: ['test/**/*.test.ts'],
          exclude: ownProcess,
          isolate: false,
          maxWorkers: sharedWorkers,
          // Projects with different numbers of workers must be groups, which run one after the other.
          sequence: { groupOrder: ownWorkers === sharedWorkers ? 0 : 1 },
        },
      },
    ],
  },
});

function alike(count: number): Workers {
  return { ownProcess: count, sharedProcess: count };
}

function testsOf(pattern: string): string {
  return pattern.endsWith('/**') ? `${pattern}/*.test.ts` : pattern;
}
