import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { addNatsCommands } from './cli/nats/commands.ts';
import { defaultStakes, defaultStart, parseStakes, type Stake } from './cli/simulate/choices.ts';
import { ConfigurationError, describeSettings, readSettings } from './config.ts';
import { type RunnableRole, roles } from './roles.ts';
import { outliveLostLines, outliveReaders } from './runtime/role-log.ts';
import { StartError } from './runtime/start-error.ts';

/** Data goes to stdout, talk to stderr. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

const roleDescriptions: Readonly<Record<RunnableRole, string>> = {
  gateway: 'answers operators, administrators and players over HTTP',
  actors: 'owns lanes: applies commands and journals outcomes',
  fanout: 'sends feeds over websockets',
  wallet: "speaks with the brands' wallets",
  'reference-wallet': "is an operator's wallet, for the demo and for tests",
  demo: 'seeds a demo operator and sends light traffic',
};

/** The `potstream` command. Ends the process itself where a command is over; roles run until they are stopped. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveLostLines();
  outliveReaders((message) => {
    print(message);
    process.exit(exitCodes.failed);
  });
  try {
    await program().parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
    }
    if (error instanceof StartError) {
      print(`\n${error.message}`);
      process.exit(exitCodes.failed);
    }
    if (error instanceof ConfigurationError) {
      print(error.message);
      process.exit(exitCodes.usage);
    }
    print(asText(error));
    process.exit(exitCodes.failed);
  }
}

/** An outage says what a person can do about it; of a bug the stack is wanted. */
function asText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'retryable' in error ? error.message : (error.stack ?? error.message);
}

/** Every command with its options. */
export function program(): Command {
  const potstream = new Command('potstream')
    .description('Jackpot service for online operators.')
    .exitOverride()
    .showHelpAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 it failed (the message says why), 2 wrong usage or environment.',
    );
  addUp(potstream);
  for (const role of Object.keys(roleDescriptions) as RunnableRole[]) {
    potstream
      .command(role)
      .description(roleDescriptions[role])
      .action(async () => {
        const { runRole } = await import('./runtime/run-role.ts');
        await runRole(role, roles[role], readSettings());
      });
  }
  addSettings(potstream);
  addDoctor(potstream);
  addLane(potstream);
  addWitness(potstream);
  addVerify(potstream);
  addSimulate(potstream);
  addAdministratorCommands(potstream);
  addNatsCommands(potstream, asPositive);
  return potstream;
}

function addUp(potstream: Command): void {
  potstream
    .command('up')
    .description('runs everything on this machine: nats-server, all roles, the demo')
    .option('--no-traffic', 'the demo sends nothing by itself')
    .option('--no-demo', 'no demo at all')
    .option('--public-demo', 'run the demo although POTSTREAM_HOST is an address that others reach')
    .option('--development', 'wallets and webhooks may use plain HTTP to loopback (POTSTREAM_DEVELOPMENT)')
    .option('--insecure-durability', 'start although nats-server does not sync every message')
    .action(async (options: UpFlags) => {
      const { up } = await import('./cli/up/up.ts');
      const { bootstrapAdministrator } = await import('./cli/bootstrap-administrator.ts');
      process.title = 'potstream up';
      const read = readSettings();
      const settings = {
        ...read,
        traffic: read.traffic && options.traffic,
        demo: options.demo,
        development: read.development ?? (options.development === true ? true : null),
        insecureDurability: read.insecureDurability || options.insecureDurability === true,
      };
      const { demo, publicDemo = false } = options;
      process.exit(await up(settings, { demo, publicDemo, bootstrapAdministrator, print }));
    });
}

interface UpFlags {
  readonly traffic: boolean;
  readonly demo: boolean;
  readonly publicDemo?: boolean;
  readonly development?: boolean;
  readonly insecureDurability?: boolean;
}

function addSettings(potstream: Command): void {
  potstream
    .command('settings')
    .description(
      'lists the variables of the environment that every command and role reads, with their defaults',
    )
    .option('--json', 'the list as JSON')
    .action((options: { json?: boolean }) => {
      const settings = describeSettings();
      const lines = settings.map((each) => `${each.name}=${each.default}\n    ${each.meaning}`);
      process.stdout.write(options.json ? `${JSON.stringify(settings, null, 2)}\n` : `${lines.join('\n')}\n`);
    });
}

function addDoctor(potstream: Command): void {
  potstream
    .command('doctor')
    .description(
      'looks at this machine, its clock, the lanes of what runs, whether the log is all of what was seen of it, and whether the keys here open the seeds of epochs; exit code 1 when something is wrong',
    )
    .option('--json', 'findings as JSON')
    .action(async (options: { json?: boolean }) => {
      const { examine } = await import('./cli/doctor/examine.ts');
      const findings = await examine(readSettings(), print);
      const lines = findings.map(
        ({ check, ok, detail }) => `${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${detail}`,
      );
      process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : `${lines.join('\n')}\n`);
      process.exit(findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.failed);
    });
}

