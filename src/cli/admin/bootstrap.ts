import { createFirstAdministrator, isBootstrapClosed } from '../../access/accounts/bootstrap.ts';
import type { Settings } from '../../config/settings.ts';
import { systemClock, systemRandom } from '../../wiring.ts';
import { newPassword } from '../system/credentials-file.ts';
import { reachable } from '../system/reachable.ts';
import { auditedAccountChange, withAccounts } from './audited.ts';

/** Creates the first administrator of the system that the settings name. Each start of `up` asks: that changes nothing. */
export function bootstrapAdministrator(
  settings: Settings,
  credentials: { readonly username: string; readonly password: string },
): Promise<'created' | keyof typeof refusals> {
  return withAccounts(settings, async (accounts) => {
    const { table } = accounts;
    const { username } = credentials;
    if (await isBootstrapClosed(table, username)) return 'bootstrap_closed';
    return auditedAccountChange(
      accounts,
      { operation: 'admin.bootstrap', username },
      () => createFirstAdministrator(table, credentials, { clock: systemClock, random: systemRandom }),
      (result) => (result === 'created' ? null : result),
    );
  });
}

const refusals = {
  audit_unavailable: 'Nothing was changed: the audit trail cannot be written.',
  bootstrap_closed: 'The first administrator exists already; this works only once.',
  secret_too_weak: 'The password is too weak.',
  invalid_identifier: 'The username is not well-formed.',
} as const;

/** `potstream admin bootstrap`: gives the exit code, and prints the new credentials on stdout. */
export async function bootstrapCommand(
  settings: Settings,
  username: string,
  print: (line: string) => void,
): Promise<number> {
  const credentials = { username, password: newPassword() };
  const result = await bootstrapAdministrator(reachable(settings), credentials);
  if (result !== 'created') {
    print(refusals[result]);
    return 1;
  }
  process.stdout.write(`${JSON.stringify(credentials)}\n`);
  return 0;
}
