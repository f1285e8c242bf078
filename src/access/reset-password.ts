import type { Clock, Random, Table } from '../ports.ts';
import { withNewGeneration } from './account-entries.ts';
import { openAccountStore } from './account-store.ts';
import { administratorTurn, createPasswords } from './password.ts';

/**
 * Replaces the password of an administrator whose roles and owners stay, and enables the account; its tokens end. For the
 * command line: whoever may write KV ACCOUNTS has the power of an administrator. False: there is no such account.
 * @throws LogError on outages, AccountContention
 */
export async function resetAdministratorPassword(
  table: Table,
  { username, password }: { readonly username: string; readonly password: string },
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<boolean> {
  const accounts = await openAccountStore(table);
  try {
    const password_hash = await createPasswords(clock).hash(password, administratorTurn(''));
    const changed = await accounts.update('administrator', username, (current) => ({
      ...withNewGeneration(current, random),
      password_hash,
      enabled: true,
    }));
    return changed !== null;
  } finally {
    await accounts.stop();
  }
}
