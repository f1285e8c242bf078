import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let token = '';
let instance = '';
let linked = '';
let closed = '';

const rules = {
  contribution_type: { Fixed: 0.5 },
  opt_in_required: true,
  max_contribution: { max_contribution_value: '5' },
  country_filters: { black_list: ['US-NJ'] },
};

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.serviceToken('acme');
  instance = await createInstance(world, { overrides: { contribution_rules: rules } });
  linked = await createInstance(world, { overrides: { contribution_rules: { opt_in_required: true } } });
  closed = await createInstance(world, {
    overrides: { contribution_rules: { allowed_brands: ['acme:vip'] } },
  });
  const links = await world.call('PUT', `/config/instances/${instance}/links`, {
    instance_ids: [linked, closed],
  });
  expect(links.status).toBe(200);
  const body = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  expect((await world.call('POST', '/config/sources/assign', body)).status).toBe(204);
});
afterAll(() => world.stop());

const person = { player_id: 'p1', brand_id: 'acme:main', player_country: 'DE', opt_in: true };
const optIn = (body: unknown, to = instance, bearer = token) =>
  world.call('POST', `/v1/jackpot/instances/${to}/opt-in`, body, { token: bearer });
const status = async (player: string, brand = 'acme:main') => {
  const path = `/v1/operator/jackpot/instances/source/slot-1/brand/${brand}`;
  const answer = await world.call('GET', `${path}?player_id=${player}&country_code=DE`, undefined, { token });
  expect(answer.status).toBe(200);
  return answer.json.optin_status;
};

