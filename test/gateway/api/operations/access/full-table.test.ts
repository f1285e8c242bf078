import { afterAll, beforeAll, expect, it } from 'vitest';
import { LogError } from '../../../../../src/ports.ts';
import { furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.token(['security'], ['*']);
});
afterAll(() => world.stop());

const user = { username: 'ada', operator_id: 'acme', password: 'a long and good one', brands: ['main'] };

it('accounts that cannot be written because their table is full are answered with storage_unavailable', async () => {
  const created = await world.call('POST', '/config/service-users', user, { token });
  expect(created.status).toBe(201);
  const { accounts } = world;
  const { put, remove } = accounts;
  const full = async (): Promise<never> => {
    throw new LogError('full', 'maximum bytes exceeded');
  };
  accounts.put = full;
  accounts.remove = full;
  const calls = [
    ['POST', '/config/service-users', { ...user, username: 'bob' }],
    ['POST', '/config/service-users/ada/keys', undefined],
    ['DELETE', '/config/service-users/ada', undefined],
  ] as const;
  for (const [method, path, body] of calls) {
    const answer = await world.call(method, path, body, { token });
    expect([path, answer.status, answer.json.code]).toEqual([path, 503, 'storage_unavailable']);
  }
  Object.assign(accounts, { put, remove });
  expect((await world.call('DELETE', '/config/service-users/ada', undefined, { token })).status).toBe(204);
});
