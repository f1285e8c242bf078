import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cursorOf } from '../../../../../src/contracts/fields/lists.ts';
import { operations } from '../../../../../src/gateway/api/operations/index.ts';
import {
  createInstance,
  furnish,
  startWorld,
  template,
  type World,
} from '../../../support/administration.ts';

let world: World;
const names = Array.from({ length: 7 }, (_, at) => `s${at}`);
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  for (const operator of ['acme', 'rival'])
    await world.call(
      'POST',
      '/config/segments',
      names.map((id, at) => ({
        owner_id: operator,
        id,
        name: `Segment ${at % 2}`,
        priority: at % 3,
        jackpots: [],
      })),
    );
});
afterAll(() => world.stop());

const list = async (path: string, options = {}) => {
  const { status, headers, json } = await world.call('GET', path, undefined, options);
  return { status, json, total: headers.get('x-total-count'), cursor: headers.get('x-next-cursor') };
};

/** All pages, one cursor after the other, and what the first one says of their rows. */
async function walk(path: string, options = {}) {
  const first = await list(path, options);
  const pages = [first.json];
  for (let { cursor } = first; cursor !== null; ) {
    const next = await list(`${path}&cursor=${cursor}`, options);
    expect([next.status, next.total]).toEqual([200, null]);
    pages.push(next.json);
    cursor = next.cursor;
  }
  return { total: first.total, pages };
}

/** Those that show the newest ones, as many as are asked for, and have no pages. */
const uncounted = ['A20', 'A21', 'O10', 'O11'];

it('every list in pages says how many rows it has, and goes on by cursors', () => {
  const inPages = operations.filter(({ method, input }) => {
    const inputs = (input.query as { shape?: object } | undefined)?.shape ?? {};
    return method === 'GET' && 'limit' in inputs;
  });
  expect(inPages.length).toBeGreaterThan(25);
  const silent = inPages.filter(
    ({ answerHeaders = [] }) =>
      !answerHeaders.includes('X-Total-Count') || !answerHeaders.includes('X-Next-Cursor'),
  );
  // An export is no list: it has all of them, in parts.
  const lists = silent.filter(({ id }) => !id.endsWith('.export'));
  expect(lists.map(({ id }) => id).toSorted()).toEqual(uncounted);
});

describe('the pages of a list', () => {
  it.each(['id', 'name', 'priority', 'owner_id'])(
    'by %s follow each other by cursors, both ways',
    async (field) => {
      for (const direction of [1, -1]) {
        const path = `/config/segments?sort_field=${field}&sort_direction=${direction}`;
        const { total, pages } = await walk(`${path}&limit=3`);
        expect([total, pages.map(({ length }) => length)]).toEqual(['14', [3, 3, 3, 3, 2]]);
        expect(pages.flat()).toEqual((await list(`${path}&limit=500`)).json);
      }
    },
  );

  it('count what the filters leave, for whom they are shown', async () => {
    const { total, pages } = await walk('/config/segments?name=MENT+1&limit=2');
    expect([total, pages.flat().length]).toEqual(['6', 6]);
    const token = await world.token(['viewer'], ['acme', 'rival:main']);
    const own = await walk('/config/segments?limit=4', { token });
    expect([own.total, own.pages.flat().map(({ owner_id }) => owner_id)]).toEqual([
      '7',
      Array(7).fill('acme'),
    ]);
    // A page that is full, and the last.
    expect(await list('/config/segments?limit=7', { token })).toMatchObject({ total: '7', cursor: null });
    expect(await list('/config/segments?limit=7&page=1', { token })).toMatchObject({ json: [], total: null });
  });

  it('neither repeat nor leave out a row because of what changes between them', async () => {
    const first = await list('/config/segments?brand_id=rival&limit=3');
    await world.call('POST', '/config/segments', [
      { owner_id: 'rival', id: 'a-new-one', name: 'New', priority: 1, jackpots: [] },
    ]);
    // The row that the cursor stands for goes, too.
    const gone = first.json.at(-1).id;
    await world.call('DELETE', '/config/segments', [{ owner_id: 'rival', id: gone }]);
    const { json } = await list(`/config/segments?brand_id=rival&limit=3&cursor=${first.cursor}`);
    expect(json.map(({ id }: { id: string }) => id)).toEqual(['s3', 's4', 's5']);
  });

  it('of an operator alone, of ids, and of origins have them as well', async () => {
    for (const at of [1, 2, 3])
      await world.call('POST', '/config/webhook-origins', {
        operator_id: 'acme',
        origin: `https://hooks-${at}.example`,
      });
    const origins = await walk('/config/webhook-origins?operator_id=acme&limit=2');
    expect([origins.total, origins.pages.map(({ length }) => length)]).toEqual(['3', [2, 1]]);
    const token = await world.token(['viewer'], ['acme']);
    expect(await list('/config/operators', { token })).toMatchObject({ total: '1', cursor: null });
    await world.call('POST', '/config/templates', template('four'));
    expect((await walk('/config/templates?limit=1')).total).toBe('2');
    const ids = [await createInstance(world), await createInstance(world), await createInstance(world)];
    const named = await walk(`/config/instances?ids=${ids.join(',')}&limit=2&sort_field=created`);
    expect([named.total, named.pages.map(({ length }) => length)]).toEqual(['3', [2, 1]]);
    expect(await list('/config/instances?limit=0')).toMatchObject({ json: [], total: '3', cursor: null });
  });
});

