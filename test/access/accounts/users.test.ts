import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AdministratorAccount,
  accountKey,
  encodeAccount,
} from '../../../src/access/accounts/account-entries.ts';
import { openAccountStore } from '../../../src/access/accounts/account-store.ts';
import type { AdministratorChange } from '../../../src/access/accounts/administrator-rights.ts';
import { resetAdministratorPassword } from '../../../src/access/accounts/reset-password.ts';
import { createUsers } from '../../../src/access/accounts/users.ts';
import type { FairTurn } from '../../../src/access/passwords/fair-queue.ts';
import type { Table } from '../../../src/ports.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

const clock = { nowMs: () => 1, elapsedMs: () => 1, after: () => () => {} };
const random = { bytes: (count: number) => new Uint8Array(count) };
const passwords = { hash: async () => 'hash', verify: async () => true, stop: async () => {} };

const account = (username: string): AdministratorAccount => ({
  username,
  password_hash: '',
  roles: ['security'],
  owners: ['*'],
  enabled: true,
  generation: '',
  created: 1,
});
/** Administrators of the whole system whose gateways read and write the table in an order that fast-check chooses. */
async function system(scheduler: fc.Scheduler, names: readonly string[]) {
  const table = memoryTable();
  for (const name of names)
    await table.put(accountKey('administrator', name), encodeAccount('administrator', account(name)), 0);
  const slow: Table = {
    ...table,
    get: scheduler.scheduleFunction(table.get),
    put: scheduler.scheduleFunction(table.put),
  };
  const change = async (by: string, username: string, what: AdministratorChange) => {
    const accounts = await openAccountStore(slow);
    const users = createUsers({ accounts, passwords, clock, random });
    const result = await users
      .changeAdministrator(username, what, { by })
      .catch((error: { code: string }) => error.code);
    await accounts.stop();
    return typeof result === 'string' ? result : 'changed';
  };
  const accounts = await openAccountStore(table);
  return { change, accounts };
}

const takeAway: readonly AdministratorChange[] = [{ enabled: false }, { roles: ['viewer'] }];

test.each([2, 3, 4])('of %i administrators who disable each other at once, one remains', async (count) => {
  const names = Array.from({ length: count }, (_, index) => `admin-${index}`);
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom(...takeAway), { minLength: count, maxLength: count }),
      async (scheduler, changes) => {
        const { change, accounts } = await system(scheduler, names);
        const results = await scheduler.waitFor(
          Promise.all(names.map((by, index) => change(by, names[(index + 1) % count]!, changes[index]!))),
        );
        const left = (await Promise.all(names.map((name) => accounts.read('administrator', name)))).filter(
          (read) => read?.value.enabled && read.value.roles.includes('security'),
        );
        const changed = results.filter((result) => result === 'changed').length;
        expect(left.length).toBeGreaterThan(0);
        expect(left).toHaveLength(count - changed);
        for (const result of results)
          expect(['changed', 'token_revoked', 'forbidden', 'account_contention']).toContain(result);
        await accounts.stop();
      },
    ),
  );
});

test('a reset of the password brings a disabled administrator back, and ends its tokens', async () => {
  const table = memoryTable();
  const key = accountKey('administrator', 'root');
  await table.put(
    key,
    encodeAccount('administrator', { ...account('root'), enabled: false, generation: 'x' }),
    0,
  );
  const reset = (username: string) =>
    resetAdministratorPassword(table, { username, password: 'a long password' }, { random });
  expect(await reset('nobody')).toBe(false);
  expect(await reset('root')).toBe(true);
  const accounts = await openAccountStore(table);
  const root = accounts.find('administrator', 'root');
  await accounts.stop();
  expect(root).toMatchObject({ enabled: true, roles: ['security'], owners: ['*'] });
  expect(root?.generation).not.toBe('x');
  expect(root?.password_hash).toMatch(/^\$argon2id\$/);
});

test('the administrators of an operator share their turns to hash passwords, and no other operator does', async () => {
  const table = memoryTable();
  for (const [name, owners] of [
    ['one', ['acme']],
    ['two', ['acme:main']],
    ['other', ['rival']],
    ['root', ['*']],
  ] as const)
    await table.put(
      accountKey('administrator', name),
      encodeAccount('administrator', { ...account(name), owners: [...owners] }),
      0,
    );
  const accounts = await openAccountStore(table);
  const turns: string[] = [];
  const hash = async (_: string, { address }: FairTurn) => {
    turns.push(address);
    return '';
  };
  const users = createUsers({ accounts, passwords: { ...passwords, hash }, clock, random });
  for (const [at, by] of ['one', 'two', 'other', 'root'].entries())
    await users.createServiceUser({ username: `u${at}`, password: '', operator: 'x', brands: null }, { by });
  expect(turns[0]).toBe(turns[1]);
  expect(new Set(turns).size).toBe(3);
  await accounts.stop();
});
