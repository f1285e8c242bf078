import { type Command, InvalidArgumentError, Option } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { asInteger, asPositive, asRate } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import type { SendChoices } from './run.ts';

const maxStreams = 64;
const maxWindow = 65_536;

/** `potstream send`: replays a file of contributions. */
export function addSendCommand(potstream: Command): void {
  potstream
    .command('send')
    .description(
      'send the contributions of a CSV or NDJSON file, each exactly once, and report what came of them',
    )
    .argument('<file>', 'the contributions; a file that ends in .csv is CSV, every other one NDJSON')
    .addOption(new Option('--format <format>', 'in place of the name of the file').choices(['csv', 'ndjson']))
    .option('--key <column>', 'column or member with the idempotency key (default: options.idempotency_key)')
    .option(
      '--batch <name>',
      'part of the keys that lines without one get; a new name sends them anew',
      asBatch,
      '',
    )
    .option('--results <file>', 'write a line for each line of the input')
    .option('--journal <file>', 'how far it is (default: the name of the input with .sending behind it)')
    .option('--url <address>', 'the gateway (default: POTSTREAM_SERVICE_URL)')
    .option('--username <name>', 'the service user (default: POTSTREAM_SERVICE_USERNAME)')
    .option(
      '--password-file <path>',
      'file (mode 0600) with the password (default: POTSTREAM_SERVICE_PASSWORD, or a prompt)',
    )
    .option(
      '--streams <number>',
      'connections; with several, lines of a player may overtake each other',
      asInteger(1, maxStreams),
      1,
    )
    .option('--window <number>', 'lines under way on a connection', asInteger(1, maxWindow), 4096)
    .option('--rate <number>', 'lines a second at most', asRate)
    .option(
      '--patience <seconds>',
      'how long lines are tried again, and how long nothing may answer',
      asPositive,
      120,
    )
    .option('--late', 'go on although keys of lines that were under way may be forgotten')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', helpText)
    .action(async (file: string, choices: SendChoices) => {
      const { sendCommand } = await import('./run.ts');
      process.exit(
        await sendCommand(systemSettings(), file, choices, { ...terminal, progress: process.stderr }),
      );
    });
}

const helpText = `
A line of NDJSON is a body of O16, with a ref of your own if you like. Columns of CSV are named like its members: ref,
target.type, target.id, source.type, source.id, operator_id, player.id, player.token, player.country, player.brand_id,
player.segments (a;b), base_wager.currency, base_wager.value, metadata.NAME, event_metadata.NAME, and below options
vertical_id, game_code, game_category, allow_linked_contributions, idempotency_key, callback.web_hook,
callback.win_result_only, bonus.bonus_id, bonus.amount and bonus.currency. An empty cell is left out.

The same command goes on after Ctrl-C, kill -9 or an outage.

Exit codes: 0 every line was applied, 1 not finished: the same command goes on, 2 wrong usage, 3 every line is answered and
some were refused, 130 interrupted: the same command goes on.`;

function asBatch(text: string): string {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(text))
    throw new InvalidArgumentError('letters, digits, dots and dashes');
  return text;
}
