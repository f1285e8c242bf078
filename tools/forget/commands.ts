import type { Command } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { asReason } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { addAdministratorOptions } from '../gateway-client/options.ts';
import type { ForgetChoices } from './run.ts';

/** `potstream reporting forget`, below the command that runs the role. */
export function addForgetCommand(potstream: Command): void {
  const reporting = potstream.commands.find((command) => command.name() === 'reporting')!;
  addAdministratorOptions(reporting.command('forget'))
    .description("put a pseudonym in place of a player's id in the books, now and in what comes")
    .requiredOption('--brand <path>', 'the brand of the player, operator:brand')
    .requiredOption('--player <id>', 'the player')
    .requiredOption('--reason <text>', 'kept in the audit trail; do not name the player in it', asReason)
    .option('--approve <id>', 'approve what another administrator has proposed by the same command')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', "print the gateway's answer")
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 waits for a second administrator.',
    )
    .action(async (choices: ForgetChoices) => {
      const { forgetCommand } = await import('./run.ts');
      process.exit(await forgetCommand(systemSettings(), choices, terminal));
    });
}
