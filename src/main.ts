import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { addBenchCommand } from '../tools/bench/commands.ts';
import { addReconcileCommand } from '../tools/reconcile/commands.ts';
import { addReplayCommand } from '../tools/replay/commands.ts';
import { addSendCommand } from '../tools/send/commands.ts';
import { defaultStakes, defaultStart, parseStakes, type Stake } from '../tools/simulate/choices.ts';
import { addWalletCommands } from '../tools/wallet-verify/command/commands.ts';
import { addAdministratorCommands } from './cli/admin/commands.ts';
import { addArchiveCommands } from './cli/archive/commands.ts';
import { addAuditCommands } from './cli/audit/commands.ts';
import { addDeliveriesCommands } from './cli/deliveries/commands.ts';
import { addKeysCommands } from './cli/keys/commands.ts';
import { addLaneCommands } from './cli/lane/commands.ts';
import { addNatsCommands } from './cli/nats/commands.ts';
import { addPlacementCommands } from './cli/placement/commands.ts';
import { addRestartCommand } from './cli/restart/commands.ts';
import { addSettlementsCommands } from './cli/settlements/commands.ts';
import { systemSettings } from './cli/system-settings.ts';
import { writeOutputWhole } from './cli/whole-output.ts';
import { ConfigurationError, describeSettings, readSettings, readWalletKeys } from './config.ts';
import { maxProcesses } from './config-listeners.ts';
import { type RunnableRole, roles } from './roles.ts';
import { packageVersion } from './runtime/package-root.ts';
import { outliveLostLines, outliveReaders } from './runtime/role-log.ts';
import { StartError } from './runtime/start-error.ts';

/** Data goes to stdout, messages to stderr. */
const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

const roleDescriptions: Readonly<Record<RunnableRole, string>> = {
  gateway: 'run the HTTP gateway for operators, administrators and players',
  actors: 'run an actor host: it applies the commands of lanes and stores outcomes',
  fanout: 'run the fan-out: it sends feeds over websockets',
  wallet: "run the client of the brands' wallets",
  outbox: 'run the outbox: it delivers callbacks to operators',
  storage: 'run the storage role: it makes and trims the streams of nats-server',
  'reference-wallet': "run an operator's wallet for the demo and for tests",
  demo: 'create a demo operator and send light traffic',
};

/** The `potstream` command. It ends the process when a command is done; roles run until they are stopped. */
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
      print(`\n${withCode(error)}`);
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

/** The message of an outage says what to do. A bug needs its stack. */
function asText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'retryable' in error ? withCode(error) : (error.stack ?? error.message);
}

/** The runbook finds an error by its code. */
function withCode(error: Error & { readonly code?: unknown }): string {
  return typeof error.code === 'string' ? `${error.message} (${error.code})` : error.message;
}

/** Every command with its options. */
export function program(): Command {
  const potstream = new Command('potstream')
    .description('Jackpot service for online operators.')
    .version(packageVersion(), '--version', 'print the version')
    .exitOverride()
    .showHelpAfterError()
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failed (the message says why), 2 wrong usage or environment.',
    );
  // Subcommands of a role, such as those of the wallet, end.
  potstream.hook('preAction', (_, command) => {
    const name = command.name();
    if (command.parent !== potstream || (name !== 'up' && !(name in roles))) writeOutputWhole();
  });
  addUp(potstream);
  const output = { write: (text: string) => void process.stdout.write(text), print };
  for (const role of Object.keys(roleDescriptions) as RunnableRole[]) {
    const command = potstream
      .command(role)
      .description(roleDescriptions[role])
      .action(async () => {
        const { runRole } = await import('./runtime/run-role.ts');
        await runRole(role, roles[role], readSettings());
      });
    if (role === 'wallet') addWalletCommands(command, { ...output, environment: readWalletKeys, asPositive });
  }
  addSettings(potstream);
  addDoctor(potstream);
  addLaneCommands(potstream, { ...output, asCount, asReason });
  addPlacementCommands(potstream, { ...output, asCount, asReason });
  addRestartCommand(potstream, output);
  addWitness(potstream);
  addVerify(potstream);
  addSimulate(potstream);
  addAdministratorCommands(potstream, print);
  addNatsCommands(potstream, asPositive);
  addKeysCommands(potstream, output);
  addAuditCommands(potstream, output);
  addArchiveCommands(potstream, { ...output, asCount });
  addSettlementsCommands(potstream, output);
  addDeliveriesCommands(potstream, output);
  addReconcileCommand(potstream, output);
  addReplayCommand(potstream, { ...output, asCount });
  addSendCommand(potstream, { ...output, progress: process.stderr, asPositive, asRate });
  addBenchCommand(potstream, { print, asPositive });
  return potstream;
}

