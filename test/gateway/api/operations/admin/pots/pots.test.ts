import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fnv1a32 } from '../../../../../../src/lib/hashes.ts';
import {
  createInstance,
  furnish,
  goldPot,
  laneCount,
  startWorld,
  type World,
} from '../../../../support/administration.ts';

let world: World;
let instance = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world, {
    overrides: {
      pots: [
        { ...goldPot, pot_types: [{ External: {} }], maximum_pot_value: '1000' },
        { ...goldPot, id: 'silver' },
      ],
    },
  });
  const active = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, active)).status).toBe(200);
});
afterAll(() => world.stop());

const at = (path: string) => `/config/instances/${instance}${path}`;
const pots = async () => (await world.call('GET', at(''))).json.pots;
type Options = Parameters<World['call']>[3];

describe('pot value adjustments (A22)', () => {
  const set = (path: string, adjustment: unknown, options: Options = {}, change: object = {}) =>
    world.call('PUT', at(`/pots/${path}`), { adjustment, reason: 'because', ...change }, options);

  it('sets each of the values', async () => {
    expect(await set('gold/current-value', '250.5')).toMatchObject({ status: 204, text: '' });
    expect((await set('gold/seed-value', 20)).status).toBe(204);
    expect((await set('gold/surplus-seed', 7, {}, { instance_id: instance, pot_id: 'gold' })).status).toBe(
      204,
    );
    expect((await pots())[0]).toMatchObject({ current_value: 250.5, seed_value: 20, surplus_seed: 7 });
    expect((await set('house/current-value', 3)).status).toBe(204);
    expect((await world.call('GET', at(''))).json.house_pot.current_value).toBe(3);
  });

  it('is made once for an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    expect((await set('silver/seed-value', 11, { headers })).status).toBe(204);
    expect((await set('silver/seed-value', 12)).status).toBe(204);
    expect((await set('silver/seed-value', 11, { headers })).status).toBe(204);
    expect((await pots())[1].seed_value).toBe(12);
    const other = await set('silver/seed-value', 13, { headers });
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
    const colleague = { headers, token: await world.token() };
    expect((await set('silver/seed-value', 11, colleague)).status).toBe(204);
    expect((await pots())[1].seed_value).toBe(12);
    const because = await set('silver/seed-value', 11, { headers }, { reason: 'another one' });
    expect(because).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
  });

  it('takes a key for another when it is for another operator, in the same lane too', async () => {
    const laneOf = (operator: string) => fnv1a32(operator) % laneCount;
    const names = Array.from({ length: 100 }, (_, index) => `neighbour-${index}`);
    const owner = names.find((name) => laneOf(name) === laneOf('acme')) ?? '';
    expect((await world.call('POST', '/config/operators', [{ id: owner, name: owner }])).status).toBe(200);
    const theirs = await createInstance(world, { owner_id: owner });
    const headers = { 'Idempotency-Key': 'for one operator' };
    expect((await set('silver/seed-value', 14, { headers })).status).toBe(204);
    const path = `/config/instances/${theirs}`;
    const change = { adjustment: 15, reason: 'because' };
    const other = await world.call('PUT', `${path}/pots/gold/seed-value`, change, { headers });
    expect(other.status).toBe(204);
    expect((await world.call('GET', path)).json.pots[0].seed_value).toBe(15);
  });

  it.each([
    ['gold/current-value', 1000.01, {}, 422, 'pot_limit_exceeded'],
    ['house/seed-value', 5, {}, 404, 'pot_not_found'],
    ['house/surplus-seed', 5, {}, 404, 'pot_not_found'],
    ['gold/current-value', -1, {}, 422, 'amount_negative'],
    ['gold/current-value', '0.000000001', {}, 422, 'amount_precision'],
    ['gold/current-value', 5, { reason: ' ' }, 422, 'reason_required'],
    ['gold/current-value', null, {}, 400, 'invalid_request'],
    ['gold/current-value', true, {}, 400, 'invalid_request'],
    ['gold/current-value', 5, { reason: null }, 400, 'invalid_request'],
    ['gold/current-value', 5, { pot_id: 'silver' }, 400, 'invalid_request'],
    ['bronze/current-value', 5, {}, 404, 'pot_not_found'],
    ['bronze/current-value', -1, {}, 404, 'pot_not_found'],
    ['bronze/current-value', 5, { reason: ' ' }, 404, 'pot_not_found'],
    ['bro.nze/current-value', 5, {}, 400, 'invalid_identifier'],
  ])('%s to %s with %j is %i %s', async (path, value, change, status, code) => {
    expect(await set(path, value, {}, change)).toMatchObject({ status, json: { code } });
  });

  it('needs finance of the owner, and the version that If-Match names', async () => {
    const token = await world.token(['config'], ['*']);
    expect((await set('gold/seed-value', 1, { token })).status).toBe(403);
    const stranger = await world.token(['finance'], ['rival']);
    expect((await set('gold/seed-value', 1, { token: stranger })).status).toBe(404);
    const stale = await set('gold/seed-value', 1, { headers: { 'If-Match': '99' } });
    expect(stale).toMatchObject({ status: 409, json: { code: 'version_conflict' } });
  });
});

