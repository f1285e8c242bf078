// `npm run checks [-- FILTER …]`: the fourteen checks of the engine, its oracle, the bounds of what leaves a lane, the tampered epochs, the
// simulated owner and cluster, the odd connections, a reconciliation of a million, the money campaign, trimming under load, a long stream of contributions, the books of two million, killed rebuilds of books, an hour of two million rows, long lists of the console, streams behind balancers, the peers of the bench and the deployments in network namespaces in whole, where `npm test` runs a part. docs/proofs.md lists how much each sees, and each prints it. On two cores
// that nobody else needs it takes about an hour; POTSTREAM_CHECKS_FACTOR=3 runs three times the part instead.
import { join } from 'node:path';
import { findDatabases } from './databases.mjs';
import { findDeployTools } from './deploy-tools.mjs';
import { root, run, setUp } from './set-up.mjs';

await setUp();
const filters = process.argv.slice(2);
const what =
  filters.length > 0
    ? filters
    : [
        'test/jackpot/checks',
        'test/jackpot/oracle',
        'test/actors/bounds',
        'test/verifier/tampered',
        'test/verifier/pages',
        'test/sim/one-owner',
        'test/sim/hosts',
        'test/sim/cluster/cluster',
        'test/sim/upgrade',
        'test/e2e/hosts',
        'test/gateway/http/same-on-both-paths',
        'test/tools/reconcile/million',
        'test/e2e/money-campaign',
        'test/e2e/trimming',
        'test/e2e/stream-million',
        'test/e2e/books-million',
        'test/web/console-rows',
        'test/reporting/role/rebuild-kills',
        'test/reporting/parquet/large-hour',
        'test/e2e/long-streams',
        'test/topology',
        'test/outbox/kills',
        'test/outbox/outbox-million',
        'test/yardsticks',
      ];
const environment = {
  POTSTREAM_CHECKS: 'whole',
  POTSTREAM_MIXED_HISTORIES: '700',
  POTSTREAM_ORACLE_RUNS: '20000',
  POTSTREAM_ODD_REQUESTS: '55000',
  ...(filters.length === 0 || filters.some((filter) => /topology|long-streams/.test(filter))
    ? findDeployTools()
    : {}),
  // Only the peers of the bench need them.
  ...(filters.length === 0 || filters.some((filter) => filter.includes('yardsticks')) ? findDatabases() : {}),
  ...process.env,
};
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
// As a role runs: some of the checks tell how long the engine's steps take.
const { commandLineFlags } = await import('../dist/src/runtime/v8-flags.js');
environment.POTSTREAM_CHECKS_FLAGS = commandLineFlags.join(' ');
process.exit(run(process.execPath, [vitest, 'run', '--testTimeout=86400000', ...what], { env: environment }));
