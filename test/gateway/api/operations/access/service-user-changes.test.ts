import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const password = 'a long and good one';
const path = '/config/service-users';
let names = 0;

async function someone(changes: object = {}): Promise<string> {
  names += 1;
  const username = `service-user-${names}`;
  const body = { username, password, operator_id: 'acme', ...changes };
  expect((await world.call('POST', path, body)).status).toBe(201);
  return username;
}
const change = (username: string, body: unknown, token?: string) =>
  world.call('PATCH', `${path}/${username}`, body, token === undefined ? {} : { token });
const login = (username: string, given = password) =>
  world.call('POST', '/v1/auth/service', { username, password: given }, { token: '' });
const tokenOf = async (username: string): Promise<string> => (await login(username)).json.token;
const sources = (token: string) =>
  world.call('GET', '/v1/jackpot/sources?owner_id=acme', undefined, { token });
const keyOf = async (username: string): Promise<string> =>
  (await world.call('POST', `${path}/${username}/keys`)).json.key_id;
const refused = (status: number, code: string) => ({ status, json: { status_code: status, code } });

describe('a service user', () => {
  it('is shown with its state and its last log-in', async () => {
    const username = await someone();
    const shown = async () => (await world.call('GET', `${path}/${username}`)).json;
    expect(await shown()).toMatchObject({ enabled: true, last_login_timestamp: null });
    const before = Date.now();
    await tokenOf(username);
    await expect.poll(async () => (await shown()).last_login_timestamp).toBeGreaterThanOrEqual(before);
    // A new one of the same name has not logged in.
    expect((await world.call('DELETE', `${path}/${username}`)).status).toBe(204);
    const again = { username, password, operator_id: 'acme' };
    expect((await world.call('POST', path, again)).json.last_login_timestamp).toBeNull();
  });

  it('that is disabled acts no more, by token, password or key', async () => {
    const username = await someone();
    const token = await tokenOf(username);
    const key = await keyOf(username);
    expect(world.access.requestKeys.find(key)).toBeDefined();
    expect((await change(username, { enabled: false })).json).toMatchObject({ username, enabled: false });
    expect(await sources(token)).toMatchObject(refused(401, 'token_revoked'));
    expect(await login(username)).toMatchObject(refused(401, 'invalid_credentials'));
    expect(world.access.requestKeys.find(key)).toBeUndefined();
    expect((await change(username, { enabled: true })).json.enabled).toBe(true);
    expect(await sources(token)).toMatchObject(refused(401, 'token_revoked'));
    expect((await login(username)).status).toBe(200);
    expect(world.access.requestKeys.find(key)).toBeDefined();
  });

  it('has a new password from an administrator, which ends its tokens and keeps its keys', async () => {
    const username = await someone();
    const token = await tokenOf(username);
    const key = await keyOf(username);
    const changed = await change(username, { password: 'quite another one' });
    expect(changed.status).toBe(200);
    expect(await sources(token)).toMatchObject(refused(401, 'token_revoked'));
    expect((await login(username)).status).toBe(401);
    expect((await login(username, 'quite another one')).status).toBe(200);
    expect(world.access.requestKeys.find(key)).toBeDefined();
    expect(world.access.requestKeys.find(await keyOf(username))).toBeDefined();
  });

  it('acts for its new brands from then on', async () => {
    const username = await someone({ brands: ['main'] });
    const token = await tokenOf(username);
    expect((await change(username, { brands: ['vip', 'acme:vip'] })).json.brands).toEqual(['acme:vip']);
    expect((await sources(token)).status).toBe(401);
    const rates = async (brand: string) =>
      world.call('GET', `/v1/currencies/${brand}`, undefined, { token: await tokenOf(username) });
    expect((await rates('vip')).status).toBe(200);
    expect(await rates('main')).toMatchObject(refused(403, 'brand_forbidden'));
  });

  it('keeps its tokens where nothing was to be changed', async () => {
    const username = await someone();
    const token = await tokenOf(username);
    expect((await change(username, { password: null })).status).toBe(200);
    expect((await sources(token)).status).toBe(200);
  });

  it.each([
    [{ password: 'short' }, 422, 'secret_too_weak'],
    [{ brands: ['none'] }, 404, 'brand_not_found'],
    [{ brands: ['rival:main'] }, 404, 'brand_not_found'],
    [{ brands: [] }, 400, 'invalid_request'],
    [{ operator_id: 'rival' }, 400, 'invalid_request'],
    [{ enabled: 1 }, 400, 'invalid_request'],
  ])('is not changed by %j', async (body, status, code) => {
    const username = await someone();
    expect(await change(username, body)).toMatchObject(refused(status, code));
    expect((await login(username)).status).toBe(200);
  });

  it('with more brands than a token has room for is refused', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ id: `${'b'.repeat(60)}-${index}`, name: 'b' }));
    expect((await world.call('POST', '/config/operators/acme/brands', many)).status).toBe(200);
    const brands = many.map(({ id }) => id);
    const body = { username: 'many', password, operator_id: 'acme', brands };
    expect(await world.call('POST', path, body)).toMatchObject(refused(400, 'invalid_request'));
    const username = await someone({ brands: brands.slice(0, 30) });
    expect((await sources(await tokenOf(username))).status).toBe(200);
    expect(await change(username, { brands })).toMatchObject(refused(400, 'invalid_request'));
  });

  it('of another operator is not there for an administrator', async () => {
    const username = await someone();
    const token = await world.token(['security'], ['rival']);
    expect(await change(username, { enabled: false }, token)).toMatchObject(refused(404, 'user_not_found'));
    expect((await login(username)).status).toBe(200);
  });
});

describe('the own password of a service', () => {
  const own = (token: string, body: object) =>
    world.call('PUT', '/v1/auth/service/password', body, { token });
  const changed = 'quite another one';

  it('is changed with the current one, and every other token ends', async () => {
    const username = await someone();
    const token = await tokenOf(username);
    const answer = await own(token, { current_password: password, new_password: changed });
    expect(answer).toMatchObject({ status: 200, json: { token: expect.any(String) } });
    expect(Object.keys(answer.json)).toEqual(['token']);
    expect(await sources(token)).toMatchObject(refused(401, 'token_revoked'));
    expect((await sources(answer.json.token)).status).toBe(200);
    expect((await login(username)).status).toBe(401);
    expect((await login(username, changed)).status).toBe(200);
  });

  it.each([
    [{ current_password: 'no idea', new_password: changed }, 401, 'invalid_credentials'],
    [{ current_password: password, new_password: 'short' }, 422, 'secret_too_weak'],
    [{ new_password: changed }, 400, 'invalid_request'],
  ])('is not changed by %j', async (body, status, code) => {
    const username = await someone();
    const token = await tokenOf(username);
    expect(await own(token, body)).toMatchObject(refused(status, code));
    expect((await sources(token)).status).toBe(200);
  });

  it('has no more guesses than a log-in', async () => {
    const token = await world.serviceToken('acme');
    const guess = () => own(token, { current_password: 'a guess', new_password: changed });
    const statuses = await Promise.all(Array.from({ length: 15 }, async () => (await guess()).status));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });
});
