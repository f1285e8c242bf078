import { afterEach, beforeEach, expect, it } from 'vitest';
import { atoms } from '../../../../../jackpot/support/commands.ts';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
});
afterEach(() => world.stop());

const idOf = (index: number) => `00000000-0000-5000-8000-${String(index).padStart(12, '0')}`;
const flush = (flushId: string, amount = '7.5') => ({
  flushId,
  instance: 'flushed',
  endpoint: 'https://bank.example.com/in?key=secret',
  accountId: 'a-1',
  amountAtoms: atoms(amount),
  currency: 'EUR',
  openedMs: Date.now(),
});
const path = '/config/deliveries';

it('lists what is stored in all lanes, the oldest first, in pages', async () => {
  for (let index = 0; index < 8; index += 1) await world.deliveries.add(index % 4, idOf(index), 'acme:main');
  const first = (await world.call('GET', `${path}?limit=5`)).json;
  const second = (await world.call('GET', `${path}?limit=5&page=1`)).json;
  const ids = [...first, ...second].map(({ id }: { id: string }) => id);
  expect(ids).toHaveLength(8);
  expect(new Set(ids).size).toBe(8);
  const times = [...first, ...second].map((each) => each.created_timestamp);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const newest = (await world.call('GET', `${path}?sort_direction=-1`)).json;
  expect(newest.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
  for (const order of ['', '&sort_direction=-1', '&sort_field=next_try_timestamp'])
    expect(await walked(`${path}?limit=3${order}`)).toEqual({
      ids: (await world.call('GET', `${path}?${order}`)).json.map(({ id }: { id: string }) => id),
      totals: ['8', null, null],
    });
  const { headers } = await world.call('GET', `${path}?limit=3`);
  for (const faulty of [
    `?sort_direction=-1&cursor=${headers.get('x-next-cursor')}`,
    '?cursor=x',
    `?page=1&cursor=${headers.get('x-next-cursor')}`,
  ])
    expect((await world.call('GET', path + faulty)).json).toMatchObject({ code: 'invalid_parameter' });
});

/** All pages of a list by its cursors. */
async function walked(list: string) {
  const ids: string[] = [];
  const totals: unknown[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { json, headers } = await world.call('GET', cursor === '' ? list : `${list}&cursor=${cursor}`);
    ids.push(...json.map(({ id }: { id: string }) => id));
    totals.push(headers.get('x-total-count'));
    cursor = headers.get('x-next-cursor');
  }
  return { ids, totals };
}

it('shows the origin of an address and nothing else of it', async () => {
  await world.deliveries.add(2, idOf(1), 'acme', flush(idOf(1)));
  const { text, json } = await world.call('GET', `${path}?kind=flush&state=dead`);
  expect(json).toMatchObject([
    {
      id: idOf(1),
      event_id: idOf(1),
      event_type: 'DiversionFlush',
      kind: 'flush',
      owner_id: 'acme',
      instance_id: 'flushed',
      origin: 'https://hooks.example.com',
      state: 'dead',
      attempts: 9,
      last_error: 'no_answer',
      next_try_timestamp: null,
      amount: 7.5,
      currency: 'EUR',
    },
  ]);
  expect(text).not.toContain('secret');
  expect((await world.call('GET', `${path}?kind=callback`)).json).toEqual([]);
});

it('an administrator sees and decides about its owners only', async () => {
  await world.deliveries.add(0, idOf(1), 'acme:main');
  await world.deliveries.add(1, idOf(2), 'rival:main');
  const token = await world.token(['viewer', 'finance'], ['acme']);
  const { json } = await world.call('GET', path, undefined, { token });
  expect(json.map(({ id }: { id: string }) => id)).toEqual([idOf(1)]);
  const foreign = await world.call('POST', `${path}/${idOf(2)}/replay`, undefined, { token });
  const missing = await world.call('POST', `${path}/${idOf(3)}/replay`, undefined, { token });
  expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
  const viewer = await world.token(['viewer'], ['acme']);
  expect((await world.call('POST', `${path}/${idOf(1)}/replay`, undefined, { token: viewer })).status).toBe(
    403,
  );
});

it('a replay makes a dead delivery pending with all tries ahead', async () => {
  await world.deliveries.add(3, idOf(1), 'acme:main');
  const { status, json } = await world.call('POST', `${path}/${idOf(1)}/replay`);
  expect([status, json.state, json.attempts]).toEqual([200, 'pending', 0]);
  expect((await world.call('GET', `${path}?state=dead`)).json).toEqual([]);
});

it('a resolved callback is gone; a delivery that is tried again cannot be resolved', async () => {
  await world.deliveries.add(0, idOf(1), 'acme:main');
  const body = { result: 'confirmed', reason: 'They have it.' };
  expect((await world.call('POST', `${path}/${idOf(1)}/resolve`, { ...body, reason: ' ' })).json.code).toBe(
    'reason_required',
  );
  expect((await world.call('POST', `${path}/${idOf(1)}/resolve`, body)).json.state).toBe('resolved');
  expect((await world.call('POST', `${path}/${idOf(1)}/resolve`, body)).status).toBe(404);
  await world.deliveries.add(0, idOf(2), 'acme:main');
  await world.call('POST', `${path}/${idOf(2)}/replay`);
  expect((await world.call('POST', `${path}/${idOf(2)}/resolve`, body)).json.code).toBe('invalid_transition');
});

it('a flush above the limit needs a second administrator', async () => {
  await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true, limit: '7' } });
  await world.deliveries.add(1, idOf(1), 'acme', flush(idOf(1), '7.00000001'));
  await world.deliveries.add(1, idOf(2), 'acme', flush(idOf(2), '7'));
  const body = { result: 'failed', reason: 'They do not have it.' };
  const proposed = await world.call('POST', `${path}/${idOf(1)}/resolve`, body);
  expect(proposed.status).toBe(202);
  expect((await world.call('POST', `${path}/${idOf(2)}/resolve`, body)).status).toBe(200);
});

