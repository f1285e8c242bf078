import type { Scenario, World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';
import { leaderOf } from './leaders.ts';

const topology = { servers: 3, hosts: 2 } as const;

/** Three nats-servers, R3. */
export const clusterFaults: readonly Scenario[] = [
  {
    name: 'kill-nats-leader',
    description: 'kill -9 of the nats-server that leads the lane, of three',
    topology,
    async round(world) {
      await world.system.unit(await leaderOf(world)).kill();
    },
  },
  {
    name: 'kill-nats-all',
    description: 'kill -9 of all three nats-servers at once',
    topology,
    async round({ system }) {
      await Promise.all(system.nats.servers.map(({ unit }) => unit.kill()));
    },
  },
  {
    name: 'rolling-nats',
    description: 'SIGTERM of one nats-server of three after the other, each once the last one has caught up',
    topology,
    round: (world) => rollingRestart(world, 'SIGTERM'),
  },
  {
    name: 'rolling-nats-lame-duck',
    description: 'as rolling-nats, in lame duck mode as the shipped units stop it; 2 minutes each round',
    topology,
    round: (world) => rollingRestart(world, 'SIGUSR2'),
  },
];

async function rollingRestart({ system }: World, signal: NodeJS.Signals): Promise<void> {
  for (const { unit } of system.nats.servers) {
    await unit.kill(signal);
    await until(`${unit.name} is healthy again`, async () => (await unit.fault()) ?? true);
  }
}
