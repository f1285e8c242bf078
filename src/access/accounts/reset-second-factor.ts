import type { Random, Table } from '../../ports.ts';
import { withNewGeneration } from './account-entries.ts';
import { openAccountStore } from './account-store.ts';

/**
 * Removes an administrator's second factor; the tokens of the account end. For the command line, as
 * `resetAdministratorPassword`. @throws LogError on outages, AccountContention
 */
export async function resetSecondFactor(
  table: Table,
  username: string,
  { random }: { readonly random: Random },
): Promise<'done' | 'user_not_found' | 'no_second_factor'> {
  const accounts = await openAccountStore(table);
  try {
    if (accounts.find('factor', username) === undefined) return 'no_second_factor';
    const end = await accounts.update('administrator', username, (current) =>
      withNewGeneration(current, random),
    );
    if (end === null) return 'user_not_found';
    return (await accounts.remove('factor', username)) ? 'done' : 'no_second_factor';
  } finally {
    await accounts.stop();
  }
}
