import { type Command, Option } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { asLimit, asPage, asTimeMs, asUuid } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { deliveryKinds, deliveryStates, replayKinds } from '../../src/contracts/payments/delivery.ts';
import type { LoginChoices } from '../gateway-client/client.ts';
import type { AdminListChoices } from '../gateway-client/list.ts';
import { addAdministratorOptions } from '../gateway-client/options.ts';
import type { RangeChoices, ResolveChoices } from './run.ts';

const json = ['--json', "print the gateway's answer"] as const;

/**
 * `potstream deliveries`: callbacks and diversion flushes that are not delivered, and decisions about them.
 */
export function addDeliveriesCommands(potstream: Command): void {
  const deliveries = potstream
    .command('deliveries')
    .description('list callbacks and flushes that are not delivered, and send them again');
  addAdministratorOptions(deliveries.command('list'))
    .description('list what is not delivered, the oldest first')
    .addOption(new Option('--state <state>', 'in this state').choices(deliveryStates))
    .addOption(new Option('--kind <kind>', 'of this kind').choices(deliveryKinds))
    .option('--owner <id>', 'of this operator or brand')
    .option('--brand <path>', 'of this brand, operator:brand')
    .option('--instance <id>', 'of this instance')
    .addOption(new Option('--sort <by>', 'order').choices(['created', 'next']).default('created'))
    .option('--descending', 'the newest, or the latest, first')
    .option('--limit <number>', 'so many', asLimit, 50)
    .option('--page <number>', 'from 0', asPage, 0)
    .option(...json)
    .action(async (choices: AdminListChoices) => {
      const { listDeliveries } = await import('./run.ts');
      process.exit(await listDeliveries(systemSettings(), choices, terminal));
    });
  addAdministratorOptions(deliveries.command('replay'))
    .description('send one again, now, with the same id')
    .argument('<id>', 'id, as the list shows it', asUuid)
    .option(...json)
    .action(async (id: string, choices: LoginChoices & { json?: boolean }) => {
      const { replayCommand } = await import('./run.ts');
      process.exit(await replayCommand(systemSettings(), id, choices, terminal));
    });
  addAdministratorOptions(deliveries.command('replay-range'))
    .description(
      'send the callbacks, or the events, of a time range again, delivered ones too, with the same ids',
    )
    .requiredOption('--from <time>', 'milliseconds, or a time such as 2026-11-22T08:00:00Z', asTimeMs)
    .requiredOption('--to <time>', 'as --from; both ends belong to the range', asTimeMs)
    .addOption(new Option('--kind <kind>', 'what is sent').choices(replayKinds).default('callback'))
    .option('--yes', 'do not ask for confirmation')
    .option(...json)
    .action(async (choices: RangeChoices) => {
      const { replayRangeCommand } = await import('./run.ts');
      process.exit(await replayRangeCommand(systemSettings(), choices, terminal));
    });
  addAdministratorOptions(deliveries.command('replays'))
    .description('list replays of time ranges and how far they are, the newest first')
    .option(...json)
    .action(async (choices: LoginChoices & { json?: boolean }) => {
      const { replaysCommand } = await import('./run.ts');
      process.exit(await replaysCommand(systemSettings(), choices, terminal));
    });
  addAdministratorOptions(deliveries.command('resolve'))
    .description('end one that was given up: the receiver of a flush has the money, or has it not')
    .argument('<id>', 'id, as the list shows it', asUuid)
    .addOption(
      new Option('--result <result>', 'what the receiver says')
        .choices(['confirmed', 'failed'])
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'kept in the audit trail')
    .option('--yes', 'do not ask for confirmation')
    .option(...json)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 waits for a second administrator.',
    )
    .action(async (id: string, choices: ResolveChoices) => {
      const { resolveCommand } = await import('./run.ts');
      process.exit(await resolveCommand(systemSettings(), id, choices, terminal));
    });
}
