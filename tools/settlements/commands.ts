import { type Command, Option } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { asLimit, asPage, asUuid } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { settlementKinds, settlementStates } from '../../src/contracts/payments/settlement.ts';
import type { AdminListChoices } from '../gateway-client/list.ts';
import { addAdministratorOptions } from '../gateway-client/options.ts';
import type { Decision, DecisionChoices } from './run.ts';

const decisions: readonly (readonly [Decision, string])[] = [
  ['release', 'pay a win that was above the verification limit of its brand'],
  ['retry', 'ask the wallet again for a payment that it refused or left unknown'],
  ['resolve', 'end a payment that was settled with the operator of the wallet in another way'],
];

/** `potstream settlements`: payments that are not settled, and decisions about them. */
export function addSettlementsCommands(potstream: Command): void {
  const settlements = potstream
    .command('settlements')
    .description('list payments that are not settled, and decide about them');
  addAdministratorOptions(settlements.command('list'))
    .description('list open debits and credits, the oldest first')
    .addOption(new Option('--state <state>', 'in this state').choices(settlementStates))
    .addOption(new Option('--kind <kind>', 'of this kind').choices(settlementKinds))
    .option('--owner <id>', 'of jackpots of this operator or brand')
    .option('--brand <path>', 'of players of this brand, operator:brand')
    .option('--instance <id>', 'of this instance')
    .addOption(new Option('--sort <by>', 'order').choices(['opened', 'changed', 'amount']).default('opened'))
    .option('--descending', 'the newest, or the largest, first')
    .option('--limit <number>', 'so many', asLimit, 50)
    .option('--page <number>', 'from 0', asPage, 0)
    .option('--json', "print the gateway's answer")
    .action(async (options: AdminListChoices) => {
      const { listSettlements } = await import('./run.ts');
      process.exit(await listSettlements(systemSettings(), options, terminal));
    });
  for (const [decision, description] of decisions)
    addAdministratorOptions(settlements.command(decision))
      .description(description)
      .argument('<id>', 'transaction id, as the list shows it', asUuid)
      .requiredOption('--reason <text>', 'kept in the audit trail')
      .option('--yes', 'do not ask for confirmation')
      .option('--json', "print the gateway's answer")
      .addHelpText(
        'after',
        '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 waits for a second administrator.',
      )
      .action(async (id: string, options: DecisionChoices) => {
        const { decideCommand } = await import('./run.ts');
        process.exit(await decideCommand(systemSettings(), decision, id, options, terminal));
      });
}
