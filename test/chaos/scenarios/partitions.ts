import { setTimeout as pause } from 'node:timers/promises';
import type { Scenario, World } from '../campaign/scenario.ts';
import { hostsOf, ownerOf, standbyOf } from './hosts.ts';
import { leaderOf, othersThan } from './leaders.ts';

const topology = { servers: 3, hosts: 2, separated: true } as const;

/** Two groups of processes between which nothing passes. */
type Cut = readonly [readonly string[], readonly string[]];

/** Cables that are cut for `--seconds`: packets are lost, and nobody is told. */
export const partitions: readonly Scenario[] = [
  partitionOf('owner', 'the owner of the lane reaches no nats-server', async (world) => [
    [[await ownerOf(world)], othersThan(world, '')],
  ]),
  partitionOf('standby', 'the standby of the lane reaches no nats-server', async (world) => [
    [[await standbyOf(world)], othersThan(world, '')],
  ]),
  partitionOf('gateway', 'one of two gateways reaches no nats-server', async (world) => [
    [[`gateway-${1 + world.random.below(2)}`], othersThan(world, '')],
  ]),
  partitionOf(
    'nats-minority',
    'the leader of the lane is cut off from the two other nats-servers',
    async (world) => {
      const leader = await leaderOf(world);
      return [[[leader], othersThan(world, leader)]];
    },
  ),
  partitionOf('nats-majority', 'no nats-server reaches another one: there is no majority', async (world) => {
    const [first, second, third] = othersThan(world, '') as [string, string, string];
    return [
      [[first], [second, third]],
      [[second], [third]],
    ];
  }),
  partitionOf(
    'split',
    'leader, owner and a gateway on one side, everything else on the other',
    async (world) => {
      const leader = await leaderOf(world);
      const { owner, standby } = await hostsOf(world);
      return [
        [
          [leader, owner, 'gateway-1'],
          [...othersThan(world, leader), standby, 'gateway-2'],
        ],
      ];
    },
  ),
];

function partitionOf(
  name: string,
  description: string,
  cutsOf: (world: World) => Promise<readonly Cut[]>,
): Scenario {
  return {
    name: `partition-${name}`,
    description: `${description}, for --seconds`,
    topology,
    needs: ['namespaces'],
    async round(world) {
      const cuts = await cutsOf(world);
      for (const [these, those] of cuts) world.system.network?.cut(these, those);
      await pause(world.seconds * 1_000);
      for (const [these, those] of cuts) world.system.network?.heal(these, those);
    },
  };
}