describe('a pot awarded by hand (A30)', () => {
  const body = { brand_id: 'acme:main', player_id: 'p1', source_id: 'slot-1' };
  const trigger = (pot: string, change: object = {}, options: Options = {}) =>
    world.call('POST', at(`/pots/${pot}/trigger`), { ...body, ...change }, options);

  it('pays the whole pot, once for a key', async () => {
    const before = (await pots())[0];
    const headers = { 'Idempotency-Key': 'win' };
    const { status, json } = await trigger('gold', {}, { headers });
    expect(status).toBe(200);
    expect(json).toEqual({
      instance_id: instance,
      timestamp: expect.any(Number),
      win_amount: before.current_value,
      win_pot_id: 'gold',
    });
    expect(await trigger('gold', {}, { headers })).toMatchObject({ status: 204, text: '' });
    expect((await pots())[0].instance_count).toBe(before.instance_count + 1);
    const other = await trigger('gold', { player_id: 'p2' }, { headers });
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
  });

  it.each([
    ['silver', {}, 422, 'trigger_not_supported'],
    ['bronze', {}, 404, 'pot_not_found'],
    ['gold', { brand_id: 'acme:none' }, 404, 'brand_not_found'],
    ['gold', { source_id: '' }, 400, 'invalid_identifier'],
    ['gold', { source_id: 'a promotion' }, 404, 'source_not_found'],
    ['gold', { source_id: 'slot-9' }, 404, 'source_not_found'],
    ['gold', { player_id: null }, 400, 'invalid_request'],
    ['gold', { amount: 1 }, 400, 'invalid_request'],
  ])('%s with %j is %i %s', async (pot, change, status, code) => {
    expect(await trigger(pot, change)).toMatchObject({ status, json: { code } });
  });

  it('asks the wallet about the session of the player first, if there is one', async () => {
    const before = world.players.again.length;
    expect((await trigger('gold', { player_id: 'p7', source_id: 'none' })).status).toBe(404);
    expect((await trigger('gold', { player_id: 'p7' })).status).toBe(200);
    expect(world.players.again.slice(before)).toEqual(['acme:main p7']);
  });

  it('keeps to the version that If-Match names', async () => {
    const before = (await pots())[0];
    const { version } = (await world.call('GET', at(''))).json;
    const stale = await trigger('gold', {}, { headers: { 'If-Match': String(version + 1) } });
    expect(stale).toMatchObject({ status: 409, json: { code: 'version_conflict' } });
    const nowhere = await trigger('bronze', {}, { headers: { 'If-Match': String(version + 1) } });
    expect(nowhere).toMatchObject({ status: 404, json: { code: 'pot_not_found' } });
    expect((await pots())[0].instance_count).toBe(before.instance_count);
    expect((await trigger('gold', {}, { headers: { 'If-Match': `"${version}"` } })).status).toBe(200);
  });

  it('answers a retry though the win was the last one, which made another version', async () => {
    const gold = { id: 'gold', pot_types: [{ External: {} }] };
    const id = await createInstance(world, {
      overrides: { max_instantiation_count: 1, pots: [gold, { id: 'silver', enabled: false }] },
    });
    const path = `/config/instances/${id}`;
    const active = await world.call('POST', `${path}/status`, { status: 'Active', reason: 'go' });
    const headers = { 'Idempotency-Key': 'last', 'If-Match': String(active.json.version) };
    const award = (change: object) =>
      world.call('POST', `${path}/pots/gold/trigger`, { ...body, ...change }, { headers });
    expect((await award({})).status).toBe(200);
    expect((await world.call('GET', path)).json.version).toBeGreaterThan(active.json.version);
    expect(await award({})).toMatchObject({ status: 204, text: '' });
    const other = await award({ player_id: 'p2' });
    expect(other).toMatchObject({ status: 422, json: { code: 'idempotency_key_reused' } });
  });

  it('is refused to a player who has not opted in, where the jackpot requires it', async () => {
    const gold = { id: 'gold', pot_types: [{ External: {} }] };
    const id = await createInstance(world, {
      overrides: { contribution_rules: { opt_in_required: true }, pots: [gold, { id: 'silver' }] },
    });
    const path = `/config/instances/${id}`;
    await world.call('POST', `${path}/status`, { status: 'Active', reason: 'go' });
    const award = () => world.call('POST', `${path}/pots/gold/trigger`, body);
    expect(await award()).toMatchObject({ status: 422, json: { code: 'opt_in_required' } });
    const optIn = { player_id: 'p1', brand_id: 'main', player_country: 'DE', opt_in: true };
    expect((await world.call('POST', `${path}/opt-in`, optIn)).status).toBe(204);
    expect((await award()).status).toBe(200);
  });

  it.each(['/config/operators/acme', '/config/operators/acme/brands/main'])(
    'is refused for players of a disabled owner: %s',
    async (owner) => {
      const before = (await pots())[0];
      await world.call('PATCH', owner, { enabled: false });
      expect(await trigger('gold')).toMatchObject({ status: 403, json: { code: 'owner_disabled' } });
      await world.call('PATCH', owner, { enabled: true });
      expect((await pots())[0].instance_count).toBe(before.instance_count);
    },
  );

  it('is refused where the pot is empty, and to who may not move money', async () => {
    const set = { adjustment: 0, reason: 'empty it' };
    expect((await world.call('PUT', at('/pots/gold/current-value'), set)).status).toBe(204);
    expect(await trigger('gold')).toMatchObject({ status: 422, json: { code: 'pot_empty' } });
    expect((await trigger('gold', {}, { token: await world.token(['support'], ['acme']) })).status).toBe(403);
  });
});

