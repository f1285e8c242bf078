import { type Command, InvalidArgumentError } from 'commander';
import { isHostId } from '../../actors/placement/host-record.ts';
import { readSettings } from '../../config.ts';
import type { LaneOutput } from '../lane/command.ts';

/** What these commands need of the program. */
export interface PlacementOutput extends LaneOutput {
  readonly asCount: (text: string) => number;
}

/** `potstream shards`, `drain` and `move`: which host has which lane, and orders to change that. */
export function addPlacementCommands(potstream: Command, output: PlacementOutput): void {
  potstream
    .command('shards')
    .description(
      "show each lane's owner, term, standby, sequence and lag; exit code 1 if a lane has no owner",
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { shardsCommand } = await import('./run.ts');
      process.exit(await shardsCommand(readSettings(), json === true, output));
    });
  potstream
    .command('drain')
    .description('move all lanes away from an actor host, for as long as it is drained')
    .argument('<host>', 'id of the host, as "potstream shards" shows it', asHost)
    .option('--undo', 'let it have lanes again')
    .action(async (host: string, { undo }: { undo?: boolean }) => {
      const { drainCommand } = await import('./run.ts');
      process.exit(await drainCommand(readSettings(), host, undo === true, output));
    });
  potstream
    .command('move')
    .description('move a lane to an actor host, which then owns it whenever it is there')
    .argument('<lane>', 'from 0', output.asCount)
    .argument('[host]', 'id of the host, as "potstream shards" shows it', asHost)
    .option('--undo', 'place the lane as all others')
    .action(
      async (lane: number, host: string | undefined, { undo }: { undo?: boolean }, command: Command) => {
        if ((host === undefined) !== (undo === true)) command.error('error: name a host, or give --undo');
        const { moveCommand } = await import('./run.ts');
        process.exit(await moveCommand(readSettings(), lane, host ?? null, output));
      },
    );
}

function asHost(text: string): string {
  if (!isHostId(text)) throw new InvalidArgumentError('1 to 64 letters, digits, _ or -');
  return text;
}
