import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accountKey, encodeAccount } from '../../src/access/accounts/account-entries.ts';
import { hashPassword } from '../../src/access/passwords/password.ts';
import { administratorRoles } from '../../src/contracts/accounts/users.ts';
import { connectLog } from '../../src/log/jetstream/connect.ts';
import type { RunningSystem } from './system.ts';

export const second = { username: 'second', password: 'the password of the second' };

/** Writes the account to the log of a running system: one that the first administrator makes is not independent of it. */
export async function addSecondAdministrator({ dataDirectory }: RunningSystem): Promise<void> {
  const access = JSON.parse(await readFile(join(dataDirectory, 'run', 'nats.json'), 'utf8'));
  const log = await connectLog({
    servers: [access.url],
    credentials: { kind: 'password', user: 'start', password: access.passwords.start },
    role: 'start',
    replicas: 1,
  });
  const account = {
    username: second.username,
    password_hash: await hashPassword(second.password),
    roles: [...administratorRoles],
    owners: ['*'],
    enabled: true,
    generation: 'first',
    created: 1,
  };
  const accounts = await log.table('ACCOUNTS');
  await accounts.put(
    accountKey('administrator', second.username),
    encodeAccount('administrator', account),
    0,
  );
  await log.close();
}
