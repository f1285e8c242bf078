import { type Command, InvalidArgumentError } from 'commander';
import { asPositive, asRate, asTime } from '../../src/cli/terminal/argument-types.ts';
import { terminal } from '../../src/cli/terminal/output.ts';
import { defaultStakes, defaultStart, parseStakes, type Stake } from '../../src/simulation/choices.ts';

interface SimulateFlags {
  readonly contributions: number;
  readonly seed: string;
  readonly stakes?: readonly Stake[];
  readonly players: number;
  readonly perSecond: number;
  readonly currency?: string;
  readonly rate?: string;
  readonly country?: string;
  readonly start?: number;
  /** true: to stdout. */
  readonly json?: string | true;
  readonly csv?: string;
  readonly html?: string;
}

/** `potstream simulate`. */
export function addSimulateCommand(potstream: Command): void {
  potstream
    .command('simulate')
    .description('play a template on the engine in virtual time, and report what it pays and costs')
    .argument('[config]', 'a template as JSON, as POST /config/templates takes it; see examples/')
    .option('--contributions <number>', 'number of contributions', asPositive, 100_000)
    .option('--seed <text>', 'the same seed gives the same report', '1')
    .option('--stakes <list>', `base wagers, each with its weight (default: ${defaultStakes})`, asStakes)
    .option('--players <number>', 'number of players; some play much more than others', asPositive, 1000)
    .option('--per-second <number>', 'contributions a second, in virtual time', asRate, 1)
    .option('--currency <code>', "currency of the wagers (default: the jackpot's)")
    .option('--rate <multiplier>', "units of that currency for one unit of the jackpot's", asMultiplier)
    .option('--country <code>', 'country of the players (default: one that the template allows)')
    .option('--start <time>', `begin in virtual time, ISO 8601 (default: ${defaultStart})`, asTime)
    .option('--json [file]', 'write the report as JSON; without a file, to stdout instead of the table')
    .option('--csv <file>', 'write a CSV with one row for each pot')
    .option('--html <file>', 'write a self-contained page with plots')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed, 2 wrong usage or a template that cannot be played.',
    )
    .action(async (config: string | undefined, options: SimulateFlags, command: Command) => {
      // `--json CONFIG` names no file: the flag has taken the configuration.
      const isTaken = config === undefined && typeof options.json === 'string';
      const path = isTaken ? String(options.json) : config;
      if (path === undefined) command.error("error: missing required argument 'config'");
      const { simulateCommand } = await import('./run.ts');
      const choices = {
        contributions: options.contributions,
        seed: options.seed,
        stakes: options.stakes ?? asStakes(defaultStakes),
        players: options.players,
        perSecond: options.perSecond,
        currency: options.currency ?? null,
        rate: options.rate ?? null,
        exponent: null,
        country: options.country ?? null,
        startMs: options.start ?? asTime(defaultStart),
      };
      const files = {
        json: isTaken || options.json === true ? '-' : (options.json ?? null),
        csv: options.csv ?? null,
        html: options.html ?? null,
      };
      process.exitCode = simulateCommand(path, choices, files, { ...terminal, progress: process.stderr });
    });
}

function asMultiplier(text: string): string {
  if (!/^(?:0|[1-9][0-9]{0,11})(?:\.[0-9]{1,18})?$/.test(text) || Number(text) === 0)
    throw new InvalidArgumentError('a decimal above 0 with at most 18 decimals');
  return text;
}

function asStakes(text: string): readonly Stake[] {
  const stakes = parseStakes(text);
  if (typeof stakes === 'string') throw new InvalidArgumentError(stakes);
  return stakes;
}
