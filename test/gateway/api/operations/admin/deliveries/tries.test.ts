import { afterAll, beforeAll, expect, it } from 'vitest';
import { noon, rowWith } from '../../../../../reporting/support/batches.ts';
import { systemId } from '../../../../../reporting/support/places.ts';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

/** Tries of deliveries over HTTP, from real books in files. */
let world: World;
const idOf = (index: number) => `00000000-0000-5000-8000-${String(index).padStart(12, '0')}`;

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  const tried = (number: number, given: object) =>
    rowWith('callback_tries', {
      ...{ process: 'outbox', number, time: noon + number, took_ms: 12, kind: 'ContributionResult' },
      ...{ operator: 'acme', owner: 'acme:main', origin: 'https://hooks.example.com', lane: 1, sequence: 7 },
      ...given,
    });
  const failed = { result: 'failed', error: 'status_500', status: 500, is_final: false };
  const delivered = { result: 'delivered', error: null, status: 204, is_final: true };
  const position = { sequence: 1, timestampMs: noon, systemId };
  const callback_tries = [
    tried(1, { event_id: idOf(1), ...failed }),
    tried(2, { event_id: idOf(1), ...failed, error: 'no_answer', status: null }),
    tried(3, { event_id: idOf(1), ...delivered }),
    tried(4, { event_id: idOf(2), ...delivered, owner: 'acme:vip' }),
    tried(5, { event_id: idOf(3), ...delivered, kind: 'DiversionFlush', owner: 'acme' }),
    tried(6, { event_id: idOf(4), ...delivered, kind: 'Event', owner: 'rival', operator: 'rival' }),
    tried(7, { event_id: idOf(5), ...failed, is_final: true, owner: 'rival:main', operator: 'rival' }),
  ];
  const store = await world.books.store();
  await store.writeStream({ stream: 'TRIES', after: -1, position, rows: { callback_tries } });
});
afterAll(() => world.stop());

const get = (query: string, token?: string) =>
  world.call('GET', `/config/deliveries/tries?${query}`, undefined, token === undefined ? {} : { token });
const numbers = async (query: string, token?: string): Promise<number[]> => {
  const { status, json, text } = await get(query, token);
  expect(status, text).toBe(200);
  return json.map(({ timestamp }: { timestamp: number }) => timestamp - noon);
};

it('shows what was delivered, with the status and the time', async () => {
  const { json, headers } = await get(`result=delivered&event_id=${idOf(1)}`);
  expect(json).toEqual([
    {
      ...{ event_id: idOf(1), kind: 'callback', owner_id: 'acme:main', origin: 'https://hooks.example.com' },
      ...{ timestamp: noon + 3, took_ms: 12, result: 'delivered', status: 204, error: null, is_final: true },
      ...{ lane: 1, sequence: 7 },
    },
  ]);
  expect(headers.get('x-total-count')).toBe('1');
});

it('has each try of one delivery', async () => {
  const { json } = await get(`event_id=${idOf(1)}&sort_direction=1`);
  expect(json.map(({ result, status, error }: never) => [result, status, error])).toEqual([
    ['failed', 500, 'status_500'],
    ['failed', null, 'no_answer'],
    ['delivered', 204, null],
  ]);
});

it.each([
  ['', [7, 6, 5, 4, 3, 2, 1]],
  ['result=delivered', [6, 5, 4, 3]],
  ['kind=event', [6]],
  ['kind=flush', [5]],
  ['kind=callback&result=failed', [7, 2, 1]],
  ['owner_id=acme', [5, 4, 3, 2, 1]],
  ['owner_id=acme:vip', [4]],
  [`from=${noon + 2}&to=${noon + 4}`, [3, 2]],
])('is narrowed by %j', async (query, expected) => {
  expect(await numbers(query)).toEqual(expected);
});

it('goes on behind the last row of a page', async () => {
  const seen: number[] = [];
  for (let cursor = ''; ; ) {
    const { json, headers } = await get(`limit=3${cursor}`);
    seen.push(...json.map(({ timestamp }: { timestamp: number }) => timestamp - noon));
    const next = headers.get('x-next-cursor');
    if (next === null) break;
    cursor = `&cursor=${next}`;
  }
  expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1]);
  const bad = await get('cursor=bm9uZQ');
  expect([bad.status, bad.json.code]).toEqual([400, 'invalid_parameter']);
});

it.each([
  [['acme'], [5, 4, 3, 2, 1]],
  [['acme:main'], [3, 2, 1]],
  [
    ['acme:vip', 'rival'],
    [7, 6, 4],
  ],
])('shows administrators of %j theirs alone', async (owners, expected) => {
  const token = await world.token(['viewer'], owners);
  expect(await numbers('', token)).toEqual(expected);
  expect(await numbers(`event_id=${idOf(owners.includes('rival') ? 1 : 5)}`, token)).toEqual([]);
});

it('answers for a foreign owner as for one that is not there', async () => {
  const token = await world.token(['viewer'], ['acme:main']);
  for (const [owner, code] of [
    ['rival', 'operator_not_found'],
    ['acme', 'operator_not_found'],
    ['acme:vip', 'brand_not_found'],
    ['acme:gone', 'brand_not_found'],
  ] as const) {
    const answer = await get(`owner_id=${owner}`, token);
    expect([owner, answer.status, answer.json.code]).toEqual([owner, 404, code]);
  }
});