describe('brands of an instance (A23)', () => {
  const allowed = async () => (await world.call('GET', at(''))).json.contribution_rules.allowed_brands;

  it('are allowed and disallowed; the last one leaves an explicit none', async () => {
    const id = await createInstance(world, {
      overrides: { contribution_rules: { allowed_brands: ['acme:vip'] } },
    });
    const path = (brand: string) => `/config/instances/${id}/brands/${brand}`;
    const listed = async () =>
      (await world.call('GET', `/config/instances/${id}`)).json.contribution_rules.allowed_brands;
    expect(await world.call('PUT', path('main'))).toMatchObject({ status: 204, text: '' });
    expect(await listed()).toEqual(['acme:vip', 'acme:main']);
    const body = { instance_id: id, brand_id: 'acme:vip' };
    expect((await world.call('DELETE', path('acme:vip'), body)).status).toBe(204);
    expect((await world.call('DELETE', path('acme:main'))).status).toBe(204);
    expect(await listed()).toEqual([]);
  });

  it('are all allowed where none is listed: allowing one writes no list, disallowing one does', async () => {
    const id = await createInstance(world);
    const path = (brand: string) => `/config/instances/${id}/brands/${brand}`;
    const read = async () => (await world.call('GET', `/config/instances/${id}`)).json;
    const { version } = await read();
    expect((await world.call('PUT', path('main'))).status).toBe(204);
    expect(await read()).toMatchObject({ version, contribution_rules: { allowed_brands: null } });
    expect((await world.call('DELETE', path('vip'))).status).toBe(204);
    expect((await read()).contribution_rules.allowed_brands).toContain('acme:main');
    expect((await read()).contribution_rules.allowed_brands).not.toContain('acme:vip');
  });

  it('are listed where a brand of another operator joins; nothing is allowed on what is over', async () => {
    const id = await createInstance(world);
    const path = (brand: string) => `/config/instances/${id}/brands/${brand}`;
    expect((await world.call('PUT', path('rival:main'))).status).toBe(204);
    const { contribution_rules } = (await world.call('GET', `/config/instances/${id}`)).json;
    expect(contribution_rules.allowed_brands).toEqual(expect.arrayContaining(['acme:main', 'rival:main']));
    const over = await createInstance(world);
    const cancelled = { status: 'Cancelled', reason: 'not needed' };
    expect((await world.call('POST', `/config/instances/${over}/status`, cancelled)).status).toBe(200);
    const late = await world.call('PUT', `/config/instances/${over}/brands/main`);
    expect(late).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
  });

  it('must exist, and be named alike in path and body', async () => {
    const before = await allowed();
    const none = await world.call('PUT', at('/brands/acme:none'));
    expect(none).toMatchObject({ status: 404, json: { code: 'brand_not_found' } });
    const other = await world.call('PUT', at('/brands/main'), { brand_id: 'acme:vip' });
    expect(other).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
    const stale = await world.call('PUT', at('/brands/main'), undefined, { headers: { 'If-Match': '99' } });
    expect(stale).toMatchObject({ status: 409, json: { code: 'version_conflict' } });
    const token = await world.token(['config'], ['acme']);
    expect((await world.call('PUT', at('/brands/rival:main'), undefined, { token })).status).toBe(404);
    expect(await allowed()).toEqual(before);
  });
});