describe('opt in or out, version 1 (O14)', () => {
  it('stores a preferred currency without a value', async () => {
    const named = { ...person, player_id: 'named' };
    expect((await optIn({ ...named, contribution_currency: 'USD' })).status).toBe(204);
    expect(await status('named')).toMatchObject({
      preferred_contribution_value: null,
      preferred_contribution_currency: 'USD',
      contribution_preferences: {},
      opted_in: true,
    });
    expect((await optIn({ ...named, contribution_value: 2, contribution_currency: 'EUR' })).status).toBe(204);
    expect(await status('named')).toMatchObject({
      preferred_contribution_value: 2,
      preferred_contribution_currency: 'EUR',
    });
    const records = await world.call('POST', `/config/instances/${instance}/opt-in/records`, {
      ...named,
      contribution_currency: 'SEK',
    });
    expect(records.json).toMatchObject([
      {
        preferred_contribution_value: null,
        preferred_contribution_currency: 'SEK',
        contribution_preferences: { EUR: '2' },
      },
    ]);
  });

  it('stores the opt-in and the preferred value, and answers without a body', async () => {
    const answer = await optIn({ ...person, contribution_value: '2.5', contribution_currency: 'EUR' });
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(await status('p1')).toEqual({
      doc_version: 'V1',
      instance_id: instance,
      player_id: 'acme:main:p1',
      ext_player_id: 'p1',
      player_brand_id: 'acme:main',
      preferred_contribution_value: 2.5,
      preferred_contribution_currency: 'EUR',
      contribution_preferences: { EUR: '2.5' },
      contribution_count: 0,
      contribution_value: 0,
      pot_contributions: {
        gold: { contribution_count: 0, contribution_value: 0 },
        silver: { contribution_count: 0, contribution_value: 0 },
      },
      opted_in: true,
      opted_out: false,
      last_updated: expect.any(Number),
    });
  });

  it('shows no preferred value where none was ever named', async () => {
    expect((await optIn({ ...person, player_id: 'plain' })).status).toBe(204);
    expect(await status('plain')).toMatchObject({
      opted_in: true,
      preferred_contribution_value: null,
      preferred_contribution_currency: null,
      contribution_preferences: {},
    });
  });

  it('opts out again, whatever value is named then', async () => {
    await optIn({
      ...person,
      player_id: 'p2',
      brand_id: 'main',
      instance_id: instance,
      contribution_value: 1,
    });
    expect(await status('p2')).toMatchObject({ opted_in: true, preferred_contribution_value: 1 });
    expect((await optIn({ ...person, player_id: 'p2', opt_in: false, contribution_value: 99 })).status).toBe(
      204,
    );
    expect(await status('p2')).toMatchObject({
      opted_in: false,
      opted_out: true,
      preferred_contribution_value: 1,
    });
  });

  it('ends contributions by an opt-out where nobody has to opt in', async () => {
    const free = await createInstance(world, {
      overrides: { contribution_rules: { opt_in_required: false } },
    });
    const start = { status: 'Active', reason: 'go' };
    expect((await world.call('POST', `/config/instances/${free}/status`, start)).status).toBe(200);
    const contribute = (player_id: string) =>
      world.call(
        'POST',
        `/v1/jackpot/instances/${free}/contributions`,
        {
          token: 't',
          brand_id: 'acme:main',
          player_id,
          player_country: 'DE',
          base_wager: 10,
          currency: 'EUR',
        },
        { token },
      );
    expect(await contribute('stays')).toMatchObject({ status: 200 });
    expect((await optIn({ ...person, player_id: 'gone', opt_in: false }, free)).status).toBe(204);
    expect(await contribute('gone')).toMatchObject({
      status: 422,
      json: { status_code: 422, code: 'player_opted_out', message: 'The player has opted out.' },
    });
    const left = await world.call('GET', `/config/instances/${free}/opt-ins`);
    expect(left.json).toMatchObject([{ ext_player_id: 'gone', opted_in: false, opted_out: true }]);
    expect((await optIn({ ...person, player_id: 'gone' }, free)).status).toBe(204);
    expect((await contribute('gone')).status).toBe(200);
  });

  it('opts out with a currency that no longer has a rate', async () => {
    const kept = { ...person, player_id: 'kept', contribution_currency: 'GBP' };
    expect((await optIn(kept)).json).toMatchObject({ code: 'currency_not_supported' });
    const leaving = { ...kept, opt_in: false };
    const second = {
      target: { id: instance, type: 'instance' },
      operator_id: 'acme',
      player: { id: 'kept', country: 'DE', brand_id: 'acme:main' },
      contribution_preference: { currency: 'GBP', value: 1 },
      opt_in: false,
    };
    const ways = [
      () => optIn(leaving),
      () => world.call('POST', `/config/instances/${instance}/opt-in/records`, leaving),
      () => world.call('POST', '/v2/jackpot/opt-in', second, { token }),
    ];
    for (const leave of ways) {
      expect((await optIn({ ...kept, contribution_currency: 'EUR' })).status).toBe(204);
      const answer = await leave();
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(await status('kept')).toMatchObject({ opted_in: false, contribution_preferences: {} });
    }
  });

  it.each([
    ['no country', { player_country: undefined }, 400, 'invalid_request'],
    ['no opt_in', { opt_in: null }, 400, 'invalid_request'],
    ['opt_in as a number', { opt_in: 1 }, 400, 'invalid_request'],
    ['opt_in as text', { opt_in: 'true' }, 400, 'invalid_request'],
    ['an unknown member', { currency: 'EUR' }, 400, 'invalid_request'],
    ['another instance in the body', { instance_id: 'other' }, 400, 'invalid_request'],
    ['a value in words', { contribution_value: 'one' }, 400, 'invalid_request'],
    ['a player id that does not print', { player_id: 'a\u0007' }, 400, 'invalid_identifier'],
    ['a negative value', { contribution_value: -1 }, 422, 'amount_negative'],
    ['too many decimals', { contribution_value: '1.000000001' }, 422, 'amount_precision'],
    ['less than the default', { contribution_value: '0.49' }, 422, 'amount_out_of_range'],
    ['more than the maximum', { contribution_value: '5.01' }, 422, 'amount_out_of_range'],
    ['an unknown currency', { contribution_currency: 'QQQ' }, 422, 'currency_unknown'],
    ['a currency without a rate', { contribution_currency: 'CHF' }, 422, 'currency_not_supported'],
    ['no country at all', { player_country: 'Germany' }, 422, 'country_invalid'],
    ['a country that is shut out', { player_country: 'US-NJ' }, 422, 'country_not_allowed'],
    ['a brand that does not exist', { brand_id: 'acme:none' }, 404, 'brand_not_found'],
    ["another operator's brand", { brand_id: 'rival:main' }, 404, 'brand_not_found'],
  ])('%s is refused', async (_what, change, expected, code) => {
    const answer = await optIn({ ...person, player_id: 'p3', ...change });
    expect(answer).toMatchObject({ status: expected, json: { status_code: expected, code } });
    expect(await status('p3')).toMatchObject({ opted_in: false, opted_out: false });
  });

  it.each([
    ['a negative value', { contribution_value: -1 }],
    ['too many decimals', { contribution_value: '1.000000001' }],
    ['an unknown currency', { contribution_currency: 'QQQ' }],
    ['a currency without a rate', { contribution_currency: 'CHF' }],
  ])('%s comes behind what the instance does not take', async (_what, change) => {
    const admin = (body: unknown, to: string, answered: string) =>
      world.call('POST', `/config/instances/${to}/opt-in${answered}`, body);
    const shutOut = { ...person, ...change, player_country: 'US-NJ' };
    for (const ask of [
      optIn,
      (body: unknown, to: string) => admin(body, to, ''),
      (body: unknown, to: string) => admin(body, to, '/records'),
    ]) {
      expect(await ask({ ...person, ...change }, closed)).toMatchObject({
        status: 422,
        json: { code: 'brand_not_allowed' },
      });
      expect(await ask(shutOut, instance)).toMatchObject({ json: { code: 'country_not_allowed' } });
      expect(await ask({ ...shutOut, player_country: 'XX' }, closed)).toMatchObject({
        json: { code: 'country_invalid' },
      });
    }
  });

  it('keeps brands and operators apart', async () => {
    expect(await optIn(person, instance, await world.serviceToken('acme', ['acme:vip']))).toMatchObject({
      status: 403,
      json: { code: 'brand_forbidden' },
    });
    const rival = await world.serviceToken('rival');
    const body = { ...person, brand_id: 'rival:main' };
    expect(await optIn(body, instance, rival)).toMatchObject({ json: { code: 'instance_not_found' } });
    expect(await optIn(body, 'missing', rival)).toMatchObject({ json: { code: 'instance_not_found' } });
    expect(await optIn(person, closed)).toMatchObject({ status: 422, json: { code: 'brand_not_allowed' } });
    expect(await optIn(person, instance, '')).toMatchObject({
      status: 401,
      json: { code: 'player_token_required' },
    });
  });
});

