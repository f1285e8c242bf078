import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { asHash, asInteger, asTime } from '../terminal/argument-types.ts';
import { terminal } from '../terminal/output.ts';
import type { ListChoices } from './run.ts';

/** `potstream audit`: the lanes; its other commands: the trail of administrators' changes. */
export function addAuditCommands(potstream: Command): void {
  const audit = potstream
    .command('audit')
    .description(
      "replay the lanes and compare them with what is stored; or verify the administrators' trail",
    );
  addLanes(audit);
  audit
    .command('verify')
    .description(
      'check that no entry of the trail was changed, removed or moved, also by what hosts saw of it',
    )
    .argument('[file]', 'an exported trail (-: stdin); without it, the trail of the running system')
    .option('--head <hex>', 'a head that you noted; the trail must still have it', asHash)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 a check failed or the trail cannot be read, 2 wrong usage, 3 nothing is wrong, but the beginning is missing.',
    )
    .action(async (file: string | undefined, options: { head?: string; json?: boolean }) => {
      const { verifyTrail } = await import('./run.ts');
      const choices = { file: file ?? null, head: options.head ?? null, json: options.json === true };
      process.exit(await verifyTrail(systemSettings(), choices, terminal));
    });
  audit
    .command('list')
    .description('print changes in words, the newest first')
    .option('--user <name>', 'of this administrator')
    .option('--operation <id>', 'of this operation, such as A22')
    .option('--owner <id>', 'of this operator or brand')
    .option('--from <time>', 'since this time, ISO 8601', asTime)
    .option('--to <time>', 'until this time, ISO 8601', asTime)
    .option('--limit <number>', 'so many', asInteger(1, 99_999), 50)
    .option(
      '--json',
      'print all of each change: input, values before and after, as a JSON object in each line',
    )
    .action(async (options: ListChoices) => {
      const { listTrail } = await import('./run.ts');
      process.exit(await listTrail(systemSettings(), options, terminal));
    });
  audit
    .command('export')
    .description('print the whole trail as it is stored, one message in each line, for audit verify')
    .action(async () => {
      const { exportTrail } = await import('./run.ts');
      process.exit(await exportTrail(systemSettings(), terminal));
    });
}

function addLanes(audit: Command): void {
  audit
    .command('lanes', { isDefault: true })
    .description(
      'replay each lane from its oldest kept snapshot, and compare records, heads, snapshots and balances (default)',
    )
    .addOption(
      new Option('--lane <number>', 'only this lane; may be repeated').argParser(asLanes).default([], 'all'),
    )
    .option(
      '--minutes <number>',
      'stop after this time; the newest messages come first',
      asInteger(1, 99_999),
    )
    .addOption(
      new Option('--as <user>', 'the user at nats-server whose credentials the settings have')
        .choices(['replay', 'actors'])
        .default('replay'),
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 a check failed or a lane cannot be read, 2 wrong usage.',
    )
    .action(async (options: LanesFlags) => {
      const { auditLanesCommand } = await import('./lanes.ts');
      const choices = {
        lanes: options.lane,
        minutes: options.minutes ?? null,
        as: options.as,
        json: options.json === true,
      };
      process.exit(await auditLanesCommand(systemSettings(), choices, terminal));
    });
}

interface LanesFlags {
  readonly lane: readonly number[];
  readonly minutes?: number;
  readonly as: 'replay' | 'actors';
  readonly json?: boolean;
}

function asLanes(text: string, lanes: readonly number[]): readonly number[] {
  if (!/^(?:0|[1-9][0-9]{0,3})$/.test(text)) throw new InvalidArgumentError('the number of a lane, from 0');
  return [...lanes, Number(text)];
}
