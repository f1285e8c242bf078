import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { maxSubscriptions } from '../../../../../../src/contracts/directory/webhook.ts';
import { furnish, startWorld, type World } from '../../../../support/administration.ts';

const path = '/v1/webhooks/subscriptions';
const password = 'a long password';
let world: World;
let ofOperator: string;
let ofBrand: string;
let withoutRight: string;

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  for (const operator_id of ['acme', 'rival'])
    await world.call('POST', '/config/webhook-origins', { operator_id, origin: 'https://hooks.example' });
  ofOperator = await serviceOf('all', null, ['webhooks']);
  ofBrand = await serviceOf('of-main', ['acme:main'], ['webhooks']);
  withoutRight = await serviceOf('plain', null, ['cors']);
});
afterAll(() => world.stop());
beforeEach(async () => {
  for (const operator of ['acme', 'rival'])
    for (const { id } of (await world.call('GET', `${path}?operator_id=${operator}`)).json)
      await world.call('DELETE', `${path}/${id}`);
});

async function serviceOf(username: string, brands: readonly string[] | null, rights: readonly string[]) {
  await world.call('POST', '/config/service-users', {
    username,
    password,
    operator_id: 'acme',
    brands,
    rights,
  });
  const login = await world.call('POST', '/v1/auth/service', { username, password }, { token: '' });
  return login.json.token as string;
}

const body = (changes: object = {}) => ({
  url: 'https://hooks.example/events?key=1',
  event_types: ['WinEvent', 'PayoutEvent'],
  ...changes,
});
const as = (token: string) => ({ token });