describe('opt in or out, version 2 (O18)', () => {
  const body = (change: Readonly<Record<string, unknown>> = {}) => ({
    target: { type: 'instance', id: instance },
    operator_id: 'acme',
    player: { id: 'q1', country: 'DE', brand_id: 'acme:main', segments: [] },
    opt_in: true,
    ...change,
  });
  const call = (change?: Readonly<Record<string, unknown>>) =>
    world.call('POST', '/v2/jackpot/opt-in', body(change), { token });

  it('names what succeeded', async () => {
    const preference = { currency: 'USD', value: '1.08' };
    const answer = await call({ contribution_preference: preference, opt_linked: false });
    expect(answer).toMatchObject({ status: 200, json: { success: [instance], failed: [] } });
    expect(await status('q1')).toMatchObject({ opted_in: true, contribution_preferences: { USD: '1.08' } });
  });

  it('makes the same move on linked instances; those that refuse are named', async () => {
    const answer = await call({ target: { type: 'source', id: 'slot-1' }, opt_linked: true });
    expect(answer.json).toEqual({ success: [instance, linked], failed: [closed] });
  });

  it.each([
    ['an unknown instance', { target: { type: 'instance', id: 'none' } }, 404, 'instance_not_found'],
    ['a malformed instance', { target: { type: 'instance', id: 'a b' } }, 400, 'invalid_identifier'],
    ['an unknown source', { target: { type: 'source', id: 'slot-9' } }, 404, 'source_not_found'],
    ['an unknown kind', { target: { type: 'pot', id: 'gold' } }, 400, 'invalid_request'],
    ['another operator', { operator_id: 'rival' }, 404, 'operator_not_found'],
    ['no player', { player: undefined }, 400, 'invalid_request'],
    [
      'a preference out of range',
      { contribution_preference: { currency: 'EUR', value: 9 } },
      422,
      'amount_out_of_range',
    ],
    ['half a preference', { contribution_preference: { currency: 'EUR' } }, 400, 'invalid_request'],
  ])('%s is refused', async (_what, change, expected, code) => {
    expect(await call(change)).toMatchObject({ status: expected, json: { code } });
  });
});

