import { type Command, InvalidArgumentError, Option } from 'commander';
import { isHostId } from '../../actors/placement/host-record.ts';
import { systemSettings } from '../system/settings.ts';
import { asCount, asReason } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream shards`, `drain`, `move`, `upgrade`: which host has which lane, and orders about it. */
export function addPlacementCommands(potstream: Command): void {
  potstream
    .command('shards')
    .description(
      "show each lane's owner, term, standby, sequence, lag and commands a second; exit code 1 if a lane has no owner",
    )
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const { shardsCommand } = await import('./run.ts');
      process.exit(await shardsCommand(systemSettings(), json === true, terminal));
    });
  potstream
    .command('drain')
    .description('move all lanes away from an actor host, for as long as it is drained')
    .argument('<host>', 'id of the host, as "potstream shards" shows it', asHost)
    .option('--undo', 'let it have lanes again')
    .option('--reason <text>', 'kept in the audit trail', asReason)
    .action(async (host: string, { undo, reason }: OrderFlags) => {
      const { drainCommand } = await import('./run.ts');
      const choices = { undo: undo === true, reason: reason ?? null };
      process.exit(await drainCommand(systemSettings(), host, choices, terminal));
    });
  potstream
    .command('move')
    .description('move a lane to an actor host, which then owns it whenever it is there')
    .argument('<lane>', 'from 0', asCount)
    .argument('[host]', 'id of the host, as "potstream shards" shows it', asHost)
    .option('--undo', 'place the lane as all others')
    .option('--reason <text>', 'kept in the audit trail', asReason)
    .action(
      async (lane: number, host: string | undefined, { undo, reason }: OrderFlags, command: Command) => {
        if ((host === undefined) !== (undo === true)) command.error('error: name a host, or give --undo');
        const { moveCommand } = await import('./run.ts');
        process.exit(await moveCommand(systemSettings(), lane, host ?? null, reason ?? null, terminal));
      },
    );
  potstream
    .command('upgrade')
    .description(
      'show the engine version of each lane and those that each host runs; exit code 1 while an upgrade waits',
    )
    .option('--json', 'print JSON')
    .addOption(new Option('--pause', 'keep all lanes at the version that they have').conflicts('resume'))
    .option('--resume', 'let lanes be upgraded again')
    .option('--reason <text>', 'kept in the audit trail', asReason)
    .action(async ({ json = false, pause, resume, reason }: UpgradeFlags) => {
      const { upgradeCommand } = await import('./upgrade.ts');
      const order = pause === true ? 'pause' : resume === true ? 'resume' : null;
      process.exit(await upgradeCommand(systemSettings(), { order, reason: reason ?? null, json }, terminal));
    });
}

interface OrderFlags {
  readonly undo?: boolean;
  readonly reason?: string;
}

interface UpgradeFlags {
  readonly json?: boolean;
  readonly pause?: boolean;
  readonly resume?: boolean;
  readonly reason?: string;
}

function asHost(text: string): string {
  if (!isHostId(text)) throw new InvalidArgumentError('1 to 64 letters, digits, _ or -');
  return text;
}
