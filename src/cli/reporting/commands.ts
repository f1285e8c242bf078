import { type Command, InvalidArgumentError } from 'commander';
import { isDay } from '../../reporting/base/days.ts';
import { systemSettings } from '../system/settings.ts';
import { terminal } from '../terminal/output.ts';

interface CheckFlags {
  readonly from?: string;
  readonly to?: string;
  readonly instance?: readonly string[];
  readonly json?: boolean;
}

/** `potstream reporting check` and `rebuild`, below the command that runs the role. */
export function addReportingCommands(potstream: Command): void {
  const reporting = potstream.commands.find((command) => command.name() === 'reporting')!;
  reporting
    .command('check')
    .description(
      'compare the books with themselves, day by day, and their newest balances with a replay of the lanes',
    )
    .option('--from <day>', 'from this day on (UTC); without it, from the beginning', asDay)
    .option(
      '--to <day>',
      'up to this day; without it, up to the last one that gets no more rows; balances are compared only then',
      asDay,
    )
    .option(
      '--instance <id>',
      'only this instance; may be repeated',
      (id, before: readonly string[] = []) => [...before, id],
    )
    .option('--json', 'print each finding as a JSON object in a line')
    .addHelpText(
      'after',
      '\nExit codes: 0 everything agrees, 1 something does not, or cannot be read, 2 wrong usage.',
    )
    .action(async ({ from, to, instance, json }: CheckFlags) => {
      const { checkCommand } = await import('./run.ts');
      const choices = {
        ...{ from: from ?? null, to: to ?? null, json: json === true },
        instances: instance === undefined ? null : new Set(instance),
      };
      process.exit(await checkCommand(systemSettings(), choices, terminal));
    });
  reporting
    .command('rebuild')
    .description(
      'make the books anew from the log and its archive, beside the ones in use, and put them in their place; the role may run',
    )
    .addHelpText(
      'after',
      '\nIt may be ended at any time, and begins anew. Exit codes: 0 done, 1 it cannot go on (the books in use stay), 2 wrong usage.',
    )
    .action(async () => {
      const { rebuildCommand } = await import('./run.ts');
      process.exit(await rebuildCommand(systemSettings(), terminal));
    });
}

function asDay(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('a day such as 2026-11-28');
  return text;
}
