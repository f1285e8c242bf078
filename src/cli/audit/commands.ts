import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemSettings } from '../system-settings.ts';
import type { AuditOutput, ListChoices } from './run.ts';

/** `potstream audit`: the lanes; its other commands: the trail of administrators' changes. */
export function addAuditCommands(potstream: Command, output: AuditOutput): void {
  const audit = potstream
    .command('audit')
    .description(
      "replay the lanes and compare them with what is stored; or verify the administrators' trail",
    );
  addLanes(audit, output);
  audit
    .command('verify')
    .description(
      'check that no entry of the trail was changed, removed or moved, also by what hosts saw of it',
    )
    .argument('[file]', 'an exported trail (-: stdin); without it, the trail of the running system')
    .option('--head <hex>', 'a head that you noted; the trail must still have it', asHead)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 a check failed or the trail cannot be read, 2 wrong usage, 3 nothing is wrong, but the beginning is missing.',
    )
    .action(async (file: string | undefined, options: { head?: string; json?: boolean }) => {
      const { verifyCommand } = await import('./run.ts');
      const choices = { file: file ?? null, head: options.head ?? null, json: options.json === true };
      process.exit(await verifyCommand(systemSettings(), choices, output));
    });
  audit
    .command('list')
    .description('print changes in words, the newest first')
    .option('--user <name>', 'of this administrator')
    .option('--operation <id>', 'of this operation, such as A22')
    .option('--owner <id>', 'of this operator or brand')
    .option('--from <time>', 'since this time, ISO 8601', asTime)
    .option('--to <time>', 'until this time, ISO 8601', asTime)
    .option('--limit <number>', 'so many', asLimit, 50)
    .option(
      '--json',
      'print all of each change: input, values before and after, as a JSON object in each line',
    )
    .action(async (options: ListChoices) => {
      const { listCommand } = await import('./run.ts');
      process.exit(await listCommand(systemSettings(), options, output));
    });
  audit
    .command('export')
    .description('print the whole trail as it is stored, one message in each line, for audit verify')
    .action(async () => {
      const { exportCommand } = await import('./run.ts');
      process.exit(await exportCommand(systemSettings(), output));
    });
}

function addLanes(audit: Command, output: AuditOutput): void {
  audit
    .command('lanes', { isDefault: true })
    .description(
      'replay each lane from its oldest kept snapshot, and compare records, heads, snapshots and balances (default)',
    )
    .addOption(
      new Option('--lane <number>', 'only this lane; may be repeated').argParser(asLanes).default([], 'all'),
    )
    .option('--minutes <number>', 'stop after this time; the newest messages come first', asMinutes)
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
      process.exit(await auditLanesCommand(systemSettings(), choices, output));
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

function asMinutes(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new InvalidArgumentError('an integer from 1 to 99,999');
  return Number(text);
}

function asHead(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('64 hexadecimal digits in lower case');
  return text;
}

function asTime(text: string): number {
  const timeMs = Date.parse(text);
  if (!(timeMs >= 0)) throw new InvalidArgumentError('a time such as 2030-01-01T00:00:00Z');
  return timeMs;
}

function asLimit(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new InvalidArgumentError('an integer from 1 to 99,999');
  return Number(text);
}
