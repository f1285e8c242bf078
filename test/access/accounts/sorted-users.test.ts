import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openAccountStore } from '../../../src/access/accounts/account-store.ts';
import { createLastLogins } from '../../../src/access/accounts/last-logins.ts';
import { sortUsers } from '../../../src/access/accounts/sorted-users.ts';
import type { SortedMap } from '../../../src/lib/sorted/sorted-map.ts';
import { finish } from '../../../src/lib/turns.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

const username = fc.constantFrom('ada', 'bo', 'cy', 'dan');
const step = fc.record({
  what: fc.constantFrom('administrator', 'service', 'login', 'remove', 'read'),
  username,
  operator: fc.constantFrom('acme', 'other'),
});

function inOrder<T, F extends string>(
  users: SortedMap<T, F>,
  field: F,
  group: string | null = null,
): readonly T[] {
  return finish(users.page({ field, direction: 1, offset: 0, limit: 100, group, matches: null }));
}

test('lists of users follow changes, removals, log-ins and names that others take', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      let nowMs = 0;
      const clock = { nowMs: () => nowMs, elapsedMs: () => nowMs, after: () => () => {} };
      const accounts = await openAccountStore(memoryTable());
      const logins = createLastLogins(accounts, clock);
      const users = sortUsers(accounts, logins);
      const other = sortUsers(accounts, logins);
      for (const { what, username, operator } of steps) {
        nowMs += 100_000;
        const account = { username, password_hash: '', enabled: true, generation: '', created: nowMs };
        if (what === 'administrator')
          await accounts.set('administrator', username, { ...account, roles: ['security'], owners: ['*'] });
        if (what === 'service')
          await accounts.set('service', username, { ...account, operator_id: operator, brands: null });
        if (what === 'remove') await accounts.remove('service', username);
        if (what === 'login') logins.record('service', username);
        await new Promise((resolve) => setImmediate(resolve));
        if (what !== 'read') continue;
        const services = accounts.list('service');
        const lastLogin = (each: (typeof services)[number]) => logins.of('service', each) ?? 0;
        const byLogin = [...services].sort((a, b) => lastLogin(a) - lastLogin(b));
        expect(inOrder(users.administrator, 'username')).toEqual(accounts.list('administrator'));
        expect(inOrder(users.service, 'last_login_timestamp')).toEqual(byLogin);
        expect(inOrder(users.service, 'username', 'acme')).toEqual(
          services.filter(({ operator_id }) => operator_id === 'acme'),
        );
        expect(inOrder(other.service, 'operator_id').map(({ operator_id }) => operator_id)).toEqual(
          services.map(({ operator_id }) => operator_id).sort(),
        );
      }
      await accounts.stop();
    }),
  );
});
