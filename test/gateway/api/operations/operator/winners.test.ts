import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, goldPot, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
let rival = '';
let instance = '';

const certain = { ...goldPot, pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }] };

/** Every contribution wins; of the two pots the fuller one, so that they take turns. */
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
  rival = await world.serviceToken('rival');
  instance = await createInstance(world, {
    overrides: {
      win_selector_strategy: 'Highest',
      contribution_rules: { allowed_brands: ['acme:main', 'acme:vip', 'rival:main'] },
      pots: [certain, { ...certain, id: 'silver' }],
    },
  });
  const source = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', source)).status).toBe(204);
  const active = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, active)).status).toBe(200);
  await contribute('acme:main', 'alice');
  await contribute('acme:vip', 'bob');
  await contribute('rival:main', 'carol');
  await contribute('acme:main', 'dave');
});
afterAll(() => world.stop());

async function contribute(brand: string, player: string) {
  const bearer = brand.startsWith('acme') ? token : rival;
  const body = {
    token: 't',
    brand_id: brand,
    player_id: player,
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
  };
  const path = `/v1/jackpot/instances/${instance}/contributions`;
  const answer = await world.call('POST', path, body, { token: bearer });
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.json.win_amount).toBeGreaterThanOrEqual(100);
}

type Winner = { player_id: string; win_pot_id: string };
const get = (query = '', bearer = token, id = instance) =>
  world.call('GET', `/v1/jackpot/instances/${id}/winners${query}`, undefined, { token: bearer });
const getPots = (query = '', bearer = token) =>
  world.call('GET', `/v1/jackpot/instances/${instance}/pots/winners${query}`, undefined, { token: bearer });
const players = (winners: Winner[]) => winners.map((winner) => winner.player_id);

describe('latest winners (O10)', () => {
  it('shows a service the winners of its brands, newest first', async () => {
    const { status, json } = await get();
    expect(status).toBe(200);
    expect(players(json)).toEqual(['dave', 'bob', 'alice']);
    expect(json[0]).toEqual({
      win_pot_id: expect.stringMatching(/^(gold|silver)$/),
      win_amount: expect.any(Number),
      jackpot_currency: 'EUR',
      player_id: 'dave',
      timestamp: expect.any(Number),
      brand_id: 'acme:main',
    });
    expect(players((await get('', rival)).json)).toEqual(['carol']);
  });

  it('narrows to a brand and to a limit', async () => {
    expect(players((await get('?brand_id=vip')).json)).toEqual(['bob']);
    expect(players((await get('?limit=1')).json)).toEqual(['dave']);
    expect((await get('?limit=0')).json).toEqual([]);
    expect((await get('?limit=500')).status).toBe(200);
    expect(players((await get('', await world.serviceToken('acme', ['acme:vip']))).json)).toEqual(['bob']);
  });

  it.each([
    ['without any credential', '', 'anonymous', 401, 'player_token_required'],
    ['of a brand that is missing', '?brand_id=acme:none', 'service', 404, 'brand_not_found'],
    ["of another operator's brand", '?brand_id=rival:main', 'service', 404, 'brand_not_found'],
    ['of more than 500', '?limit=501', 'service', 400, 'invalid_parameter'],
    ['of fewer than none', '?limit=-1', 'service', 400, 'invalid_parameter'],
    ['of no number', '?limit=ten', 'service', 400, 'invalid_parameter'],
    ['with an unknown input', '?page=1', 'service', 400, 'invalid_parameter'],
  ])('%s is refused', async (_what, query, who, status, code) => {
    const answer = await get(query, who === 'service' ? token : '');
    expect(answer).toMatchObject({ status, json: { code } });
  });

  it('knows neither foreign nor missing instances, nor bad tokens', async () => {
    const own = await createInstance(world);
    expect(await get('', rival, own)).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    expect(await get('', rival, 'none')).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    expect((await get('?brand_id=acme:main', 'no.such.token')).status).toBe(401);
  });
});

describe('latest pot winners (O11)', () => {
  it('has a list for each pot', async () => {
    const { status, json } = await getPots();
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['gold', 'silver']);
    expect(players([...json.gold, ...json.silver]).sort()).toEqual(['alice', 'bob', 'dave']);
    for (const [pot, winners] of Object.entries(json as Record<string, Winner[]>))
      for (const winner of winners) expect(winner.win_pot_id).toBe(pot);
    expect((await getPots('?limit=0')).json).toEqual({ gold: [], silver: [] });
    expect((await getPots('?brand_id=acme:vip', '')).status).toBe(401);
  });
});

