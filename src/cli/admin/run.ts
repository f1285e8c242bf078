import { createFirstAdministrator, isBootstrapClosed } from '../../access/accounts/bootstrap.ts';
import { resetAdministratorPassword } from '../../access/accounts/reset-password.ts';
import { resetSecondFactor } from '../../access/accounts/reset-second-factor.ts';
import type { Settings } from '../../config/settings.ts';
import { dataPaths } from '../../runtime/data-directory.ts';
import { systemClock, systemRandom } from '../../wiring.ts';
import { newPassword, removePassword } from '../system/credentials-file.ts';
import { ofRunningSystem } from '../system/nats-access.ts';
import type { CommandOutput } from '../terminal/output.ts';
import { administratorOf, auditedAccountChange, withAccounts } from './audited.ts';

type Credentials = { readonly username: string; readonly password: string };

const ports = { clock: systemClock, random: systemRandom };
const refusals = {
  audit_unavailable: 'Nothing was changed: the audit trail cannot be written.',
  bootstrap_closed: 'The first administrator exists already; this works only once.',
  secret_too_weak: 'The password is too weak.',
  invalid_identifier: 'The username is not well-formed.',
  user_not_found: 'There is no such administrator.',
  no_second_factor: 'The administrator has no second factor.',
} as const;

type Result = 'done' | keyof typeof refusals;

/** Creates the first administrator of a system. Each start of `up` asks: that changes nothing. */
export function bootstrapAdministrator(settings: Settings, credentials: Credentials): Promise<Result> {
  const { username } = credentials;
  return withAccounts(settings, async (accounts) => {
    if (await isBootstrapClosed(accounts.table, username)) return 'bootstrap_closed';
    return auditedAccountChange(accounts, { operation: 'admin.bootstrap', username }, async () => {
      const result = await createFirstAdministrator(accounts.table, credentials, ports);
      return result === 'created' ? 'done' : result;
    });
  });
}

/** `potstream admin bootstrap`: gives the exit code, and prints the new credentials on stdout. */
export function bootstrapCommand(
  settings: Settings,
  username: string,
  output: CommandOutput,
): Promise<number> {
  return withNewPassword(settings, username, output, bootstrapAdministrator);
}

/** `potstream admin reset-password`: as `bootstrapCommand`, for an administrator who exists. */
export function resetPasswordCommand(
  settings: Settings,
  username: string,
  output: CommandOutput,
): Promise<number> {
  return withNewPassword(settings, username, output, (reached, credentials) =>
    withAccounts(reached, async (accounts): Promise<Result> => {
      const { table } = accounts;
      // An unknown name may be a password: it does not belong in the trail.
      if ((await administratorOf(table, username)) === null) return 'user_not_found';
      return auditedAccountChange(accounts, { operation: 'admin.reset-password', username }, async () =>
        (await resetAdministratorPassword(table, credentials, ports)) ? 'done' : 'user_not_found',
      );
    }),
  );
}

/** `potstream admin reset-second-factor`: gives the exit code. */
export async function resetSecondFactorCommand(
  settings: Settings,
  username: string,
  { print }: CommandOutput,
): Promise<number> {
  const result = await withAccounts(ofRunningSystem(settings, 'start'), async (accounts): Promise<Result> => {
    if ((await administratorOf(accounts.table, username)) === null) return 'user_not_found';
    return auditedAccountChange(accounts, { operation: 'admin.reset-second-factor', username }, () =>
      resetSecondFactor(accounts.table, username, ports),
    );
  });
  print(result === 'done' ? `${username} has no second factor any more.` : refusals[result]);
  return result === 'done' ? 0 : 1;
}

/** `potstream admin forget-password`: gives the exit code. */
export function forgetPasswordCommand(settings: Settings, { print }: CommandOutput): number {
  const { credentials } = dataPaths(settings.dataDirectory);
  if (!removePassword(credentials)) {
    print(`${credentials} contains no administrator's password.`);
    return 1;
  }
  print(
    `Removed the password from ${credentials}. The account keeps its password. The demo needs the file's, so start with --no-demo from now on.`,
  );
  return 0;
}

async function withNewPassword(
  settings: Settings,
  username: string,
  { write, print }: CommandOutput,
  change: (settings: Settings, credentials: Credentials) => Promise<Result>,
): Promise<number> {
  const credentials = { username, password: newPassword() };
  const result = await change(ofRunningSystem(settings, 'start'), credentials);
  if (result === 'done') write(`${JSON.stringify(credentials)}\n`);
  else print(refusals[result]);
  return result === 'done' ? 0 : 1;
}
