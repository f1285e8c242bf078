import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
let instance = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
  instance = await createInstance(world);
  const body = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', body)).status).toBe(204);
});
afterAll(() => world.stop());

const list = (query: string, bearer = token) =>
  world.call('GET', `/v1/jackpot/sources${query}`, undefined, { token: bearer });

describe('sources of an owner (O15)', () => {
  const ofOperator = () => ({
    owner_id: 'acme',
    source_name: 'Slot 1',
    source_id: 'slot-1',
    jackpots: [{ priority: 0, owner_id: 'acme', instance_id: instance }],
  });
  const ofVip = { owner_id: 'acme:vip', source_name: 'Slot 1 of vip', source_id: 'slot-1', jackpots: [] };

  it('lists them with their jackpots', async () => {
    expect(await list('?owner_id=acme')).toMatchObject({ status: 200, json: [ofOperator(), ofVip] });
    expect((await list('?owner_id=acme:vip')).json).toEqual([ofVip]);
    expect((await list('?owner_id=acme&name=VIP')).json).toEqual([ofVip]);
    expect((await list('?owner_id=acme&limit=1&page=1')).json).toEqual([ofVip]);
  });

  it('says how many there are, and goes on by cursors', async () => {
    const first = await list('?owner_id=acme&limit=1');
    const cursor = first.headers.get('x-next-cursor');
    expect([first.json, first.headers.get('x-total-count')]).toEqual([[ofOperator()], '2']);
    const next = await list(`?owner_id=acme&limit=1&cursor=${cursor}`);
    expect([next.json, next.headers.get('x-total-count'), next.headers.get('x-next-cursor')]).toEqual([
      [ofVip],
      null,
      null,
    ]);
    const { headers } = await list('?owner_id=acme');
    expect([headers.get('x-total-count'), headers.get('x-next-cursor')]).toEqual(['2', null]);
  });

  it('leaves out brands that the caller does not act for', async () => {
    const main = await world.serviceToken('acme', ['acme:main']);
    expect((await list('?owner_id=acme', main)).json).toEqual([ofOperator()]);
    expect(await list('?owner_id=acme:vip', main)).toMatchObject({
      status: 403,
      json: { code: 'brand_forbidden' },
    });
  });

  it.each([
    ['', 400, 'invalid_parameter'],
    ['?owner_id=a%20b', 400, 'invalid_identifier'],
    ['?owner_id=acme&colour=red', 400, 'invalid_parameter'],
    ['?owner_id=rival', 404, 'operator_not_found'],
    ['?owner_id=rival:main', 404, 'brand_not_found'],
    ['?owner_id=acme:none', 404, 'brand_not_found'],
  ])('%s is refused with %i %s', async (query, status, code) => {
    expect(await list(query)).toMatchObject({ status, json: { code } });
  });

  it('needs a token', async () => {
    expect((await list('?owner_id=acme', '')).status).toBe(401);
  });

  it('gives all of them where nobody asks for a page', async () => {
    const many = Array.from({ length: 130 }, (_, i) => ({
      owner_id: 'acme:main',
      source_id: `many-${String(i).padStart(3, '0')}`,
      source_name: 'Many',
      jackpots: [],
    }));
    expect((await world.call('POST', '/config/sources', many)).status).toBe(200);
    const ids = async (query: string) =>
      (await list(`?owner_id=acme:main${query}`)).json.map(
        (source: { source_id: string }) => source.source_id,
      );
    const all = many.map(({ source_id }) => source_id);
    expect(await ids('')).toEqual(all);
    expect(await ids('&sort_direction=-1')).toEqual(all.toReversed());
    // Who names a page or a limit gets a page.
    expect(await ids('&page=0')).toEqual(all.slice(0, 50));
    expect(await ids('&limit=120')).toEqual(all.slice(0, 120));
    expect(await ids('&limit=50&page=2')).toEqual(all.slice(100));
  });
});
