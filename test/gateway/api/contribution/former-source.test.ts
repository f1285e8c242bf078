import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../support/administration.ts';

let world: World;
let token: string;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
  // A group of its own: its lane need not be the operator's.
  const instance = await createInstance(world, { group: 'acme:apart' });
  const binding = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', binding)).status).toBe(204);
  const change = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, change)).status).toBe(200);
  expect((await contribute('first')).status).toBe(200);
  expect((await world.call('POST', '/config/sources/remove', binding)).status).toBe(204);
  const removed = await world.call('DELETE', '/config/sources', [{ owner_id: 'acme', source_id: 'slot-1' }]);
  expect(removed.json).toMatchObject({ succeeded: ['slot-1'] });
});
afterAll(() => world.stop());

const contribute = (idempotency_key: string | null, base_wager: unknown = 1) => {
  const player = { token: 'session', brand_id: 'main', player_id: 'p', player_country: 'DE' };
  const body = { ...player, base_wager, currency: 'EUR', idempotency_key };
  return world.call('POST', '/v1/jackpot/sources/slot-1/contributions', body, { token });
};

it('a retry meets its key though its source is gone', async () => {
  const retry = await contribute('first');
  expect(retry).toMatchObject({ status: 204, text: '' });
  expect(retry.headers.get('x-contribution-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await contribute('first', 2)).toMatchObject({
    status: 422,
    json: { code: 'idempotency_key_reused' },
  });
});

it.each([
  [null, 1],
  ['another', 1],
  ['first', -1],
])('what is no repeat is refused (key %s, wager %s)', async (key, wager) => {
  const sent = world.commands.length;
  expect(await contribute(key, wager)).toMatchObject({ status: 404, json: { code: 'source_not_found' } });
  expect(world.commands).toHaveLength(sent);
});
