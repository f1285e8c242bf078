import type { Random, Table } from '../../ports.ts';
import { hashPassword } from '../passwords/password.ts';
import { withNewGeneration } from './account-entries.ts';
import { openAccountStore } from './account-store.ts';

/**
 * Replaces the password of an administrator whose roles and owners stay, and enables the account; its
 * tokens end, and no account that made it counts as the same person any more. For the command line: a user
 * who may write KV ACCOUNTS has the power of an administrator. False: there is no such account.
 * @throws LogError on outages, AccountContention
 */
export async function resetAdministratorPassword(
  table: Table,
  { username, password }: { readonly username: string; readonly password: string },
  { random }: { readonly random: Random },
): Promise<boolean> {
  const accounts = await openAccountStore(table);
  try {
    const password_hash = await hashPassword(password);
    const changed = await accounts.update('administrator', username, (current) => ({
      ...withNewGeneration(current, random),
      password_hash,
      enabled: true,
      made_by: [],
    }));
    return changed !== null;
  } finally {
    await accounts.stop();
  }
}
