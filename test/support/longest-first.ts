import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take seven seconds or more, the longest first. They begin the run of their project: one that begins last keeps a
 * single core busy while the others have ended. Order is all that depends on this list.
 */
export const longestFiles: readonly string[] = [
  'test/e2e/on-one-system.e2e.test.ts',
  'test/e2e/on-second-system.e2e.test.ts',
  'test/e2e/fuzz.e2e.test.ts',
  'test/e2e/hung.e2e.test.ts',
  'test/web/on-one-system.browser.e2e.test.ts',
  'test/web/console.browser.e2e.test.ts',
  'test/log/jetstream/server-probe.nats.test.ts',
  'test/fanout/engines/feeds-on-ws.test.ts',
  'test/e2e/money-campaign.e2e.test.ts',
  'test/cli/up.e2e.test.ts',
  'test/e2e/newcomer.e2e.test.ts',
  'test/e2e/balancers.e2e.test.ts',
  'test/e2e/hosts.e2e.test.ts',
  'test/e2e/gateways.e2e.test.ts',
  'test/supervisor/process-tree.test.ts',
  'test/e2e/deploy.e2e.test.ts',
  'test/e2e/heaviest-wins.e2e.test.ts',
  'test/e2e/lanes.e2e.test.ts',
  'test/outbox/outbox-million.nats.test.ts',
  'test/e2e/full-lane.e2e.test.ts',
  'test/tools/reference-wallet/killed.e2e.test.ts',
  'test/sdk/package.test.ts',
  'test/jackpot/checks/a-million-players.test.ts',
  'test/tools/settlements/settlements.e2e.test.ts',
  'test/tools/send/send.e2e.test.ts',
  'test/jackpot/checks/09-hits-follow-the-odds.test.ts',
  'test/actors/bounds/record-bounds.test.ts',
  'test/fanout/engines/ws.test.ts',
  'test/tools/reconcile/reconcile.nats.test.ts',
  'test/jackpot/oracle/mixed.test.ts',
  'test/house/promises.test.ts',
  'test/runtime/parent-watch.test.ts',
  'test/e2e/roles.e2e.test.ts',
  'test/fanout/engines/uwebsockets.test.ts',
  'test/tools/wallet-verify/integrate-wallet.e2e.test.ts',
  'test/tools/deliveries/deliveries.e2e.test.ts',
  'test/tools/wallet-verify/mutants.test.ts',
  'test/sim/cluster/cluster.test.ts',
  'test/actors/lane/full-lane.nats.test.ts',
  'test/gateway/http/answers-in-order.test.ts',
  'test/actors/lane/emit/large-records.nats.test.ts',
  'test/fanout/feeds/player-feed.test.ts',
  'test/outbox/backlogs.nats.test.ts',
  'test/gateway/http/refusal-delays.test.ts',
  'test/gateway/api/operations/access/logins.test.ts',
  'test/wallet/execution/debits.nats.test.ts',
  'test/wallet/execution/credits.nats.test.ts',
  'test/tools/wallet-verify/run.test.ts',
  'test/actors/witness/witness.nats.test.ts',
  'test/wallet/execution/linked.nats.test.ts',
  'test/sim/full-streams.test.ts',
  'test/tools/simulate/simulate.test.ts',
  'test/log/jetstream/jetstream-cluster.nats.test.ts',
  'test/gateway/stream/stopped-readers.test.ts',
  'test/gateway/stream/draining.test.ts',
  'test/sdk/credentials.test.ts',
  'test/sim/money/money.test.ts',
  'test/gateway/http/mixed-connections.test.ts',
  'test/gateway/http/same-on-both-paths.test.ts',
  'test/gateway/http/behind-a-proxy.test.ts',
  'test/actors/recovery/lost-outcomes.nats.test.ts',
  'test/actors/role.nats.test.ts',
  'test/sim/cluster/planted.test.ts',
  'test/sim/money/planted.test.ts',
  'test/log/jetstream/jetstream-faults.nats.test.ts',
  'test/fanout/feeds/status-feed.test.ts',
  'test/actors/lane/lane-host.nats.test.ts',
  'test/actors/epochs/many-epochs.nats.test.ts',
  'test/actors/archive/archive.nats.test.ts',
  'test/actors/witness/lost-end.nats.test.ts',
  'test/sim/one-owner.test.ts',
  'test/outbox/callbacks.nats.test.ts',
  'test/reference/statuses.test.ts',
  'test/actors/epochs/epochs.nats.test.ts',
  'test/verifier/tampered.test.ts',
  'test/gateway/api/tenancy/matrix.test.ts',
  'test/gateway/api/operations/admin/approvals/approvals.test.ts',
  'test/tools/wallet-verify/reference-wallet.test.ts',
  'test/log/jetstream/trim-cluster.nats.test.ts',
  'test/gateway/http/feed-tunnels.test.ts',
  'test/fanout/server/closes.test.ts',
  'test/outbox/flushes.nats.test.ts',
  'test/wallet/client/brand-client.test.ts',
  'test/fanout/silent-owner.test.ts',
  'test/gateway/api/operations/admin/settlements/settlements.test.ts',
  'test/wallet/execution/times.test.ts',
  'test/log/roles/roles-cluster.nats.test.ts',
];

/** Runs the longest files of each project first, and the others in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const places = new Map(longestFiles.map((file, index) => [file, index]));
    const placeOf = ({ moduleId }: TestSpecification) =>
      places.get(relative(this.ctx.config.root, moduleId)) ?? longestFiles.length;
    // Vitest's own order keeps projects together: files that share a process must follow each other.
    const byProject = projectsOf(await super.sort(files));
    return [...byProject.values()].flatMap((some) =>
      some.sort((one, other) => placeOf(one) - placeOf(other)),
    );
  }
}

function projectsOf(files: readonly TestSpecification[]): Map<string, TestSpecification[]> {
  const projects = new Map<string, TestSpecification[]>();
  for (const file of files)
    projects.set(file.project.name, [...(projects.get(file.project.name) ?? []), file]);
  return projects;
}
