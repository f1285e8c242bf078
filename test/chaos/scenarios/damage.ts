import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandStream, outcomeStream } from '../../../src/log/base/names.ts';
import type { Random } from '../../jackpot/mixed/random.ts';
import type { Scenario, World } from '../campaign/scenario.ts';
import { judge, quiesce, StoredState, startAll, stopAll } from './stored.ts';

const topology = { servers: 1, hosts: 2 } as const;

/** Files of a stopped system are damaged; it halts with a name or recovers, and then gets the right ones back. */
export const damages: readonly Scenario[] = [
  damageOf('commands', "the lane's commands", (world) => messageBlocks(world, commandStream(0))),
  damageOf('outcomes', "the lane's outcome records", (world) => messageBlocks(world, outcomeStream(0))),
  damageOf('snapshots', "the hosts' snapshots", snapshotFiles),
  damageOf('tables', 'the tables', tableBlocks),
  damageOf('descriptions', "the streams' descriptions", descriptions),
];

function damageOf(name: string, what: string, filesOf: (world: World) => readonly string[]): Scenario {
  return {
    name: `damage-${name}`,
    description: `a bit flipped in the files of ${what}, or one of them cut or gone, while the system is stopped`,
    topology,
    async round(world) {
      const accounts = await quiesce(world);
      const right = new StoredState(world, 'right');
      right.take();
      const files = filesOf(world);
      if (files.length === 0) {
        world.note('no such file yet');
      } else {
        const damaged = damage(files, world.random);
        const { text } = await judge(world, accounts);
        world.note(`${damaged}: ${text}`);
        await stopAll(world);
        right.putBack();
      }
      startAll(world);
      await world.steady();
      world.traffic.resume();
    },
  };
}

function damage(files: readonly string[], random: Random): string {
  const file = random.pick(...files);
  const content = readFileSync(file);
  switch (random.weighted([[3, 'flip'] as const, [2, 'cut'] as const, [1, 'remove'] as const])) {
    case 'flip':
      content[random.below(content.length)]! ^= 1 << random.below(8);
      writeFileSync(file, content);
      return 'a bit flipped';
    case 'cut':
      truncateSync(file, random.below(content.length));
      return 'cut';
    case 'remove':
      rmSync(file);
      return 'removed';
  }
}

function messageBlocks(world: World, stream: string): string[] {
  return filesBelow(join(streamsOf(world), stream, 'msgs')).filter((file) => file.endsWith('.blk'));
}

function tableBlocks(world: World): string[] {
  return readdirSync(streamsOf(world))
    .filter((stream) => stream.startsWith('KV_'))
    .flatMap((stream) => messageBlocks(world, stream));
}

function descriptions(world: World): string[] {
  return filesBelow(streamsOf(world)).filter((file) => /\/meta\.(inf|sum)$/.test(file));
}

function streamsOf({ system }: World): string {
  return join(system.server('nats-1').storeDirectory, 'jetstream/$G/streams');
}

function snapshotFiles({ system }: World): string[] {
  return ['actors-1', 'actors-2'].flatMap((name) =>
    filesBelow(join(system.hostDirectoryOf(name), 'snapshots')),
  );
}

/** Those that are not empty. */
export function filesBelow(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).length > 0)
    .toSorted();
}
