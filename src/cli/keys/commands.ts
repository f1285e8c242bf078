import type { Command } from 'commander';
import { terminal } from '../terminal/output.ts';

/** `potstream keys`: the key ring that seals the seeds of draws, as a directory of files. */
export function addKeysCommands(potstream: Command): void {
  const keys = potstream
    .command('keys')
    .description('the key ring of the actor hosts (POTSTREAM_DRAW_KEYS): make, rotate and list it');
  keys
    .command('create')
    .description('make a key ring where there is none; every actor host gets a copy')
    .argument('<directory>', 'directory of the key ring')
    .action(async (directory: string) => {
      const { createDrawKeys } = await import('./run.ts');
      process.exit(createDrawKeys(directory, terminal));
    });
  keys
    .command('rotate')
    .description(
      'add a key to the key ring; seeds are sealed under it once every actor host has a copy of the file',
    )
    .argument('<directory>', 'directory of the key ring')
    .action(async (directory: string) => {
      const { rotateDrawKeys } = await import('./run.ts');
      process.exit(rotateDrawKeys(directory, terminal));
    });
  keys
    .command('list')
    .description('list the ids of the keys, the oldest first; the newest is marked')
    .argument('<directory>', 'directory of the key ring')
    .action(async (directory: string) => {
      const { listKeys } = await import('./run.ts');
      process.exit(listKeys(directory, terminal));
    });
}
