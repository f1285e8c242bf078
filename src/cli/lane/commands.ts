import type { Command } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { asCount, asReason } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream lane`: conditions of lanes, their messages, and quarantines. */
export function addLaneCommands(potstream: Command): void {
  const lane = potstream.command('lane').description('look at lanes, and repair a halted one');
  lane
    .command('list')
    .description('show the condition of each lane, why, and what to do; exit code 1 if a lane does not serve')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { laneListCommand } = await import('./command.ts');
      process.exitCode = await laneListCommand(systemSettings(), options.json === true, terminal);
    });
  lane
    .command('inspect')
    .description(
      'print a stored command message as JSON: decoded, its bytes, and whether the lane halted at it',
    )
    .argument('<lane>', 'from 0', asCount)
    .argument('[sequence]', 'its sequence number (default: the message at which the lane halted)', asCount)
    .action(async (of: number, sequence: number | undefined) => {
      const { inspectCommand } = await import('./command.ts');
      process.exitCode = await inspectCommand(
        systemSettings(),
        { lane: of, sequence: sequence ?? null },
        terminal,
      );
    });
  lane
    .command('quarantine')
    .description('refuse a message that halts its lane; every replay refuses it too')
    .argument('<lane>', 'from 0', asCount)
    .argument('<sequence>', 'its sequence number', asCount)
    .requiredOption('--reason <text>', 'kept in the log, with your user name', asReason)
    .option('--yes', 'do not ask for confirmation')
    .action(async (of: number, sequence: number, options: { reason: string; yes?: boolean }) => {
      const { quarantineCommand } = await import('./command.ts');
      const { reason, yes = false } = options;
      process.exit(await quarantineCommand(systemSettings(), { lane: of, sequence, reason, yes }, terminal));
    });
}