describe('opt-in by an administrator (A24, A34)', () => {
  const body = {
    player_id: 'p7',
    brand_id: 'vip',
    player_country: 'DE',
    opt_in: true,
    contribution_value: '0.2',
  };

  it('is taken while the brand is disabled: a player can leave at any time', async () => {
    const brand = '/config/operators/acme/brands/vip';
    await world.call('PATCH', brand, { enabled: false });
    expect((await world.call('POST', at('/opt-in'), { ...body, opt_in: false })).status).toBe(204);
    await world.call('PATCH', brand, { enabled: true });
  });

  it('stores it, and answers with the record where that is asked for', async () => {
    expect(await world.call('POST', at('/opt-in'), body)).toMatchObject({ status: 204, text: '' });
    const { status, json } = await world.call('POST', at('/opt-in/records'), { ...body, opt_in: false });
    expect(status).toBe(200);
    expect(json).toMatchObject([
      { instance_id: instance, player_id: 'acme:vip:p7', opted_in: false, preferred_contribution_value: 0.2 },
    ]);
    expect(json).toHaveLength(1);
  });

  it('answers for the currency that was asked about where opt-ins are kept by currency', async () => {
    const id = await createInstance(world, {
      overrides: { contribution_rules: { opt_in_per_currency: true } },
    });
    const move = (contribution_currency: string, opt_in: boolean) =>
      world.call('POST', `/config/instances/${id}/opt-in/records`, {
        ...body,
        contribution_value: null,
        contribution_currency,
        opt_in,
      });
    expect((await move('EUR', true)).json).toMatchObject([{ opted_in: true }]);
    expect((await move('USD', true)).json).toMatchObject([{ opted_in: true }]);
    expect((await move('EUR', false)).json).toMatchObject([{ opted_in: false, opted_out: true }]);
    const inWithUsd = await world.call('GET', `/config/instances/${id}/opt-ins?opted_in=true`);
    expect(inWithUsd.json).toMatchObject([{ player_id: 'acme:vip:p7', opted_in: true, opted_out: false }]);
  });

  it('keeps to the rules of the instance and of roles', async () => {
    const low = await world.call('POST', at('/opt-in/records'), { ...body, contribution_value: '0.01' });
    expect(low).toMatchObject({ status: 422, json: { code: 'amount_out_of_range' } });
    const none = await world.call('POST', at('/opt-in'), { ...body, brand_id: 'none' });
    expect(none).toMatchObject({ status: 404, json: { code: 'brand_not_found' } });
    const others = await world.call('POST', at('/opt-in'), { ...body, brand_id: 'rival:main' });
    expect(others).toMatchObject({ status: 422, json: { code: 'brand_not_allowed' } });
    expect((await world.call('POST', at('/opt-in'), { ...body, opt_in: 'yes' })).status).toBe(400);
    const token = await world.token(['finance'], ['acme']);
    expect((await world.call('POST', at('/opt-in'), body, { token })).status).toBe(403);
    const stranger = await world.token(['support'], ['rival']);
    expect((await world.call('POST', at('/opt-in'), body, { token: stranger })).status).toBe(404);
  });
});

