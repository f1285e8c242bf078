import { bootstrapAdministrator as bootstrapInTable } from '../../access/bootstrap.ts';
import type { Settings } from '../../config.ts';
import { type BootstrapAdministrator, openAccountsTable, systemClock, systemRandom } from '../../wiring.ts';
import { newPassword } from '../up/credentials.ts';
import { reachable } from './reachable.ts';

/** Creates the first administrator of the system that the settings name. */
export const bootstrapAdministrator: BootstrapAdministrator = async (settings, credentials) => {
  const accounts = await openAccountsTable(settings, 'start');
  try {
    return await bootstrapInTable(accounts.table, credentials, { clock: systemClock, random: systemRandom });
  } finally {
    await accounts.close();
  }
};

const refusals = {
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
