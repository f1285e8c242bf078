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

/** Lists of /config that count nothing: lanes and the trail do not count what a page leaves out. */
const uncounted = [
  '/config/audit',
  '/config/instances/{instance_id}/opt-ins',
  '/config/instances/{instance_id}/pots/winners',
  '/config/instances/{instance_id}/winners',
];

it('every list of /config in pages says how many rows it has, but those that count nothing', () => {
  const inPages = operations.filter(({ method, path, input }) => {
    const inputs = (input.query as { shape?: object } | undefined)?.shape ?? {};
    return method === 'GET' && path.startsWith('/config/') && 'limit' in inputs;
  });
  const silent = inPages.filter(({ answerHeaders = [] }) => !answerHeaders.includes('X-Total-Count'));
  // Reports of the books go on by cursors of their own.
  const others = silent.filter(({ id }) => !id.startsWith('reports.'));
  expect(others.map(({ path }) => path).toSorted()).toEqual(uncounted);
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
