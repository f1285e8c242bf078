import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
let instance = '';
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world, {
    overrides: { contribution_rules: { country_filters: { black_list: ['US-NJ'] } } },
  });
  const body = { owner_id: 'acme', source_id: ['slot-1'], instance_id: instance };
  const answer = await world.call('POST', '/config/sources/assign', body);
  expect(answer.status).toBe(204);
});
afterAll(() => world.stop());

const lookup = (query = '', source = 'slot-1', brand = 'acme:main') =>
  world.call('GET', `/v1/jackpot/instances/source/${source}/brand/${brand}${query}`, undefined, {
    token: '',
  });

describe('jackpot for a source, frontend (O13)', () => {
  it('shows the slim view, without a player', async () => {
    const { status, json } = await lookup('?country_code=DE&player_id=p1&segments=a,b');
    expect(status).toBe(200);
    expect(json).toEqual({
      id: instance,
      currency: 'EUR',
      opt_in_required: false,
      opt_in_per_currency: false,
      contribution_type: { Fixed: 0.1 },
      contribution_values_alt: [],
      pots: [
        { id: 'gold', instance_count: 1, is_progressive: true, current_value: 0, community_split: 0 },
        { id: 'silver', instance_count: 1, is_progressive: true, current_value: 0, community_split: 0 },
      ],
      timestamp_start: expect.any(Number),
      timestamp_end: null,
      status: 'Pending',
    });
  });

  it.each([
    ['', 'none', 'acme:main', 404, 'source_not_found'],
    ['', 'slot-9', 'acme:main', 404, 'source_not_found'],
    ['', 'slot-1', 'acme:none', 404, 'brand_not_found'],
    ['', 'slot-1', 'main', 404, 'brand_not_found'],
    ['', 'slot-9', 'rival:main', 404, 'jackpot_not_found'],
    ['?country_code=US-NJ', 'slot-1', 'acme:main', 404, 'jackpot_not_found'],
    ['?country_code=Germany', 'slot-1', 'acme:main', 422, 'country_invalid'],
    ['?colour=red', 'slot-1', 'acme:main', 400, 'invalid_parameter'],
    ['', 'slot-1', 'acme:main:x', 400, 'invalid_identifier'],
  ])('%s of %s, %s is %i %s', async (query, source, brand, status, code) => {
    expect(await lookup(query, source, brand)).toMatchObject({ status, json: { status_code: status, code } });
  });

  it('is closed for a disabled owner', async () => {
    await world.call('PATCH', '/config/operators/acme', { enabled: false });
    expect(await lookup()).toMatchObject({ status: 403, json: { code: 'owner_disabled' } });
    await world.call('PATCH', '/config/operators/acme', { enabled: true });
    expect((await lookup()).status).toBe(200);
  });
});

describe('instance ticker (O20)', () => {
  it('shows live values as decimal strings', async () => {
    await world.call('POST', `/config/instances/${instance}/status`, { status: 'Active', reason: 'go' });
    const { status, json } = await world.call('GET', `/v1/jackpot/instances/${instance}/ticker`, undefined, {
      token: '',
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      id: instance,
      jackpot_type: 'Jackpot',
      currency: 'EUR',
      pots: [
        { id: 'gold', is_progressive: true, current_value: '100', community_split: '0' },
        { id: 'silver', is_progressive: true, current_value: '100', community_split: '0' },
      ],
      allowed_brands: ['acme:main', 'acme:vip'],
      allowed_sources: ['slot-1'],
      status: 'Active',
      timestamp_start: expect.any(Number),
      timestamp_end: null,
      last_updated: expect.any(Number),
    });
  });

  it('is shown while an enabled brand may play, whoever owns the jackpot', async () => {
    const shared = await createInstance(world, {
      overrides: { contribution_rules: { allowed_brands: ['acme:main', 'rival:main'] } },
    });
    const shown = async (id: string) =>
      (await world.call('GET', `/v1/jackpot/instances/${id}/ticker`)).status;
    const enable = (path: string, enabled: boolean) =>
      world.call('PATCH', `/config/operators/${path}`, { enabled });
    await enable('acme', false);
    expect([await shown(instance), await shown(shared)]).toEqual([403, 200]);
    await enable('rival/brands/main', false);
    expect(await shown(shared)).toBe(403);
    await enable('acme', true);
    expect([await shown(instance), await shown(shared)]).toEqual([200, 200]);
    await enable('rival/brands/main', true);
  });

  it('knows no other instance', async () => {
    const missing = await world.call('GET', '/v1/jackpot/instances/none/ticker');
    expect(missing).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
    const malformed = await world.call('GET', '/v1/jackpot/instances/a.b/ticker');
    expect(malformed).toMatchObject({ status: 400, json: { code: 'invalid_identifier' } });
  });
});
