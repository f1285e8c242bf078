import type { Scenario, World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';
import { ownerOf, standbyOf } from './hosts.ts';

/** kill -9 of each kind of process. systemd starts another one after a second. */
export const kills: readonly Scenario[] = [
  killOf('gateway', 'one of two gateways', 2, async ({ random }) => `gateway-${1 + random.below(2)}`),
  {
    name: 'kill-owner',
    description: 'kill -9 of the actor host that owns the lane, beside a warm standby',
    topology: { servers: 1, hosts: 2 },
    async round(world) {
      const owner = await ownerOf(world);
      const { term } = await world.watch.shard();
      await world.system.unit(owner).kill();
      // The lane may have moved a moment before.
      await until('another owner', async () => {
        const now = await world.watch.shard();
        return (now.term ?? 0) > (term ?? 0) || (now.owner !== null && now.owner !== owner);
      });
    },
  },
  killOf('actors', 'the only actor host', 1, async () => 'actors-1'),
  killOf('standby', 'the actor host that follows the lane', 2, standbyOf),
  killOf('fanout', 'the fan-out', 2, async () => 'fanout'),
  killOf('outbox', 'the outbox', 2, async () => 'outbox'),
  killOf('wallet', 'the wallet role', 2, async () => 'wallet'),
  killOf('nats', 'the only nats-server', 2, async () => 'nats-1'),
  {
    name: 'kill-all',
    description: 'kill -9 of every process at once, as when the machine loses power',
    topology: { servers: 1, hosts: 2 },
    async round({ system }) {
      await Promise.all(system.units.map((unit) => unit.kill()));
    },
  },
  {
    name: 'kill-up',
    description: 'kill -9 of potstream up, which runs and watches everything else on one machine',
    topology: { servers: 1, hosts: 2, up: true },
    async round({ system }) {
      await system.unit('up').kill();
    },
  },
];

function killOf(
  name: string,
  what: string,
  hosts: 1 | 2,
  victim: (world: World) => Promise<string>,
): Scenario {
  return {
    name: `kill-${name}`,
    description: `kill -9 of ${what}`,
    topology: { servers: 1, hosts },
    async round(world) {
      await world.system.unit(await victim(world)).kill();
    },
  };
}
