import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

describe('operators and brands (A2 to A6)', () => {
  it('creates operators and names those that exist or stand twice', async () => {
    const answer = await world.call('POST', '/config/operators', [
      { id: 'fresh', name: 'Fresh' },
      { id: 'acme', name: 'Again' },
    ]);
    expect(answer).toMatchObject({ status: 200, json: { success: ['fresh'], failed: ['acme'] } });
    const again = await world.call('POST', '/config/operators', [
      { id: 'twice', name: 'A' },
      { id: 'twice', name: 'B' },
    ]);
    expect(again.json).toEqual({ success: ['twice'], failed: ['twice'] });
  });

  it('shows an operator with its brands', async () => {
    const { status, json } = await world.call('GET', '/config/operators/acme');
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual([
      'brands',
      'created_timestamp',
      'enabled',
      'four_eyes',
      'id',
      'name',
      'path',
    ]);
    expect(json).toMatchObject({ id: 'acme', path: 'acme', name: 'Acme', enabled: true });
    expect(json.four_eyes).toEqual({ enabled: false, limit: null });
    expect(json.brands).toMatchObject([
      { id: 'main', path: 'acme:main', enabled: true },
      { id: 'vip', path: 'acme:vip', enabled: true },
    ]);
    expect(JSON.stringify(json)).not.toContain('salt');
  });

  it('gives every brand a salt of its own, and every lane knows the brand before the answer', async () => {
    const { brands } = world.readModel.entries;
    expect(brands.get('acme:main')?.salt).not.toBe(brands.get('acme:vip')?.salt);
    for (const lane of world.lanes) expect(lane.knowsBrand('acme:vip')).toBe(true);
  });

  it('changes name and enabled, and nothing else', async () => {
    expect(await world.call('PATCH', '/config/operators/rival', { enabled: false })).toMatchObject({
      status: 204,
      text: '',
    });
    expect(world.readModel.brand('rival:main')?.enabled).toBe(false);
    const path = '/config/operators/rival/brands/main';
    expect((await world.call('PATCH', path, { name: 'Renamed', enabled: null })).status).toBe(204);
    const { json } = await world.call('GET', '/config/operators/rival');
    expect(json).toMatchObject({
      name: 'Rival',
      enabled: false,
      brands: [{ name: 'Renamed', enabled: true }],
    });
    await world.call('PATCH', '/config/operators/rival', { enabled: true });
  });

  it.each([
    ['main', 'rival:main'],
    ['rival:main', 'main'],
    ['rival:main', 'rival:main'],
  ])('takes the brand of the path %s again as %s', async (inPath, inBody) => {
    const path = `/config/operators/rival/brands/${inPath}`;
    expect(await world.call('PATCH', path, { brand_id: inBody })).toMatchObject({ status: 204 });
    const settings = { base_url: 'https://wallet.example', bearer_key: 'key', provider_id: 'house' };
    const wallet = { ...settings, hmac_secret: 'a secret of some length', brand_id: inBody };
    expect(await world.call('PUT', `${path}/wallet`, wallet)).toMatchObject({ status: 200 });
  });

  it.each([100, '100.00', null])('takes %j as the limit of the four-eyes rule', async (limit) => {
    const four_eyes = { enabled: false, limit };
    expect(await world.call('PATCH', '/config/operators/rival', { four_eyes })).toMatchObject({
      status: 204,
    });
    const stored = world.readModel.entries.operators.get('rival')?.four_eyes;
    expect(stored).toEqual({ enabled: false, limit: limit === null ? null : '100' });
  });

  it('sets, shows and takes away the quota of an operator, and keeps it in other changes', async () => {
    const path = '/config/operators/rival';
    const quota = { contributions_per_second: 500 };
    expect((await world.call('PATCH', path, { quota })).status).toBe(204);
    const whole = { contributions_per_second: 500, bytes_per_second: null };
    expect((await world.call('PATCH', path, { name: 'Rival' })).status).toBe(204);
    expect((await world.call('GET', path)).json.quota).toEqual(whole);
    const listed = await world.call('GET', '/config/operators?owner_id=rival');
    expect(listed.json).toMatchObject([{ id: 'rival', quota: whole }]);
    expect((await world.call('PATCH', path, { quota: {} })).status).toBe(204);
    expect((await world.call('GET', path)).json).not.toHaveProperty('quota');
  });

  it("lets nobody lift the quota of an operator with that operator's roles only", async () => {
    const scoped = await world.token(['config'], ['rival']);
    const path = '/config/operators/rival';
    const lifted = await world.call('PATCH', path, { quota: {} }, { token: scoped });
    expect(lifted).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect((await world.call('PATCH', path, { name: 'Rival' }, { token: scoped })).status).toBe(204);
  });

  it('lists by page, name and direction', async () => {
    const descending = await world.call('GET', '/config/operators?sort_field=id&sort_direction=-1&limit=1');
    expect(descending.json.map((operator: { id: string }) => operator.id)).toEqual(['twice']);
    const named = await world.call('GET', '/config/operators?name=CM');
    expect(named.json.map((operator: { id: string }) => operator.id)).toEqual(['acme']);
    expect((await world.call('GET', '/config/operators?page=9')).json).toEqual([]);
  });

  it.each([
    ['GET', '/config/operators?limit=0', undefined, 400, 'invalid_parameter'],
    ['GET', '/config/operators?limit=501', undefined, 400, 'invalid_parameter'],
    ['GET', '/config/operators?page=-1', undefined, 400, 'invalid_parameter'],
    ['GET', '/config/operators?page=1.5', undefined, 400, 'invalid_parameter'],
    ['GET', '/config/operators?sort_direction=0', undefined, 400, 'invalid_parameter'],
    ['GET', '/config/operators?sort_field=salt', undefined, 400, 'invalid_parameter'],
    ['GET', '/config/operators/nobody', undefined, 404, 'operator_not_found'],
    ['POST', '/config/operators', [{ id: 'ab' }], 400, 'invalid_request'],
    ['POST', '/config/operators', [{ id: 'ab', name: '  ' }], 400, 'invalid_request'],
    ['POST', '/config/operators', [{ id: 'ab', name: 'x', enable: true }], 400, 'invalid_request'],
    ['POST', '/config/operators', [{ id: 7, name: 'x' }], 400, 'invalid_request'],
    ['POST', '/config/operators', [], 400, 'invalid_request'],
    ['POST', '/config/operators', {}, 400, 'invalid_request'],
    ['POST', '/config/operators/nobody/brands', [{ id: 'a', name: 'x' }], 404, 'operator_not_found'],
    ['PATCH', '/config/operators/acme', { enabled: 1 }, 400, 'invalid_request'],
    ['PATCH', '/config/operators/acme', { operator_id: 'rival' }, 400, 'invalid_request'],
    ['PATCH', '/config/operators/acme/brands/main', { brand_id: 'vip' }, 400, 'invalid_request'],
    ['PATCH', '/config/operators/acme/brands/main', { brand_id: 'rival:main' }, 400, 'invalid_request'],
    [
      'PATCH',
      '/config/operators/acme',
      { four_eyes: { enabled: true, limit: 'much' } },
      400,
      'invalid_request',
    ],
    ['PATCH', '/config/operators/acme', { four_eyes: { enabled: true, limit: -1 } }, 422, 'amount_negative'],
    ['PATCH', '/config/operators/acme', { quota: { contributions_per_second: 0 } }, 400, 'invalid_request'],
    ['PATCH', '/config/operators/acme', { quota: { bytes_per_second: '9' } }, 400, 'invalid_request'],
    ['PATCH', '/config/operators/acme', { quota: { calls: 1 } }, 400, 'invalid_request'],
    ['PATCH', '/config/operators/acme/brands/none', { enabled: true }, 404, 'brand_not_found'],
    ['PATCH', '/config/operators/acme/brands/rival:main', { enabled: true }, 404, 'brand_not_found'],
  ] as const)('%s %s %j is %i %s', async (method, path, body, status, code) => {
    const { json, ...answer } = await world.call(method, path, body);
    expect(answer.status).toBe(status);
    expect(json).toMatchObject({ status_code: status, code });
    expect(Object.keys(json).sort()).toEqual(['code', 'message', 'status_code']);
  });

  it.each([
    ['POST', '/config/operators', { name: 'x' }],
    ['POST', '/config/operators/acme/brands', { name: 'x' }],
    ['POST', '/config/sources', { owner_id: 'acme', source_name: 'x', source_id: 's', jackpots: [] }],
    ['DELETE', '/config/sources', { owner_id: 'acme', source_id: 's' }],
    ['POST', '/config/segments', { owner_id: 'acme', priority: 1 }],
    ['DELETE', '/config/segments', { owner_id: 'acme', segment_id: 's' }],
  ])('takes no more than 1000 items at %s %s', async (method, path, item) => {
    const body = Array.from({ length: 1001 }, (_, index) =>
      'name' in item || 'priority' in item ? { ...item, id: `many-${index}` } : item,
    );
    expect(await world.call(method, path, body)).toMatchObject({
      status: 413,
      json: { code: 'payload_too_large' },
    });
  });

  it('judges the role before an amount, however inexact', async () => {
    const token = await world.token(['viewer'], ['*']);
    for (const limit of [-1, 1.0000000000000002]) {
      const four_eyes = { enabled: true, limit };
      const answer = await world.call('PATCH', '/config/operators/acme', { four_eyes }, { token });
      expect(answer).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    }
  });

  it('keeps to the roles and owners of the caller', async () => {
    const viewer = await world.token(['viewer'], ['*']);
    const scoped = await world.token(['config'], ['acme']);
    const body = [{ id: 'zed', name: 'Zed' }];
    expect((await world.call('POST', '/config/operators', body, { token: viewer })).json.code).toBe(
      'forbidden',
    );
    expect((await world.call('POST', '/config/operators', body, { token: scoped })).json.code).toBe(
      'forbidden',
    );
    expect((await world.call('POST', '/config/operators', body, { token: '' })).json.code).toBe(
      'unauthenticated',
    );
    const foreign = await world.call('GET', '/config/operators/rival', undefined, { token: scoped });
    const missing = await world.call('GET', '/config/operators/nobody', undefined, { token: scoped });
    expect(foreign.text).toBe(missing.text);
    const list = await world.call('GET', '/config/operators', undefined, { token: scoped });
    expect(list.json.map((operator: { id: string }) => operator.id)).toEqual(['acme']);
    const service = await world.serviceToken('acme');
    expect((await world.call('GET', '/config/operators', undefined, { token: service })).status).toBe(401);
  });
});
