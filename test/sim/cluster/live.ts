import { setBrand } from '../../jackpot/support/commands.ts';
import { appendControl, createInstances } from '../money/money-lane.ts';
import { lane } from '../sim-system.ts';
import { Callers } from './callers.ts';
import { checkCluster } from './checks.ts';
import { type Bug, Cluster } from './cluster.ts';
import { beginFaults, heal } from './faults.ts';
import { type Plan, trafficMs } from './plan.ts';

const settleMs = 60_000;
const restMs = 120_000;
/** For so long a request that is late may be on its way. */
const lateMs = 25_000;

/** What a history has seen, to know that a campaign is not empty. */
export interface Seen {
  readonly messages: number;
  readonly claims: number;
  readonly wins: number;
  readonly repeats: number;
  readonly refusals: number;
  readonly debits: number;
  readonly credits: number;
  readonly snapshots: number;
  readonly simulatedSeconds: number;
  /** The last lane head, of everything that was stored. */
  readonly head: string;
}

/** Lives a plan: traffic in trouble, healing, rest, and what must hold then. @throws Error if something does not */
export async function livePlan(plan: Plan, bug: Bug = {}): Promise<Seen> {
  const cluster = new Cluster(plan, bug);
  const { hosts, supervisor } = cluster;
  const { world, server } = hosts;
  const beganMs = world.nowMs;
  const brands = [setBrand({ brand: 'op:main', wallet: true }), setBrand({ brand: 'op:house' })];
  appendControl(hosts, brands);
  cluster.start();
  await createInstances(hosts, ['gold', 'silver']);
  await world.until(() => cluster.isWhole, settleMs, 'a warm standby');

  const callers = new Callers(cluster);
  callers.begin(plan.calls);
  beginFaults(cluster);
  await world.passes(trafficMs);
  heal(cluster);
  await world.until(() => callers.areAnswered, restMs, 'an answer for every call');
  if ((plan.rates.lateRequest ?? 0) > 0) await world.passes(lateMs);
  await world.until(() => cluster.isAtRest, restMs, 'an end of all work');
  await world.until(() => cluster.isWhole, restMs, 'an owner and a warm standby');
  await world.until(() => cluster.isAtRest, restMs, 'an end of all work');
  supervisor.stop();
  const ledger = checkCluster(cluster, callers);
  const { commands } = server.lane(lane);
  return {
    messages: commands.length,
    claims: commands.filter(({ channel }) => channel === 'own').length,
    wins: ledger.wins,
    repeats: callers.intents.reduce((sum, { repeats }) => sum + repeats.length, 0),
    refusals: callers.intents
      .flatMap(({ answers }) => answers)
      .filter(({ outcome }) => outcome.kind === 'Refused').length,
    debits: ledger.debits.length,
    credits: ledger.credits.size,
    snapshots: cluster.observed.snapshots.length,
    simulatedSeconds: Math.round((world.nowMs - beganMs) / 1_000),
    head: Buffer.from(ledger.replica.laneHead).toString('hex'),
  };
}
