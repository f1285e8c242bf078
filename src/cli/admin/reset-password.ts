import { resetAdministratorPassword } from '../../access/reset-password.ts';
import type { Settings } from '../../config.ts';
import { openAccountsTable, systemClock, systemRandom } from '../../wiring.ts';
import { newPassword } from '../up/credentials.ts';
import { reachable } from './reachable.ts';

/** `potstream admin reset-password`: gives the exit code, and prints the new credentials on stdout. */
export async function resetPasswordCommand(
  settings: Settings,
  username: string,
  print: (line: string) => void,
): Promise<number> {
  const credentials = { username, password: newPassword() };
  const accounts = await openAccountsTable(reachable(settings), 'start');
  try {
    const ports = { clock: systemClock, random: systemRandom };
    if (!(await resetAdministratorPassword(accounts.table, credentials, ports))) {
      print('There is no such administrator.');
      return 1;
    }
  } finally {
    await accounts.close();
  }
  process.stdout.write(`${JSON.stringify(credentials)}\n`);
  return 0;
}
