import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { ConfigurationError, readSettings } from './config.ts';
import { StartError } from './supervisor/start-error.ts';
import { type RunnableRole, roleBuilders } from './wiring.ts';

/** Data goes to stdout, talk to stderr. */
export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

const roleDescriptions: Readonly<Record<RunnableRole, string>> = {
  gateway: 'answers operators, administrators and players over HTTP',
  actors: 'owns lanes: applies commands and journals outcomes',
  fanout: 'sends feeds over websockets',
  demo: 'seeds a demo operator and sends light traffic',
};

/** The `potstream` command. Ends the process itself where a command is over; roles run until they are stopped. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await program().parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
    }
    if (error instanceof StartError) {
      say(`\n${error.message}`);
      process.exit(exitCodes.failed);
    }
    if (error instanceof ConfigurationError) {
      say(error.message);
      process.exit(exitCodes.usage);
    }
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(exitCodes.failed);
  }
}

function program(): Command {
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
        const { runRole } = await import('./cli/run-role.ts');
        await runRole(roleBuilders[role], readSettings());
      });
  }
  addDoctor(potstream);
  addAdministratorCommands(potstream);
  return potstream;
}

function addUp(potstream: Command): void {
  potstream
    .command('up')
    .description('runs everything on this machine: nats-server, all roles, the demo')
    .option('--no-traffic', 'the demo sends nothing by itself')
    .option('--no-demo', 'no demo at all')
    .option('--insecure-durability', 'start although nats-server does not sync every message')
    .action(async (options: { traffic: boolean; demo: boolean; insecureDurability?: boolean }) => {
      const { up } = await import('./cli/up/up.ts');
      const { bootstrapAdministrator } = await import('./cli/bootstrap-administrator.ts');
      process.title = 'potstream up';
      const read = readSettings();
      const settings = {
        ...read,
        traffic: read.traffic && options.traffic,
        demo: options.demo,
        insecureDurability: read.insecureDurability || options.insecureDurability === true,
      };
      process.exit(await up(settings, { demo: options.demo, bootstrapAdministrator, say }));
    });
}

function addDoctor(potstream: Command): void {
  potstream
    .command('doctor')
    .description('looks at what this machine offers; exit code 1 when something is missing')
    .option('--json', 'findings as JSON')
    .action(async (options: { json?: boolean }) => {
      const { examine } = await import('./cli/doctor.ts');
      const findings = await examine(readSettings(), say);
      const lines = findings.map(
        ({ check, ok, detail }) => `${ok ? 'ok     ' : 'PROBLEM'}  ${check}: ${detail}`,
      );
      process.stdout.write(options.json ? `${JSON.stringify(findings, null, 2)}\n` : `${lines.join('\n')}\n`);
      process.exit(findings.every((finding) => finding.ok) ? exitCodes.done : exitCodes.failed);
    });
}

function addAdministratorCommands(potstream: Command): void {
  potstream
    .command('admin')
    .description('administrators')
    .command('bootstrap')
    .description('makes the first administrator, once; prints {username, password} as JSON')
    .option('--username <name>', 'its name', asUsername, 'admin')
    .action(async (options: { username: string }) => {
      const { bootstrapCommand } = await import('./cli/bootstrap-administrator.ts');
      process.exit(await bootstrapCommand(readSettings(), options.username, say));
    });
}

function asUsername(text: string): string {
  if (!/^[A-Za-z0-9_.@+-]{1,64}$/.test(text))
    throw new InvalidArgumentError('1 to 64 of A-Z a-z 0-9 _ . @ + -');
  return text;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