function addLane(potstream: Command): void {
  const output = { write: (text: string) => void process.stdout.write(text), print };
  const lane = potstream.command('lane').description('looks at lanes, and brings back one that stopped');
  lane
    .command('list')
    .description('how each lane stands, why, and what to do; exit code 1 when one does not serve')
    .option('--json', 'the list as JSON')
    .action(async (options: { json?: boolean }) => {
      const { listCommand } = await import('./cli/lane/command.ts');
      process.exitCode = await listCommand(readSettings(), options.json === true, output);
    });
  lane
    .command('inspect')
    .description('a stored command message, as JSON: decoded, its bytes, and whether the lane stopped at it')
    .argument('<lane>', 'from 0', asCount)
    .argument('[sequence]', 'the message; without it the one that the lane stopped at', asCount)
    .action(async (of: number, sequence: number | undefined) => {
      const { inspectCommand } = await import('./cli/lane/command.ts');
      process.exitCode = await inspectCommand(
        readSettings(),
        { lane: of, sequence: sequence ?? null },
        output,
      );
    });
  lane
    .command('quarantine')
    .description("refuses a message that its lane cannot get past, for ever, by a command in the lane's log")
    .argument('<lane>', 'from 0', asCount)
    .argument('<sequence>', 'the message', asCount)
    .requiredOption('--reason <text>', 'why; it is kept in the log with who did it', asReason)
    .option('--yes', 'asks nobody')
    .action(async (of: number, sequence: number, options: { reason: string; yes?: boolean }) => {
      const { quarantineCommand } = await import('./cli/lane/command.ts');
      const { reason, yes = false } = options;
      process.exit(await quarantineCommand(readSettings(), { lane: of, sequence, reason, yes }, output));
    });
}

function addWitness(potstream: Command): void {
  const witness = potstream
    .command('witness')
    .description('what this host saw of the log, kept outside of it');
  witness
    .command('show')
    .description(
      'the newest that was seen of each lane and table, and what was accepted since; as JSON lines',
    )
    .action(async () => {
      const { showWitness } = await import('./cli/witness.ts');
      await showWitness(readSettings(), (line) => process.stdout.write(`${line}\n`));
    });
  witness
    .command('accept')
    .description(
      'takes the log of a lane, or a table, as it is now: what was seen of it before does not count any more',
    )
    .argument('<what>', 'the number of a lane, or DIRECTORY, ACCOUNTS or PLACEMENT')
    .requiredOption('--reason <text>', 'why: it is kept', asReason)
    .option('--by <name>', 'who says so (default: the user of this process)', asReason)
    .action(async (what: string, options: { reason: string; by?: string }) => {
      const { acceptWitness } = await import('./cli/witness.ts');
      process.exit(await acceptWitness(readSettings(), what, options, print));
    });
}

function addVerify(potstream: Command): void {
  potstream
    .command('verify')
    .description('recomputes the draws of revealed epochs from their public data')
    .argument(
      '<from>',
      "a system's base URL, or a file of saved answers (an epoch or a list of them; -: stdin)",
    )
    .option('--instance <id>', 'the instance; needed with a URL')
    .option('--epoch <number>', 'one epoch; without it all that are revealed, from the first', asCount)
    .option('--seq <number>', 'shows the draw of this sequence number', asCount)
    .option('--commit <hex>', 'a commitment that you noted down: it must be that of the epoch', asHash)
    .option('--head <hex>', 'a head that you noted down: it must be one of the epoch', asHash)
    .option('--json', 'the report as JSON')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 something does not hold, 2 wrong usage, 3 nothing is revealed yet, 4 the data cannot be read.',
    )
    .action(async (from: string, options: VerifyFlags, command: Command) => {
      const { verifyCommand } = await import('./cli/verify/command.ts');
      if (/^https?:/.test(from) && (!URL.canParse(from) || options.instance === undefined))
        command.error('error: a URL needs --instance <id>');
      const choices = {
        from,
        instance: options.instance ?? null,
        epoch: options.epoch ?? null,
        sequence: options.seq ?? null,
        commit: options.commit ?? null,
        head: options.head ?? null,
        json: options.json === true,
      };
      process.exitCode = await verifyCommand(choices, { write: (text) => process.stdout.write(text), print });
    });
}

interface VerifyFlags {
  readonly instance?: string;
  readonly epoch?: number;
  readonly seq?: number;
  readonly commit?: string;
  readonly head?: string;
  readonly json?: boolean;
}

