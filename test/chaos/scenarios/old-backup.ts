import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario, World } from '../campaign/scenario.ts';
import { until } from '../campaign/wait.ts';
import { sharedWitness } from '../system/assemble.ts';
import { filesBelow } from './damage.ts';
import { judge, quiesce, StoredState, startAll, stopAll } from './stored.ts';

const answersBetween = 300;
const topology = { servers: 1, hosts: 2 } as const;

/** An older copy of nats-server's files comes back under hosts that have seen more. */
export const oldBackups: readonly Scenario[] = [
  {
    name: 'old-backup',
    description: "an old copy of nats-server's files, under hosts whose witness and snapshots are newer",
    topology,
    round: (world) => restoreOld(world, () => {}),
  },
  {
    name: 'old-backup-no-witness',
    description: 'as old-backup, but the witness is lost: only newer snapshots know better',
    topology,
    round: (world) =>
      restoreOld(world, (name) => {
        lose(join(world.system.hostDirectoryOf(name), 'witness'));
        lose(sharedWitness(world.system.dataDirectory));
      }),
  },
  {
    name: 'old-backup-new-hosts',
    description:
      'as old-backup, under hosts on new disks: only the shared second place of the witness knows better',
    topology,
    round: (world) => restoreOld(world, (name) => lose(world.system.hostDirectoryOf(name))),
  },
];

function lose(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

async function restoreOld(world: World, forHost: (name: string) => void): Promise<void> {
  const { system, traffic } = world;
  await quiesce(world);
  const old = new StoredState(world, 'old');
  old.take();
  startAll(world);
  await world.steady();
  traffic.resume();
  const enough = traffic.answered('free') + answersBetween;
  await until('more contributions', async () => traffic.answered('free') >= enough);
  // Hosts that drain have snapshots of the end, which a killed one need not have.
  const accounts = await quiesce(world, 'SIGTERM');
  const newest = new StoredState(world, 'newest');
  newest.take();
  old.putBack('store-');
  for (const name of ['actors-1', 'actors-2']) forHost(name);
  const knows = ['actors-1', 'actors-2'].flatMap((name) =>
    ['witness', 'snapshots'].filter(
      (kind) => filesBelow(join(system.hostDirectoryOf(name), kind)).length > 0,
    ),
  );
  if (filesBelow(sharedWitness(system.dataDirectory)).length > 0) knows.push('the second place');
  const { served, text } = await judge(world, accounts);
  world.note(`with ${[...new Set(knows)].join(' and ') || 'nothing'}: ${text}`);
  if (served) world.violated('the lane serves an old copy of its log');
  await stopAll(world);
  newest.putBack();
  startAll(world);
  await world.steady();
  traffic.resume();
}
