import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario, World } from '../campaign/scenario.ts';
import type { Topology } from '../system/assemble.ts';
import { ownerOf, standbyOf } from './hosts.ts';
import { leaderOf } from './leaders.ts';

/** SIGSTOP of each kind of process, and SIGCONT after `--seconds`: it goes on as if no time had passed. */
export const stops: readonly Scenario[] = [
  stopOf('gateway', 'one of two gateways', async ({ random }) => `gateway-${1 + random.below(2)}`),
  stopOf('owner', 'the actor host that owns the lane', ownerOf),
  stopOf('standby', 'the actor host that follows the lane', standbyOf),
  stopOf('wallet', 'the wallet role', async () => 'wallet'),
  stopOf('outbox', 'the outbox', async () => 'outbox'),
  stopOf('fanout', 'the fan-out', async () => 'fanout'),
  stopOf('nats', 'the only nats-server', async () => 'nats-1'),
  stopOf('nats-leader', 'the nats-server that leads the lane, of three', leaderOf, { servers: 3, hosts: 2 }),
];

function stopOf(
  name: string,
  what: string,
  victim: (world: World) => Promise<string>,
  topology: Topology = { servers: 1, hosts: 2 },
): Scenario {
  return {
    name: `stop-${name}`,
    description: `SIGSTOP of ${what} for --seconds, then SIGCONT`,
    topology,
    async round(world) {
      const unit = world.system.unit(await victim(world));
      await unit.freeze();
      await pause(world.seconds * 1_000);
      unit.thaw();
    },
  };
}