describe('opt-ins of an instance (A33)', () => {
  it('are listed, filtered and paged', async () => {
    const id = await createInstance(world);
    const optIn = (player: string, brand: string, opt_in: boolean) => {
      const body = { player_id: player, brand_id: brand, player_country: 'DE', opt_in };
      return world.call('POST', `/config/instances/${id}/opt-in`, body);
    };
    for (const [player, brand, opted] of [
      ['a', 'main', true],
      ['b', 'vip', false],
      ['c', 'main', true],
    ] as const)
      expect((await optIn(player, brand, opted)).status).toBe(204);
    const list = async (query = '', options: Options = {}) =>
      (await world.call('GET', `/config/instances/${id}/opt-ins${query}`, undefined, options)).json.map(
        (status: { ext_player_id: string }) => status.ext_player_id,
      );
    expect(await list()).toEqual(['a', 'b', 'c']);
    expect(await list('?opted_in=true')).toEqual(['a', 'c']);
    expect(await list('?opted_in=false')).toEqual(['b']);
    expect(await list('?limit=2&page=1')).toEqual(['c']);
    const path = `/config/instances/${id}/opt-ins`;
    expect((await world.call('GET', `${path}?opted_in=1`)).status).toBe(400);
    expect((await world.call('GET', `${path}?limit=501`)).status).toBe(400);
    const token = await world.token(['viewer'], ['rival']);
    expect((await world.call('GET', path, undefined, { token })).status).toBe(404);
  });
});

describe("a player's opt-ins (A26)", () => {
  const list = (query: string, player = 'wanderer', options: Options = {}) =>
    world.call('GET', `/config/players/${player}/opt-ins${query}`, undefined, options);

  it('are found in every lane, and filtered', async () => {
    const first = await createInstance(world);
    const second = await createInstance(world, { group: 'acme:second' });
    for (const [id, opt_in] of [
      [first, true],
      [second, false],
    ] as const) {
      const body = { player_id: 'wanderer', brand_id: 'main', player_country: 'DE', opt_in };
      expect((await world.call('POST', `/config/instances/${id}/opt-in`, body)).status).toBe(204);
    }
    const ids = async (query: string) =>
      (await list(query)).json.map((status: { instance_id: string }) => status.instance_id);
    expect((await ids('?brand_id=acme:main')).sort()).toEqual([first, second].sort());
    expect(await ids('?brand_id=acme:main&opted_id=true')).toEqual([first]);
    expect(await ids('?brand_id=acme:main&opted_id=false')).toEqual([second]);
    expect(await ids('?brand_id=acme:vip')).toEqual([]);
  });

  it.each([
    ['', 400, 'invalid_parameter'],
    ['?brand_id=acme:main&opted_id=yes', 400, 'invalid_parameter'],
    ['?brand_id=acme:none', 404, 'brand_not_found'],
    ['?brand_id=main', 404, 'brand_not_found'],
  ])('%s is %i %s', async (query, status, code) => {
    expect(await list(query)).toMatchObject({ status, json: { code } });
  });

  it('belong to the owner', async () => {
    const token = await world.token(['support'], ['rival']);
    expect((await list('?brand_id=acme:main', 'wanderer', { token })).status).toBe(404);
  });
});