function addUp(potstream: Command): void {
  potstream
    .command('up')
    .description('run everything on this machine: nats-server, all roles, the demo')
    .option('--no-traffic', 'the demo sends no contributions')
    .option('--no-demo', 'start without the demo')
    .option(
      '--hosts <number>',
      'number of actor hosts: with two or more, each lane has a warm standby',
      asProcesses,
      1,
    )
    .option(
      '--gateways <number>',
      'number of gateway processes behind one port (POTSTREAM_GATEWAYS)',
      asProcesses,
    )
    .option('--public-demo', 'run the demo even if others can reach POTSTREAM_HOST')
    .option('--development', 'wallets and webhooks may use plain HTTP to loopback (POTSTREAM_DEVELOPMENT)')
    .option('--insecure-durability', 'start even if nats-server does not sync every message')
    .action(async (options: UpFlags) => {
      const { up } = await import('./cli/up/up.ts');
      const { bootstrapAdministrator } = await import('./cli/admin/bootstrap.ts');
      process.title = 'potstream up';
      const read = readSettings();
      const settings = {
        ...read,
        traffic: read.traffic && options.traffic,
        demo: options.demo,
        gateways: options.gateways ?? read.gateways,
        development: read.development ?? (options.development === true ? true : null),
        insecureDurability: read.insecureDurability || options.insecureDurability === true,
      };
      const { demo, hosts, publicDemo = false } = options;
      process.exit(
        await up(settings, { demo, actorHosts: hosts, publicDemo, bootstrapAdministrator, print }),
      );
    });
}

interface UpFlags {
  readonly traffic: boolean;
  readonly demo: boolean;
  readonly hosts: number;
  readonly gateways?: number;
  readonly publicDemo?: boolean;
  readonly development?: boolean;
  readonly insecureDurability?: boolean;
}

function addSettings(potstream: Command): void {
  potstream
    .command('settings')
    .description('list the environment variables that commands and roles read, with their defaults')
    .option('--json', 'print JSON')
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
      'check this machine, its clock and ports, nats-server, the lanes, the log and the keys; exit code 1 if there is a problem',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { examine } = await import('./cli/doctor/examine.ts');
      const findings = await examine(systemSettings(), print);
      const lines = findings.map(
        ({ check, ok, detail }) => `${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${detail}`,
      );
      process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : `${lines.join('\n')}\n`);
      process.exit(findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.failed);
    });
}

function addWitness(potstream: Command): void {
  const witness = potstream
    .command('witness')
    .description('look at the record of what this host saw of the log, and accept another log');
  witness
    .command('show')
    .description(
      'print the newest that this host saw of each lane and table, and what was accepted, as JSON lines',
    )
    .action(async () => {
      const { showWitness } = await import('./cli/witness.ts');
      await showWitness(systemSettings(), (line) => process.stdout.write(`${line}\n`));
    });
  witness
    .command('accept')
    .description('accept the log of a lane, or a table, as it is now, and forget what this host saw of it')
    .argument('<what>', 'number of a lane, or DIRECTORY, ACCOUNTS or PLACEMENT')
    .requiredOption('--reason <text>', 'kept in the witness', asReason)
    .option('--by <name>', 'your name (default: the user of this process)', asReason)
    .action(async (what: string, options: { reason: string; by?: string }) => {
      const { acceptWitness } = await import('./cli/witness.ts');
      process.exit(await acceptWitness(systemSettings(), what, options, print));
    });
}

function addVerify(potstream: Command): void {
  potstream
    .command('verify')
    .description('recompute the draws of revealed epochs from their public data')
    .argument('<from>', "a system's base URL, or a file with an epoch or a list of epochs (-: stdin)")
    .option('--instance <id>', 'the instance; required with a URL')
    .option('--epoch <number>', 'one epoch (default: all revealed epochs)', asCount)
    .option('--seq <number>', 'show the draw of this sequence number', asCount)
    .option('--commit <hex>', 'a commitment that you noted; it must be that of the epoch', asHash)
    .option('--head <hex>', 'a head that you noted; it must occur in the epoch', asHash)
    .option('--json', 'print JSON')
    .option('--token-file <file>', 'a token, where the operator asks for one (else POTSTREAM_VERIFY_TOKEN)')
    .option('--brand <operator:brand>', 'the brand of the player whose token it is')
    .addHelpText(
      'after',
      '\nExit codes: 0 verified, 1 a check failed, 2 wrong usage, 3 nothing is revealed yet, 4 the data cannot be read.',
    )
    .action(async (from: string, options: VerifyFlags, command: Command) => {
      const { verifyCommand } = await import('../tools/verify/command.ts');
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
        tokenFile: options.tokenFile ?? null,
        brand: options.brand ?? null,
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
  readonly tokenFile?: string;
  readonly brand?: string;
}

function addSimulate(potstream: Command): void {
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
      const { simulateCommand } = await import('../tools/simulate/command.ts');
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
  /** true: to stdout. */
  readonly json?: string | true;
  readonly csv?: string;
  readonly html?: string;
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

function asProcesses(text: string): number {
  const count = asCount(text);
  if (count === 0 || count > maxProcesses)
    throw new InvalidArgumentError(`an integer from 1 to ${maxProcesses}`);
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
  if (!(timeMs >= 0)) throw new InvalidArgumentError('a time such as 2030-01-01T00:00:00Z');
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

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