it('a time range is replayed once for a key, and its progress is shown to those who may see it', async () => {
  const options = { headers: { 'idempotency-key': 'one' }, token: await world.token(['finance'], ['acme']) };
  const begun = await world.call('POST', `${path}/replay`, { from: 5, to: 9 }, options);
  expect([begun.status, begun.json]).toEqual([
    202,
    expect.objectContaining({ from: 5, to: 9, deliveries: 0 }),
  ]);
  expect((await world.call('POST', `${path}/replay`, { from: 5, to: 9 }, options)).status).toBe(204);
  expect((await world.call('POST', `${path}/replay`, { from: 5, to: 10 }, options)).json.code).toBe(
    'idempotency_key_reused',
  );
  expect((await world.call('POST', `${path}/replay`, { from: 6, to: 5 })).json.code).toBe('invalid_request');
  const { id } = begun.json;
  expect((await world.call('GET', `${path}/replays`)).json).toMatchObject([{ id, state: 'done' }]);
  const token = await world.token(['viewer'], ['rival']);
  expect((await world.call('GET', `${path}/replays`, undefined, { token })).json).toEqual([]);
});

it('what a replay is sending is not sent by another one of the same brand, and other operators have theirs', async () => {
  const tokenOf = (owner: string) => world.token(['finance'], [owner]);
  const [operator, brand, other] = [
    await tokenOf('acme'),
    await tokenOf('acme:main'),
    await tokenOf('rival'),
  ];
  const replay = (token: string, from: number, to: number) =>
    world.call('POST', `${path}/replay`, { from, to }, { token });
  world.deliveries.holdsReplays = true;
  expect((await replay(operator, 5, 9)).status).toBe(202);
  expect((await replay(brand, 9, 20)).json.code).toBe('already_exists');
  expect((await replay(operator, 0, 5)).status).toBe(409);
  expect((await replay(brand, 10, 20)).status).toBe(202);
  expect((await replay(other, 5, 9)).status).toBe(202);
  expect((await world.call('POST', `${path}/replay`, { from: 5, to: 9 })).status).toBe(202);
  for (let at = 2; at < 32; at += 1)
    expect((await replay(operator, 10 * at + 1, 10 * at + 2)).status).toBe(202);
  expect((await replay(operator, 1_000, 1_001)).json.code).toBe('rate_limited');
  expect((await replay(other, 1_000, 1_001)).status).toBe(202);
});

it('a backlog is listed, replayed and resolved like a delivery, with about as many events as it has', async () => {
  const id = await world.deliveries.addBacklog(2, 'acme', 5_000);
  await world.deliveries.add(0, idOf(1), 'acme:main');
  const { json } = await world.call('GET', `${path}?kind=backlog`);
  expect(json).toMatchObject([
    {
      id,
      kind: 'backlog',
      owner_id: 'acme',
      deliveries: 5_000,
      state: 'dead',
      event_type: 'ContributionResult',
    },
  ]);
  expect((await world.call('GET', `${path}?kind=callback`)).json).toMatchObject([{ deliveries: 1 }]);
  const rival = await world.token(['viewer', 'finance'], ['rival']);
  expect((await world.call('GET', path, undefined, { token: rival })).json).toEqual([]);
  expect((await world.call('POST', `${path}/${id}/replay`, undefined, { token: rival })).status).toBe(404);
  const replayed = await world.call('POST', `${path}/${id}/replay`);
  expect([replayed.status, replayed.json.state, replayed.json.attempts]).toEqual([200, 'pending', 0]);
  const body = { result: 'failed', reason: 'its receiver is gone' };
  expect((await world.call('POST', `${path}/${id}/resolve`, body)).status).toBe(422);
});

it('a dead backlog that a person resolves is gone', async () => {
  const id = await world.deliveries.addBacklog(1, 'acme', 7);
  const body = { result: 'failed', reason: 'its receiver is gone' };
  const { status, json } = await world.call('POST', `${path}/${id}/resolve`, body);
  expect([status, json.state]).toEqual([200, 'resolved']);
  expect((await world.call('GET', path)).json).toEqual([]);
});

it('owner and brand narrow the list together, as they do in the list of settlements', async () => {
  await world.deliveries.add(0, idOf(1), 'acme:main');
  await world.deliveries.add(1, idOf(2), 'rival:main');
  const ids = async (query: string) =>
    (await world.call('GET', `${path}?${query}`)).json.map(({ id }: { id: string }) => id);
  expect(await ids('brand_id=acme:main')).toEqual([idOf(1)]);
  expect(await ids('owner_id=acme&brand_id=acme:main')).toEqual([idOf(1)]);
  expect(await ids('owner_id=rival&brand_id=acme:main')).toEqual([]);
});