function addSimulate(potstream: Command): void {
  potstream
    .command('simulate')
    .description('plays a template on the engine itself, on virtual time, and reports what comes of it')
    .argument('[config]', 'a template as JSON: what POST /config/templates takes; see examples/')
    .option('--contributions <number>', 'how many', asPositive, 100_000)
    .option('--seed <text>', 'the same seed gives the same figures', '1')
    .option('--stakes <list>', `base wagers, each with its weight (default: ${defaultStakes})`, asStakes)
    .option('--players <number>', 'how many players take turns; some play much more', asPositive, 1000)
    .option('--per-second <number>', 'contributions a second, in virtual time', asRate, 1)
    .option('--currency <code>', "of the wagers; without it the jackpot's own")
    .option('--rate <multiplier>', "units of that currency for one of the jackpot's", asMultiplier)
    .option('--country <code>', 'of the players; without it one that the template lets in')
    .option('--start <time>', `when it begins, ISO 8601 (default: ${defaultStart})`, asTime)
    .option('--json [file]', 'the report as JSON; without a file on stdout, instead of the table')
    .option('--csv <file>', 'one row for each pot')
    .option('--html <file>', 'a page with plots that stands for itself')
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 it failed, 2 wrong usage or a template that cannot be played.',
    )
    .action(async (config: string | undefined, options: SimulateFlags, command: Command) => {
      // `--json CONFIG` names no file: the flag has taken the configuration.
      const isTaken = config === undefined && typeof options.json === 'string';
      const path = isTaken ? String(options.json) : config;
      if (path === undefined) command.error("error: missing required argument 'config'");
      const { simulateCommand } = await import('./cli/simulate/command.ts');
      const choices = {
        contributions: options.contributions,
        seed: options.seed,
        stakes: options.stakes ?? asStakes(defaultStakes),
        players: options.players,
        perSecond: options.perSecond,
        currency: options.currency ?? null,
        rate: options.rate ?? null,
        country: options.country ?? null,
        startMs: options.start ?? asTime(defaultStart),
      };
      const files = {
        json: isTaken || options.json === true ? '-' : (options.json ?? null),
        csv: options.csv ?? null,
        html: options.html ?? null,
      };
      const write = (text: string) => process.stdout.write(text);
      process.exitCode = simulateCommand(path, choices, files, { write, print, progress: process.stderr });
    });
}

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
  /** true: on stdout. */
  readonly json?: string | true;
  readonly csv?: string;
  readonly html?: string;
}

function addAdministratorCommands(potstream: Command): void {
  const admin = potstream.command('admin').description('administrators');
  admin
    .command('bootstrap')
    .description('makes the first administrator, once; prints {username, password} as JSON')
    .option('--username <name>', 'its name', asUsername, 'admin')
    .action(async (options: { username: string }) => {
      const { bootstrapCommand } = await import('./cli/bootstrap-administrator.ts');
      process.exit(await bootstrapCommand(readSettings(), options.username, print));
    });
  admin
    .command('forget-password')
    .description(
      "removes the first administrator's password from credentials.json; change it first with PUT /auth/admin/password",
    )
    .action(async () => {
      const { forgetPasswordCommand } = await import('./cli/forget-password.ts');
      process.exit(forgetPasswordCommand(readSettings(), print));
    });
}

function asCount(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,14})$/.test(text)) throw new InvalidArgumentError('an integer of zero or more');
  return Number(text);
}

function asPositive(text: string): number {
  const count = asCount(text);
  if (count === 0 || count > 1_000_000_000)
    throw new InvalidArgumentError('an integer from 1 to 1,000,000,000');
  return count;
}

function asRate(text: string): number {
  const rate = Number(text);
  if (!(rate > 0 && rate <= 1_000_000)) throw new InvalidArgumentError('a number above 0, at most 1,000,000');
  return rate;
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

function asTime(text: string): number {
  const timeMs = Date.parse(text);
  if (!(timeMs >= 0)) throw new InvalidArgumentError('a time as 2030-01-01T00:00:00Z');
  return timeMs;
}

function asHash(text: string): string {
  if (!/^[0-9a-f]{64}$/.test(text)) throw new InvalidArgumentError('64 hexadecimal digits in lower case');
  return text;
}

function asReason(text: string): string {
  if (text.trim() === '' || text.length > 1000) throw new InvalidArgumentError('1 to 1000 characters');
  return text;
}

function asUsername(text: string): string {
  if (!/^[A-Za-z0-9_.@+-]{1,64}$/.test(text))
    throw new InvalidArgumentError('1 to 64 of A-Z a-z 0-9 _ . @ + -');
  return text;
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
