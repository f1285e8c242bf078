import { type Command, InvalidArgumentError } from 'commander';
import { systemSettings } from '../../src/cli/system/settings.ts';
import { asCount } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { type Moment, parseMoment } from './moment.ts';

/** `potstream replay`: an instance as it was, recomputed from the log. */
export function addReplayCommand(potstream: Command): void {
  potstream
    .command('replay')
    .description(
      'show an instance as it was at an earlier moment, and what changed since, recomputed from the log',
    )
    .argument('<instance>', 'id of the instance')
    .option(
      '--at <moment>',
      'behind this sequence number of the instance, or at this time (milliseconds as in answers, or ISO 8601 with its zone)',
      asMoment,
    )
    .option('--message <number>', 'behind this message of its lane', asCount)
    .option('--lane <number>', 'its lane; without it, the command looks for the instance', asCount)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 shown, 1 the log cannot be read or the replay differs from it, 2 wrong usage, 3 the instance has no such moment, or log and snapshots do not reach back to it.',
    )
    .action(async (instance: string, options: ReplayFlags, command: Command) => {
      const { at, message } = options;
      if ((at === undefined) === (message === undefined)) command.error('error: give --at or --message');
      const moment: Moment = at ?? { kind: 'message', sequence: message ?? 0 };
      const { replayCommand } = await import('./run.ts');
      const choices = { instance, moment, lane: options.lane ?? null, json: options.json === true };
      process.exit(await replayCommand(systemSettings(), choices, terminal));
    });
}

interface ReplayFlags {
  readonly at?: Moment;
  readonly message?: number;
  readonly lane?: number;
  readonly json?: boolean;
}

function asMoment(text: string): Moment {
  const moment = parseMoment(text);
  if (moment === null)
    throw new InvalidArgumentError(
      'a sequence number, milliseconds since 1970, or a time such as 2030-01-01T00:00:00Z',
    );
  return moment;
}
