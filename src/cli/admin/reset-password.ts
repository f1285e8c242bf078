import { resetAdministratorPassword } from '../../access/accounts/reset-password.ts';
import type { Settings } from '../../config/settings.ts';
import { systemClock, systemRandom } from '../../wiring.ts';
import { newPassword } from '../system/credentials-file.ts';
import { reachable } from '../system/reachable.ts';
import { type AuditedAccounts, administratorOf, auditedAccountChange, withAccounts } from './audited.ts';

/** `potstream admin reset-password`: gives the exit code, and prints the new credentials on stdout. */
export async function resetPasswordCommand(
  settings: Settings,
  username: string,
  print: (line: string) => void,
): Promise<number> {
  const credentials = { username, password: newPassword() };
  const result = await withAccounts(reachable(settings), (accounts) => reset(accounts, credentials));
  if (result !== 'done') {
    print(refusals[result]);
    return 1;
  }
  process.stdout.write(`${JSON.stringify(credentials)}\n`);
  return 0;
}

const refusals = {
  user_not_found: 'There is no such administrator.',
  audit_unavailable: 'Nothing was changed: the audit trail cannot be written.',
} as const;

async function reset(
  accounts: AuditedAccounts,
  credentials: { readonly username: string; readonly password: string },
): Promise<'done' | keyof typeof refusals> {
  const { table } = accounts;
  const { username } = credentials;
  // An unknown name may be a password: it does not belong in the trail.
  if ((await administratorOf(table, username)) === null) return 'user_not_found';
  const ports = { clock: systemClock, random: systemRandom };
  return auditedAccountChange(
    accounts,
    { operation: 'admin.reset-password', username },
    async () => ((await resetAdministratorPassword(table, credentials, ports)) ? 'done' : 'user_not_found'),
    (result) => (result === 'done' ? null : result),
  );
}