describe('jackpot for a source, operator surface (O12)', () => {
  const lookup = (query: string, source = 'slot-1', brand = 'acme:main', bearer = token) =>
    world.call('GET', `/v1/operator/jackpot/instances/source/${source}/brand/${brand}${query}`, undefined, {
      token: bearer,
    });

  it('shows full pots with what the operator put in', async () => {
    await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
    const { status: code, json } = await lookup(
      '?player_id=p9&country_code=DE&segments=a,b&game_code=x',
      'slot-1',
      'main',
    );
    expect(code).toBe(200);
    expect(json).toMatchObject({
      id: instance,
      game_code: expect.any(String),
      currency: 'EUR',
      opt_in_required: true,
      opt_in_per_currency: false,
      contribution_type: { Fixed: 0.5 },
      contribution_values_alt: [],
      optin_status: { opted_in: false, contribution_count: 0, last_updated: 0 },
      timestamp_end: null,
      status: 'Active',
    });
    expect(json.pots.map((pot: { id: string }) => pot.id)).toEqual(['gold', 'silver']);
    expect(json.pots[0]).toMatchObject({
      enabled: true,
      instance_count: 1,
      initial_cost: 100,
      current_value: 100,
      seed_value: 0,
      surplus_seed: 0,
      overflow_amount: 0,
      total_contributions: 0,
      pot_types: [{ HitRate: { max_magic_number: 1000, cost_per_attempt: 0.1 } }],
    });
  });

  it.each([
    ['?country_code=DE', 'slot-1', 'acme:main', 400, 'invalid_parameter'],
    ['?player_id=p', 'slot-1', 'acme:main', 400, 'invalid_parameter'],
    ['?player_id=p&country_code=DE&colour=red', 'slot-1', 'acme:main', 400, 'invalid_parameter'],
    ['?player_id=p&country_code=Germany', 'slot-1', 'acme:main', 422, 'country_invalid'],
    ['?player_id=p&country_code=US-NJ', 'slot-1', 'acme:main', 404, 'jackpot_not_found'],
    ['?player_id=p&country_code=DE', 'slot-9', 'acme:main', 404, 'source_not_found'],
    ['?player_id=p&country_code=DE', 'slot-9', 'rival:main', 404, 'brand_not_found'],
  ])('%s of %s, %s is %i %s', async (query, source, brand, expected, code) => {
    expect(await lookup(query, source, brand)).toMatchObject({ status: expected, json: { code } });
  });

  it('needs a service that acts for the brand', async () => {
    const query = '?player_id=p&country_code=DE';
    expect((await lookup(query, 'slot-1', 'acme:main', '')).status).toBe(401);
    const vip = await world.serviceToken('acme', ['acme:vip']);
    expect(await lookup(query, 'slot-1', 'acme:main', vip)).toMatchObject({
      status: 403,
      json: { code: 'brand_forbidden' },
    });
  });
});

describe('jackpot for a source, administration (A27)', () => {
  const lookup = (path: string) => world.call('GET', `/config/jackpot/source/${path}`);

  it('needs neither player nor country', async () => {
    const { status: code, json } = await lookup('slot-1/brand/acme:main');
    expect(code).toBe(200);
    expect(json).toMatchObject({ id: instance, pots: [{ id: 'gold', initial_cost: 100 }, { id: 'silver' }] });
    expect(json).not.toHaveProperty('optin_status');
    const ofPlayer = await lookup('slot-1/brand/acme:main?player_id=p1&country_code=DE&segments=a');
    expect(ofPlayer.json.optin_status).toMatchObject({ player_id: 'acme:main:p1', opted_in: true });
  });

  it('takes the segments as an array, too', async () => {
    const [gold, silver] = [await createInstance(world), await createInstance(world)];
    const segments = [gold, silver].map((instance_id, priority) => ({
      owner_id: 'acme',
      id: `of ${priority}`,
      priority,
      jackpots: [{ priority: 0, owner_id: 'acme', instance_id }],
    }));
    await world.call('POST', '/config/segments', segments);
    for (const id of [gold, silver])
      await world.call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'open' });
    const found = async (query: string) => (await lookup(`slot-1/brand/acme:main?${query}`)).json.id;
    expect(await found('segments=of 1')).toBe(silver);
    expect(await found('segments=of 1&segments=of 0')).toBe(gold);
    expect(await found('segments=none&segments=of 1,none')).toBe(silver);
    const tooMany = `segments=b&segments=${'a,'.repeat(256)}`;
    expect((await lookup(`slot-1/brand/acme:main?${tooMany}`)).json.code).toBe('invalid_parameter');
  });

  it.each([
    ['slot-1/brand/main', 404, 'brand_not_found'],
    ['slot-9/brand/acme:main', 404, 'source_not_found'],
    ['slot-1/brand/acme:main?country_code=US-NJ', 404, 'jackpot_not_found'],
    ['slot-1/brand/acme:main?country_code=Germany', 422, 'country_invalid'],
    ['slot-1/brand/acme:main?game_code=x', 400, 'invalid_parameter'],
  ])('%s is %i %s', async (path, expected, code) => {
    expect(await lookup(path)).toMatchObject({ status: expected, json: { code } });
  });
});
