import { type Command, InvalidArgumentError } from 'commander';
import { systemSettings } from '../system/settings.ts';
import { terminal } from '../terminal/output.ts';

/** `potstream admin`: administrators, where no one can log in. */
export function addAdministratorCommands(potstream: Command): void {
  const admin = potstream.command('admin').description('manage administrators from this machine');
  admin
    .command('bootstrap')
    .description('create the first administrator, once; prints {username, password} as JSON')
    .option('--username <name>', 'name of the administrator', asUsername, 'admin')
    .action(async (options: { username: string }) => {
      const { bootstrapCommand } = await import('./run.ts');
      process.exit(await bootstrapCommand(systemSettings(), options.username, terminal));
    });
  admin
    .command('reset-password')
    .description(
      'give an administrator a new password and enable the account; prints {username, password} as JSON',
    )
    .argument('<name>', 'name of the administrator', asUsername)
    .action(async (username: string) => {
      const { resetPasswordCommand } = await import('./run.ts');
      process.exit(await resetPasswordCommand(systemSettings(), username, terminal));
    });
  admin
    .command('reset-second-factor')
    .description(
      'remove the second factor of an administrator who has lost it; ends the sessions of the account',
    )
    .argument('<name>', 'name of the administrator', asUsername)
    .action(async (username: string) => {
      const { resetSecondFactorCommand } = await import('./run.ts');
      process.exit(await resetSecondFactorCommand(systemSettings(), username, terminal));
    });
  admin
    .command('forget-password')
    .description(
      "remove the first administrator's password from credentials.json; change it first with PUT /auth/admin/password",
    )
    .action(async () => {
      const { forgetPasswordCommand } = await import('./run.ts');
      process.exit(forgetPasswordCommand(systemSettings(), terminal));
    });
}

function asUsername(text: string): string {
  if (!/^[A-Za-z0-9_.@+-]{1,64}$/.test(text))
    throw new InvalidArgumentError('1 to 64 of A-Z a-z 0-9 _ . @ + -');
  return text;
}
