import { administratorRoles } from '../../contracts/accounts/users.ts';
import type { Clock, Random, Table } from '../../ports.ts';
import { hashPassword, isAcceptablePassword } from '../passwords/password.ts';
import {
  type AccountKind,
  type AdministratorAccount,
  accountKey,
  bootstrapKey,
  encodeAccount,
  newGeneration,
} from './account-entries.ts';
import { everyOwner } from './administrator-rights.ts';

const personKinds: readonly AccountKind[] = ['administrator', 'service'];

type BootstrapResult = 'created' | 'bootstrap_closed' | 'secret_too_weak' | 'invalid_identifier';

/** Creates the first administrator, who may do everything, once. @throws LogError on outages */
export async function createFirstAdministrator(
  table: Table,
  credentials: { readonly username: string; readonly password: string },
  ports: { readonly clock: Clock; readonly random: Random },
): Promise<BootstrapResult> {
  if (!isUsername(credentials.username)) return 'invalid_identifier';
  if (!isAcceptablePassword(credentials.password)) return 'secret_too_weak';
  if (await isBootstrapClosed(table, credentials.username)) return 'bootstrap_closed';
  const account: AdministratorAccount = {
    username: credentials.username,
    password_hash: await hashPassword(credentials.password),
    roles: [...administratorRoles],
    owners: [everyOwner],
    enabled: true,
    generation: newGeneration(ports.random),
    created: ports.clock.nowMs(),
  };
  // The mark comes first: only the user that it names may create the account. A caller that stopped between
  // the two steps finds its name in the mark and continues.
  await table.put(bootstrapKey, Buffer.from(credentials.username, 'utf8'), 0);
  if (await isBootstrapClosed(table, credentials.username)) return 'bootstrap_closed';
  const key = accountKey('administrator', credentials.username);
  return (await table.put(key, encodeAccount('administrator', account), 0)) === null
    ? 'bootstrap_closed'
    : 'created';
}

/** Whether there ever was an account; the user whom the mark names may still make theirs. @throws LogError */
export async function isBootstrapClosed(table: Table, username: string): Promise<boolean> {
  const mark = await table.get(bootstrapKey);
  if (mark !== null && Buffer.from(mark.value).toString('utf8') !== username) return true;
  const traces = mark === null ? ['bootstrap', ...personKinds] : personKinds;
  for (const kind of traces) if (await table.everHad(kind)) return true;
  return false;
}

/** 1 to 64 letters, digits or characters of `_.+-`: names with `@` belong to users of operators. */
function isUsername(name: string): boolean {
  return /^[A-Za-z0-9_.+-]{1,64}$/.test(name);
}