describe('winners for administrators (A20, A21)', () => {
  const admin = (path: string, bearer?: string) =>
    world.call(
      'GET',
      `/config/instances/${instance}${path}`,
      undefined,
      bearer === undefined ? {} : { token: bearer },
    );

  it('are listed by brand, and by pot', async () => {
    const { status, json } = await admin('/winners');
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['acme:main', 'acme:vip', 'rival:main']);
    expect(players(json['acme:main'])).toEqual(['dave', 'alice']);
    expect(players((await admin('/winners?limit=1&brand_id=main')).json['acme:main'])).toEqual(['dave']);
    const pots = await admin('/pots/winners');
    expect(Object.keys(pots.json)).toEqual(['gold', 'silver']);
    expect(players([...pots.json.gold, ...pots.json.silver])).toHaveLength(4);
  });

  it('are those of the brands that the caller may read', async () => {
    const bearer = await world.token(['viewer'], ['acme']);
    expect(Object.keys((await admin('/winners', bearer)).json).sort()).toEqual(['acme:main', 'acme:vip']);
    const pots = (await admin('/pots/winners', bearer)).json;
    expect(players([...pots.gold, ...pots.silver])).toHaveLength(3);
    expect(await admin('/winners?brand_id=rival:main', bearer)).toMatchObject({ status: 404 });
    expect((await admin('/winners', await world.token(['viewer'], ['rival']))).status).toBe(404);
    expect((await admin('/winners?limit=501')).status).toBe(400);
  });
});

describe('winners, version 2 (O17, O19)', () => {
  const body = (change: Readonly<Record<string, unknown>> = {}) => ({
    operator_id: 'acme',
    target: { type: 'instance', id: instance },
    player: { brand_id: 'acme:vip', id: 'bob', country: 'DE', segments: [] },
    limit: null,
    winners_for_player_brand: false,
    ...change,
  });
  const post = (path: string, change?: Readonly<Record<string, unknown>>) =>
    world.call('POST', path, body(change), { token });

  it("shows the caller's brands, or the player's alone", async () => {
    const all = await post('/v2/jackpot/winners');
    expect(all.status).toBe(200);
    expect(players(all.json)).toEqual(['dave', 'bob', 'alice']);
    const source = { type: 'source', id: 'slot-1' };
    const own = await post('/v2/jackpot/winners', { winners_for_player_brand: true, target: { ...source } });
    // The brand vip has a slot-1 of its own, without bindings; the operator's follows.
    expect(players(own.json)).toEqual(['bob']);
    expect((await post('/v2/jackpot/winners', { limit: 0 })).json).toEqual([]);
  });

  it('puts the newest of each pot first', async () => {
    const { status, json } = await post('/v2/jackpot/pots/winners');
    expect(status).toBe(200);
    expect(new Set(json.slice(0, 2).map((winner: Winner) => winner.win_pot_id))).toEqual(
      new Set(['gold', 'silver']),
    );
    expect(players(json).sort()).toEqual(['alice', 'bob', 'dave']);
    expect((await post('/v2/jackpot/pots/winners', { limit: 1 })).json).toHaveLength(1);
  });

  it.each([
    ['another operator', { operator_id: 'rival' }, 404, 'operator_not_found'],
    ['an unknown instance', { target: { type: 'instance', id: 'none' } }, 404, 'instance_not_found'],
    ['an unknown source', { target: { type: 'source', id: 'slot-9' } }, 404, 'source_not_found'],
    [
      "another operator's player",
      { player: { brand_id: 'rival:main', id: 'x', country: 'DE' } },
      404,
      'brand_not_found',
    ],
    [
      'a player of no country',
      { player: { brand_id: 'acme:vip', id: 'x', country: 'Germany' } },
      422,
      'country_invalid',
    ],
    ['no player', { player: null }, 400, 'invalid_request'],
    ['a limit as text', { limit: '5' }, 400, 'invalid_request'],
    ['too high a limit', { limit: 501 }, 400, 'invalid_request'],
    ['an unknown member', { page: 1 }, 400, 'invalid_request'],
  ])('%s is refused', async (_what, change, status, code) => {
    expect(await post('/v2/jackpot/winners', change)).toMatchObject({ status, json: { code } });
    expect(await post('/v2/jackpot/pots/winners', change)).toMatchObject({ status, json: { code } });
  });
});
