import { join } from 'node:path';
import { outcomeStream } from '../../../src/log/base/names.ts';
import { cutNewest } from '../../support/damage.ts';
import type { Scenario, World } from '../campaign/scenario.ts';
import { startAll, stopAll } from './stored.ts';

/** So much of a large OUT is lost at most: what a disk may owe after some minutes. */
const maxLostBytes = 4 * 1024 * 1024;

/** The machine loses power amid traffic, and OUT has not kept what nats-server took for stored; CMD has (docs/decisions/0374). */
export const powerCuts: readonly Scenario[] = [
  {
    name: 'power-cut-outcomes',
    description:
      'kill -9 of every process at once; the stream of outcome records has lost its newest records',
    topology: { servers: 1, hosts: 2 },
    async round(world) {
      await stopAll(world, 'SIGKILL');
      world.note(await cutOutcomes(world));
      startAll(world);
    },
  },
];

/** OUT ends anywhere, also within a record. */
async function cutOutcomes({ system, random }: World): Promise<string> {
  const { storeDirectory } = system.server('nats-1');
  const files = join(storeDirectory, 'jetstream/$G/streams', outcomeStream(0));
  const lost = 1 + random.below(maxLostBytes);
  const bytes = await cutNewest(files, (size) => Math.max(0, size - lost));
  return `OUT lost ${bytes < 4096 ? 'less than 4 KiB' : bytes < 65_536 ? 'less than 64 KiB' : 'more than 64 KiB'}`;
}