describe('webhook subscriptions', () => {
  it('are created, read, listed, changed and removed by a service with the right', async () => {
    const created = await world.call('POST', path, body(), as(ofOperator));
    const expected = {
      id: expect.any(String),
      operator_id: 'acme',
      brand_ids: null,
      ...body(),
      event_types: ['WinEvent', 'PayoutEvent'],
      created_timestamp: expect.any(Number),
    };
    expect([created.status, created.json]).toEqual([201, expected]);
    const at = `${path}/${created.json.id}`;
    expect((await world.call('GET', at, undefined, as(ofOperator))).json).toEqual(created.json);
    expect((await world.call('GET', path, undefined, as(ofOperator))).json).toEqual([created.json]);
    const changed = await world.call('PATCH', at, { event_types: ['OptInEvent'] }, as(ofOperator));
    expect([changed.status, changed.json]).toEqual([200, { ...created.json, event_types: ['OptInEvent'] }]);
    const moved = await world.call('PATCH', at, { url: 'https://hooks.example/new' }, as(ofOperator));
    expect(moved.json).toMatchObject({ url: 'https://hooks.example/new', event_types: ['OptInEvent'] });
    expect((await world.call('DELETE', at, undefined, as(ofOperator))).status).toBe(204);
    expect((await world.call('GET', at, undefined, as(ofOperator))).json.code).toBe('route_not_found');
    expect((await world.call('DELETE', at, undefined, as(ofOperator))).json.code).toBe('route_not_found');
  });

  it('of a brand are all that its service sees and makes', async () => {
    const whole = (await world.call('POST', path, body(), as(ofOperator))).json;
    const vip = (await world.call('POST', path, body({ brand_ids: ['vip'] }), as(ofOperator))).json;
    const own = await world.call('POST', path, body({ brand_ids: ['main'] }), as(ofBrand));
    expect([own.status, own.json.brand_ids]).toEqual([201, ['acme:main']]);
    expect((await world.call('GET', path, undefined, as(ofBrand))).json).toEqual([own.json]);
    for (const { id } of [whole, vip])
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const change = method === 'PATCH' ? { event_types: ['WinEvent'] } : undefined;
        const answer = await world.call(method, `${path}/${id}`, change, as(ofBrand));
        expect([answer.status, answer.json.code]).toEqual([404, 'route_not_found']);
      }
    const refused = [
      [body(), 'forbidden'],
      [body({ brand_ids: ['main', 'vip'] }), 'brand_forbidden'],
      [body({ brand_ids: ['rival:main'] }), 'brand_not_found'],
      [body({ operator_id: 'rival' }), 'operator_not_found'],
    ] as const;
    for (const [wrong, code] of refused)
      expect((await world.call('POST', path, wrong, as(ofBrand))).json.code).toBe(code);
    expect((await world.call('GET', path, undefined, as(ofOperator))).json).toHaveLength(3);
  });

  it('are for administrators of the operator with the role security', async () => {
    const acme = await world.token(['security'], ['acme']);
    const made = await world.call('POST', path, body(), as(acme));
    expect(made.status).toBe(201);
    const rival = await world.token(['security'], ['rival']);
    const at = `${path}/${made.json.id}`;
    expect((await world.call('GET', at, undefined, as(rival))).json.code).toBe('route_not_found');
    expect((await world.call('GET', `${path}?operator_id=acme`, undefined, as(rival))).json.code).toBe(
      'operator_not_found',
    );
    expect((await world.call('GET', path, undefined, as(rival))).json).toEqual([]);
    expect((await world.call('GET', path)).json.code).toBe('invalid_parameter');
    const config = await world.token(['config', 'finance', 'support'], ['*']);
    expect((await world.call('GET', at, undefined, as(config))).json.code).toBe('forbidden');
    expect((await world.call('GET', at, undefined, as(withoutRight))).json.code).toBe('forbidden');
    expect((await world.call('POST', path, body(), as(withoutRight))).json.code).toBe('forbidden');
  });

  it.each([
    [{ url: 'https://elsewhere.example/events' }, 422, 'callback_address_not_allowed'],
    [{ url: 'http://hooks.example/events' }, 422, 'callback_address_not_allowed'],
    [{ url: 'https://hooks.example/#a' }, 422, 'callback_address_not_allowed'],
    [{ url: '' }, 400, 'invalid_request'],
    [{ url: `https://hooks.example/${'a'.repeat(2_100)}` }, 400, 'invalid_request'],
    [{ event_types: [] }, 400, 'invalid_request'],
    [{ event_types: ['JackpotUpdate'] }, 400, 'invalid_request'],
    [{ event_types: ['WinEvent', 'WinEvent'] }, 400, 'invalid_request'],
    [{ brand_ids: [] }, 400, 'invalid_request'],
    [{ brand_ids: ['missing'] }, 404, 'brand_not_found'],
    [{ operator_id: 'missing' }, 404, 'operator_not_found'],
    [{ secret: 'a' }, 400, 'invalid_request'],
  ])('of %j are %i %s, and nothing is stored', async (changes, status, code) => {
    const answer = await world.call('POST', path, body(changes), as(ofOperator));
    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect((await world.call('GET', path, undefined, as(ofOperator))).json).toEqual([]);
  });

  it('are there once, and at most twenty', async () => {
    const first = await world.call('POST', path, body(), as(ofOperator));
    expect((await world.call('POST', path, body(), as(ofOperator))).json.code).toBe('already_exists');
    for (let count = 1; count < maxSubscriptions; count += 1) {
      const more = body({ url: `https://hooks.example/${count}` });
      expect((await world.call('POST', path, more, as(ofOperator))).status).toBe(201);
    }
    const one = body({ url: 'https://hooks.example/more' });
    expect((await world.call('POST', path, one, as(ofOperator))).json.code).toBe('config_invalid');
    const twice = await world.call('PATCH', `${path}/${first.json.id}`, { url: 'https://hooks.example/1' });
    expect(twice.json.code).toBe('already_exists');
  });

  it('have entries in the audit trail, as of the operator or of the brand', async () => {
    const made = await world.call('POST', path, body({ brand_ids: ['main'] }), as(ofOperator));
    await world.call('DELETE', `${path}/${made.json.id}`, undefined, as(ofOperator));
    const { json } = await world.call('GET', '/config/audit?owner_id=acme:main&limit=500');
    const entries = json.filter(({ path: of }: { path: string }) => of.startsWith(path));
    expect(entries.map(({ user, method }: { user: string; method: string }) => `${user} ${method}`)).toEqual(
      expect.arrayContaining(['all POST', 'all DELETE']),
    );
  });

  it('of a disabled operator are for its administrators', async () => {
    await world.call('PATCH', '/config/operators/acme', { enabled: false });
    expect((await world.call('GET', path, undefined, as(ofOperator))).json.code).toBe('owner_disabled');
    expect((await world.call('GET', `${path}?operator_id=acme`)).json).toEqual([]);
    await world.call('PATCH', '/config/operators/acme', { enabled: true });
  });
});
