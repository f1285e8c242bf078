import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  goldPot,
  startWorld,
  template,
  type World,
} from '../../../../support/administration.ts';

/** What If-Match names is compared before a change is proposed, and a repeat still meets its approval. */
let world: World;
let instance: string;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
  const pots = [{ ...goldPot, pot_types: [{ External: {} }] }];
  await world.call('POST', '/config/templates', template('external', { pots }));
  instance = await createInstance(world, { template_id: 'external' });
  await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
  await world.call('PUT', at('pots/gold/seed-value'), { adjustment: 5, reason: 'up' });
  const rule = { four_eyes: { enabled: true, limit: '500' } };
  expect((await world.call('PATCH', '/config/operators/acme', rule)).status).toBe(204);
});
afterEach(() => world.stop());

const at = (rest: string) => `/config/instances/${instance}/${rest}`;
const win = { brand_id: 'acme:main', player_id: 'ada', source_id: 'slot-1' };
const changes: readonly [method: string, rest: string, body: object][] = [
  ['PUT', 'pots/gold/current-value', { adjustment: 501, reason: 'above the limit' }],
  ['PUT', 'pots/gold/seed-value', { adjustment: 1, reason: 'down' }],
  ['POST', 'pots/gold/trigger', win],
];
/** The lane says that it lowers the pot. */
const lower = ['PUT', 'pots/gold/current-value', { adjustment: 1, reason: 'down' }] as const;

it.each([...changes, lower])('%s %s %o for another version is no proposal', async (method, rest, body) => {
  const stale = await world.call(method, at(rest), body, { headers: { 'If-Match': '1' } });
  expect(stale).toMatchObject({ status: 409, json: { code: 'version_conflict' } });
  const current = await world.call(method, at(rest), body, { headers: { 'If-Match': '2' } });
  expect(current.status, current.text).toBe(202);
});

it.each(changes)('%s %s %o is repeated after another change', async (method, rest, body) => {
  const headers = { 'If-Match': '2', 'Idempotency-Key': 'one' };
  const first = await world.call(method, at(rest), body, { headers });
  await world.call('PATCH', `/config/instances/${instance}`, { name: 'Renamed' });
  const repeat = await world.call(method, at(rest), body, { headers });
  expect([first.status, repeat.status]).toEqual([202, 202]);
  expect(repeat.json.id).toBe(first.json.id);
});
