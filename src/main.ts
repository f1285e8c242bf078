import { Command, CommanderError } from 'commander';
import { addBenchCommand } from '../tools/bench/commands.ts';
import { addDeliveriesCommands } from '../tools/deliveries/commands.ts';
import { addForgetCommand } from '../tools/forget/commands.ts';
import { addListenCommand } from '../tools/listen/commands.ts';
import { addReconcileCommand } from '../tools/reconcile/commands.ts';
import { addReplayCommand } from '../tools/replay/commands.ts';
import { addSendCommand } from '../tools/send/commands.ts';
import { addSettlementsCommands } from '../tools/settlements/commands.ts';
import { addSimulateCommand } from '../tools/simulate/commands.ts';
import { addVerifyCommand } from '../tools/verify/commands.ts';
import { addWalletCommands } from '../tools/wallet-verify/commands.ts';
import { addAdministratorCommands } from './cli/admin/commands.ts';
import { addArchiveCommands } from './cli/archive/commands.ts';
import { addAuditCommands } from './cli/audit/commands.ts';
import { addDoctorCommand } from './cli/doctor/commands.ts';
import { addKeysCommands } from './cli/keys/commands.ts';
import { addLaneCommands } from './cli/lane/commands.ts';
import { addNatsCommands } from './cli/nats/commands.ts';
import { addPlacementCommands } from './cli/placement/commands.ts';
import { addReportingCommands } from './cli/reporting/commands.ts';
import { addRestartCommand } from './cli/restart/commands.ts';
import { addRoleCommands } from './cli/roles/commands.ts';
import { addSettingsCommand } from './cli/settings/commands.ts';
import { exitCodes, terminal, writeOutputWhole } from './cli/terminal/output.ts';
import { addUpCommand } from './cli/up/commands.ts';
import { addWitnessCommands } from './cli/witness/commands.ts';
import { ConfigurationError } from './config/composed.ts';
import { runnableRoles } from './roles.ts';
import { packageVersion } from './runtime/package-root.ts';
import { outliveLostLines, outliveReaders } from './runtime/role-log.ts';
import { StartError } from './runtime/start-error.ts';

/** In the order of the help. */
const commands: readonly ((potstream: Command) => void)[] = [
  addUpCommand,
  addRoleCommands,
  addWalletCommands,
  addReportingCommands,
  addForgetCommand,
  addSettingsCommand,
  addDoctorCommand,
  addLaneCommands,
  addPlacementCommands,
  addRestartCommand,
  addWitnessCommands,
  addVerifyCommand,
  addSimulateCommand,
  addAdministratorCommands,
  addNatsCommands,
  addKeysCommands,
  addAuditCommands,
  addArchiveCommands,
  addSettlementsCommands,
  addDeliveriesCommands,
  addReconcileCommand,
  addReplayCommand,
  addSendCommand,
  addListenCommand,
  addBenchCommand,
];

/** The `potstream` command. It ends the process when a command is done; roles run until they are stopped. */
export async function main(argv: readonly string[]): Promise<void> {
  outliveLostLines();
  outliveReaders((message) => {
    terminal.print(message);
    process.exit(exitCodes.failed);
  });
  try {
    await program().parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.usage);
    }
    if (error instanceof StartError) {
      terminal.print(`\n${withCode(error)}`);
      process.exit(exitCodes.failed);
    }
    if (error instanceof ConfigurationError) {
      terminal.print(error.message);
      process.exit(exitCodes.usage);
    }
    terminal.print(asText(error));
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
    if (command.parent !== potstream || (name !== 'up' && !(name in runnableRoles))) writeOutputWhole();
  });
  for (const add of commands) add(potstream);
  return potstream;
}
