import type { Command } from 'commander';
import { systemSettings } from '../system-settings.ts';
import type { LaneOutput } from './command.ts';

/** What these commands need of the program. */
export interface LaneCommandOutput extends LaneOutput {
  readonly asCount: (text: string) => number;
  readonly asReason: (text: string) => string;
}

/** `potstream lane`: conditions of lanes, their messages, and quarantines. */
export function addLaneCommands(potstream: Command, output: LaneCommandOutput): void {
  const lane = potstream.command('lane').description('look at lanes, and repair a halted one');
  lane
    .command('list')
    .description('show the condition of each lane, why, and what to do; exit code 1 if a lane does not serve')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { listCommand } = await import('./command.ts');
      process.exitCode = await listCommand(systemSettings(), options.json === true, output);
    });
  lane
    .command('inspect')
    .description(
      'print a stored command message as JSON: decoded, its bytes, and whether the lane halted at it',
    )
    .argument('<lane>', 'from 0', output.asCount)
    .argument(
      '[sequence]',
      'its sequence number (default: the message at which the lane halted)',
      output.asCount,
    )
    .action(async (of: number, sequence: number | undefined) => {
      const { inspectCommand } = await import('./command.ts');
      process.exitCode = await inspectCommand(
        systemSettings(),
        { lane: of, sequence: sequence ?? null },
        output,
      );
    });
  lane
    .command('quarantine')
    .description('refuse a message that halts its lane; every replay refuses it too')
    .argument('<lane>', 'from 0', output.asCount)
    .argument('<sequence>', 'its sequence number', output.asCount)
    .requiredOption('--reason <text>', 'kept in the log, with your user name', output.asReason)
    .option('--yes', 'do not ask for confirmation')
    .action(async (of: number, sequence: number, options: { reason: string; yes?: boolean }) => {
      const { quarantineCommand } = await import('./command.ts');
      const { reason, yes = false } = options;
      process.exit(await quarantineCommand(systemSettings(), { lane: of, sequence, reason, yes }, output));
    });
}
