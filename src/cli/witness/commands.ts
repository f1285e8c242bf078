import type { Command } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { asReason } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream witness`: what this host saw of the log. */
export function addWitnessCommands(potstream: Command): void {
  const witness = potstream
    .command('witness')
    .description('look at the record of what this host saw of the log, and accept another log');
  witness
    .command('show')
    .description(
      'print the newest that this host saw of each lane and table, and what was accepted, as JSON lines',
    )
    .action(async () => {
      const { showWitness } = await import('./run.ts');
      await showWitness(systemSettings(), (line) => terminal.write(`${line}\n`));
    });
  witness
    .command('accept')
    .description('accept the log of a lane, or a table, as it is now, and forget what this host saw of it')
    .argument('<what>', 'number of a lane, or DIRECTORY, ACCOUNTS or PLACEMENT')
    .requiredOption('--reason <text>', 'kept in the witness', asReason)
    .option('--by <name>', 'your name (default: the user of this process)', asReason)
    .action(async (what: string, options: { reason: string; by?: string }) => {
      const { acceptWitness } = await import('./run.ts');
      process.exit(await acceptWitness(systemSettings(), what, options, terminal.print));
    });
}
