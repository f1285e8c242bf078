import { noFaults } from '../../support/sim-server.ts';
import { appendControl } from '../money/money-lane.ts';
import { lane } from '../sim-system.ts';
import type { Cluster } from './cluster.ts';
import type { Fault } from './plan.ts';

const noUndo = (): void => {};

/** Does the faults of a plan at their times. */
export function beginFaults(cluster: Cluster): void {
  const { plan, hosts, money } = cluster;
  hosts.setFaults({ ...noFaults, ...plan.rates });
  money.network.faultRate = plan.wallet.rate;
  money.network.faults = plan.wallet.faults;
  for (const fault of plan.faults) {
    hosts.world.schedule(fault.atMs, () => {
      const undo = begin(cluster, fault);
      hosts.world.schedule(fault.lastsMs, undo);
    });
  }
}

/** Every process runs and reaches every other one; nothing is lost any more. */
export function heal(cluster: Cluster): void {
  const { hosts, money, supervisor, gateways, plan } = cluster;
  hosts.setFaults(noFaults);
  hosts.server.up = true;
  money.network.faultRate = 0;
  for (const part of ['commands', 'outcomes', 'tables', 'archives'] as const)
    hosts.server.setLeader(part, true);
  for (let index = 0; index < plan.hosts; index += 1) {
    hosts.order(`drain.host-${index}`, null);
    hosts.node(index)?.reconnect();
  }
  for (let index = 0; index < plan.gateways; index += 1) gateways.node(index)?.reconnect();
  for (const node of money.nodes) node.reconnect();
  supervisor.heal();
}

/** Begins a fault; the result ends it. */
function begin(cluster: Cluster, fault: Fault): () => void {
  const { hosts, supervisor } = cluster;
  const { server } = hosts;
  switch (fault.kind) {
    case 'leader_gap':
      server.setLeader(fault.part, false);
      return () => server.setLeader(fault.part, true);
    case 'outage':
      server.up = false;
      return () => {
        server.up = true;
      };
    case 'power_cut':
      return cutPower(cluster, fault.part);
    case 'repeat':
      repeatSettlement(cluster);
      return noUndo;
    case 'upgrade':
      appendControl(hosts, [{ kind: 'UpgradeTo', version: 1 }]);
      return noUndo;
    case 'kill':
      if (fault.role !== 'supervisor') return killProcess(cluster, fault.role, fault.which);
      supervisor.setPresent(false);
      return () => supervisor.setPresent(true);
    case 'pause':
    case 'cut':
      return disturbProcess(cluster, fault);
    default:
      return disturbHost(cluster, fault);
  }
}

/** OUT is a function of CMD: what it has lost comes again, whatever its followers have seen of it. */
function cutPower(cluster: Cluster, part: number): () => void {
  const { server } = cluster.hosts;
  server.up = false;
  cluster.killAll();
  server.cutOutcomes(lane, Math.floor(part * server.lane(lane).outcomes.length));
  return () => {
    server.up = true;
  };
}

function killProcess(cluster: Cluster, role: 'host' | 'gateway' | 'wallet', which: number): () => void {
  cluster.kill(role, role === 'host' ? cluster.hostAt(which) : which);
  return noUndo;
}

function disturbProcess(
  cluster: Cluster,
  fault: Extract<Fault, { readonly kind: 'pause' | 'cut' | 'kill' }>,
): () => void {
  const index = fault.role === 'host' ? cluster.hostAt(fault.which) : fault.which;
  const node = cluster.nodeOf(fault.role, index);
  if (node === null) return noUndo;
  if (fault.kind === 'pause') {
    node.pause();
    return () => node.resume();
  }
  node.cut(fault.way ?? 'both');
  return () => node.reconnect();
}

function disturbHost(
  cluster: Cluster,
  fault: Extract<Fault, { readonly kind: 'stop' | 'drain' | 'move' | 'lose' | 'tear' }>,
): () => void {
  const { hosts } = cluster;
  const index = cluster.hostAt(fault.which);
  switch (fault.kind) {
    case 'stop':
      void cluster.stopHost(index);
      return noUndo;
    case 'drain':
      hosts.order(`drain.host-${index}`, 'drained');
      return () => hosts.order(`drain.host-${index}`, null);
    case 'move':
      hosts.order(`move.${lane}`, `host-${index}`);
      return () => hosts.order(`move.${lane}`, null);
    case 'lose':
      cluster.lose(index);
      return noUndo;
    case 'tear':
      hosts.disk(index).tear(fault.part);
      return killProcess(cluster, 'host', fault.which);
  }
}

/** nats-server has forgotten the id of an earlier report, and stores it once more. */
function repeatSettlement({ hosts: { server, world } }: Cluster): void {
  const reports = server.lane(lane).commands.filter(({ channel }) => channel === 'settlement');
  const report = reports[world.between(0, reports.length - 1)];
  if (report !== undefined) server.appendCommand(lane, 'settlement', report.bytes, `again-${world.nowMs}`);
}
