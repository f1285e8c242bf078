import { bootstrapAdministrator as bootstrapInTable, isBootstrapClosed } from '../../access/bootstrap.ts';
import type { Settings } from '../../config.ts';
import { type BootstrapAdministrator, systemClock, systemRandom } from '../../wiring.ts';
import { newPassword } from '../up/credentials.ts';
import { audited, withAccounts } from './audited.ts';
import { reachable } from './reachable.ts';

/** Creates the first administrator of the system that the settings name. Each start of `up` asks: that changes nothing. */
export const bootstrapAdministrator: BootstrapAdministrator = (settings, credentials) =>
  withAccounts(settings, async (accounts) => {
    const { table } = accounts;
    const { username } = credentials;
    if (await isBootstrapClosed(table, username)) return 'bootstrap_closed';
    return audited(
      accounts,
      { operation: 'admin.bootstrap', username },
      () => bootstrapInTable(table, credentials, { clock: systemClock, random: systemRandom }),
      (result) => (result === 'created' ? null : result),
    );
  });

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
