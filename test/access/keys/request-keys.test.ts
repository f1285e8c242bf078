import { expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../../src/access/accounts/account-store.ts';
import { createRequestKeys } from '../../../src/access/keys/request-keys.ts';
import { accountState } from '../../../src/gateway/api/audit/account-changes.ts';
import type { GatewayContext, OperationRequest } from '../../../src/gateway/api/operation/operation.ts';
import { memoryTable } from '../../gateway/support/memory-table.ts';

const sealer = { seal: (text: string) => text, open: (text: string) => text } as never;
let ids = 0;
const random = {
  bytes: (length: number) => {
    ids += 1;
    return Buffer.alloc(length).fill(String(ids));
  },
} as never;

async function keysOfUsers(users: number) {
  const table = memoryTable();
  const accounts = await openAccountStore(table);
  for (let user = 0; user < users; user += 1)
    await accounts.create('request', `key-${user}`, {
      key_id: `key-${user}`,
      username: `user-${user}`,
      generation: 'g',
      sealed: 's',
      created: user,
    });
  let listings = 0;
  const counted: AccountStore = {
    ...accounts,
    entries: (kind) => {
      listings += 1;
      return accounts.entries(kind);
    },
    list: (kind) => {
      listings += 1;
      return accounts.list(kind);
    },
  };
  const clock = { nowMs: () => 1_000 } as never;
  const requestKeys = createRequestKeys(counted, sealer, clock, random);
  listings = 0;
  return { accounts, counted, requestKeys, listings: () => listings };
}

it('keys of a user are found without a look at those of others, present and later ones', async () => {
  const { accounts, counted, requestKeys, listings } = await keysOfUsers(50);
  expect(requestKeys.idsOf('user-7')).toEqual(['key-7']);
  expect(requestKeys.idsOf('nobody')).toEqual([]);
  const { keyId } = await requestKeys.create({ username: 'user-7', generation: 'g' } as never);
  expect(requestKeys.idsOf('user-7')).toEqual(['key-7', keyId]);
  await accounts.remove('request', 'key-7');
  expect(requestKeys.idsOf('user-7')).toEqual([keyId]);
  await requestKeys.removeAll('user-7');
  expect(requestKeys.idsOf('user-7')).toEqual([]);

  const request = { params: { username: 'user-9' }, body: {}, principal: { subject: 'root' } };
  const access = { accounts: counted, requestKeys, wallets: { shown: () => null } };
  const state = accountState(request as unknown as OperationRequest, { access } as unknown as GatewayContext);
  expect(state.get('keys of user-9')).toEqual({ value: ['key-9'] });
  expect(listings()).toBe(0);
});