it.each([
  '/config/service-users',
  '/config/webhook-origins',
  '/config/webhooks/subscriptions',
  '/config/cors/origins',
])('%s takes owner_id and operator_id for the same, and not two operators', async (path) => {
  const token = await world.token(['security', 'viewer'], ['acme']);
  const answers = await Promise.all(
    ['owner_id=acme', 'operator_id=acme', 'owner_id=acme&operator_id=acme'].map((query) =>
      list(`${path}?${query}`, { token }),
    ),
  );
  expect(answers[0]?.status).toBe(200);
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect((await list(`${path}?owner_id=rival`, { token })).json.code).toBe('operator_not_found');
  const both = await list(`${path}?owner_id=acme&operator_id=rival`, { token });
  expect([both.status, both.json.code]).toEqual([400, 'invalid_parameter']);
});

describe('the audit trail', () => {
  it.each(['', '&sort_direction=1', '&operation=A8', '&owner_id=rival'])(
    'is read by cursors: %s',
    async (query) => {
      const { total, pages } = await walk(`/config/audit?limit=3${query}`);
      const { json } = await list(`/config/audit?limit=500${query}`);
      expect(json.length).toBeGreaterThan(0);
      expect([total, pages.flat()]).toEqual([String(json.length), json]);
    },
  );

  it('has the same changes behind a cursor after others were added, and those of the caller alone', async () => {
    const token = await world.token(['auditor'], ['rival']);
    const before = (await list('/config/audit?limit=500', { token })).json;
    const first = await list('/config/audit?limit=1', { token });
    await world.call('PATCH', '/config/operators/rival', { name: 'Rival again' });
    const rest = await list(`/config/audit?limit=500&cursor=${first.cursor}`, { token });
    expect([first.total, rest.json]).toEqual([String(before.length), before.slice(1)]);
    expect((await list('/config/audit', { token })).total).toBe(String(before.length + 1));
  });

  it.each(['now', -1.5])('refuses a cursor without a message: %s', async (value) => {
    const cursor = cursorOf({ field: 'timestamp', direction: -1 }, { value, tie: '' });
    expect((await list(`/config/audit?cursor=${cursor}`)).json.code).toBe('invalid_parameter');
  });
});

describe('a cursor', () => {
  it.each([
    ['of another order', cursorOf({ field: 'id', direction: -1 }, { value: 's1', tie: 'x' }), ''],
    ['of another field', cursorOf({ field: 'name', direction: 1 }, { value: 's1', tie: 'x' }), ''],
    [
      'beside the number of a page',
      cursorOf({ field: 'id', direction: 1 }, { value: 's1', tie: 'x' }),
      '&page=1',
    ],
    ['of other shape', Buffer.from('["id",1]').toString('base64url'), ''],
    ['that nobody gave', 'next', ''],
  ])('%s is refused', async (_, cursor, more) => {
    const { status, json } = await list(`/config/segments?cursor=${cursor}${more}`);
    expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  });

  it('shows nothing that is not the caller’s, wherever it points', async () => {
    const token = await world.token(['viewer'], ['acme']);
    const cursor = cursorOf({ field: 'owner_id', direction: 1 }, { value: 'acme', tie: '' });
    const { json } = await list(`/config/segments?sort_field=owner_id&cursor=${cursor}`, { token });
    expect(new Set(json.map(({ owner_id }: { owner_id: string }) => owner_id))).toEqual(new Set(['acme']));
  });
});
