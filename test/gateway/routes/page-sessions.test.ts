import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, startWorld, type World } from '../support/administration.ts';

let world: World;
const name = '__Host-potstream';
const password = 'a long password';
const ada = { username: 'ada', password };
const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  for (const username of ['ada', 'bob', 'cyd', 'dan', 'eve'])
    await world.call('POST', '/config/users', {
      ...{ username, password, roles: ['config', 'security'] },
      owners: username === 'bob' ? ['acme:main'] : ['acme', 'rival'],
    });
});
afterAll(() => world.stop());

type Headers = Readonly<Record<string, string>>;
const call = (method: string, path: string, headers: Headers = {}, body?: unknown) =>
  world.call(method, path, body, { token: '', headers });
const begin = (headers: Headers = {}, body: unknown = ada) =>
  call('POST', '/auth/admin/session', { ...fromOwnPage, ...headers }, body);
const tokenOf = (setCookie: string | null) => /^__Host-potstream=([^;]*);/.exec(setCookie ?? '')?.[1] ?? '';
const cookieOf = (token: string) => ({ cookie: `${name}=${token}` });
const codeOf = ({ status, json }: { status: number; json: { code?: string } | null }) => [status, json?.code];

async function pageOf(username = 'ada'): Promise<Headers & { readonly cookie: string }> {
  const { headers } = await begin({}, { username, password });
  return { ...cookieOf(tokenOf(headers.get('set-cookie'))), ...fromOwnPage };
}

describe('a log-in of a page', () => {
  it('says who logged in, and puts the token where no script reads it', async () => {
    const answer = await begin();
    const { expires, session_expires, ...who } = answer.json;
    expect([answer.status, who]).toEqual([
      200,
      {
        ...{ subject: 'ada', username: 'ada', roles: ['config', 'security'], owners: ['acme', 'rival'] },
        ...{ owner_id: null, brands: null },
        second_factor: { is_enrolled: false, is_required: false, valid_until: null },
      },
    ]);
    const set = answer.headers.get('set-cookie') as string;
    expect(set.replace(tokenOf(set), '…')).toBe(
      `${name}=…; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=900`,
    );
    expect(answer.text).not.toContain(tokenOf(set));
    const { exp, auth_time } = JSON.parse(Buffer.from(tokenOf(set).split('.')[1]!, 'base64url').toString());
    expect([expires, session_expires]).toEqual([exp * 1000, (auth_time + 86_400) * 1000]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('names the only operator and the brands of an administrator of brands', async () => {
    const { json } = await begin({}, { username: 'bob', password });
    expect(json).toMatchObject({ owner_id: 'acme', brands: ['acme:main'], owners: ['acme:main'] });
  });

  it('is recorded, and refused, as any other', async () => {
    await begin();
    expect(codeOf(await begin({}, { username: 'ada', password: 'wrong' }))).toEqual([
      401,
      'invalid_credentials',
    ]);
    const { json } = await world.call('GET', '/config/audit?operation=sessions.begin&limit=2');
    const seen = json.map((entry: Record<string, unknown>) => [entry.user, entry.outcome, entry.path]);
    expect(seen).toEqual([
      ['ada', 'refused', '/auth/admin/session'],
      ['ada', 'applied', '/auth/admin/session'],
    ]);
    const wrong = { username: 'eve', password: 'wrong' };
    const statuses = [];
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await begin({}, wrong)).status);
      statuses.push((await world.call('POST', '/auth/admin', wrong, { token: '' })).status);
    }
    // Ten a minute, whichever way they come.
    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  });

  it.each([
    ['of a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of a page of another origin of the site', { 'sec-fetch-site': 'same-site' }],
    ['that says so twice', { 'sec-fetch-site': 'same-origin, same-origin' }],
    ['behind a proxy that nobody trusts, whatever it says', { 'x-forwarded-proto': 'https' }],
    ['behind a proxy of this machine', { 'x-forwarded-for': '6.6.6.6' }],
  ])('%s is refused before the password is looked at', async (_, headers) => {
    const answer = await begin(headers, { username: 'ada', password: 'wrong' });
    expect([...codeOf(answer), answer.headers.get('set-cookie')]).toEqual([403, 'forbidden', null]);
  });

  it('without the header of a browser is refused', async () => {
    expect(codeOf(await call('POST', '/auth/admin/session', {}, ada))).toEqual([403, 'forbidden']);
  });
});

describe('the cookie', () => {
  it('counts for administration', async () => {
    const page = await pageOf();
    expect((await call('GET', '/auth/admin/me', page)).json).toMatchObject({ username: 'ada' });
    expect((await call('GET', '/config/operators', page)).status).toBe(200);
    const webhook = { operator_id: 'acme', origin: 'https://hooks.example' };
    expect((await call('POST', '/config/webhook-origins', page, webhook)).status).toBe(201);
    // An address that somebody types.
    expect((await call('GET', '/config/operators', { ...page, 'sec-fetch-site': 'none' })).status).toBe(200);
  });

  it('counts nowhere else', async () => {
    const page = await pageOf();
    for (const path of ['/v1/cors/origins', '/v1/webhooks/subscriptions', '/v1/currencies/acme:main'])
      expect([path, (await call('GET', path, page)).status]).toEqual([path, 401]);
    // The same operations for administrators.
    for (const path of ['/config/cors/origins', '/config/webhooks/subscriptions'])
      expect([path, (await call('GET', `${path}?operator_id=acme`, page)).status]).toEqual([path, 200]);
    const service = { cookie: `${name}=${await world.serviceToken('acme')}`, ...fromOwnPage };
    for (const path of ['/v1/cors/origins', '/config/operators'])
      expect([path, (await call('GET', path, service)).status]).toEqual([path, 401]);
  });

  it.each([['cross-site'], ['same-site'], ['none'], ['same-origin, cross-site'], ['']])(
    'changes nothing for Sec-Fetch-Site: %s',
    async (site) => {
      const page = await pageOf('cyd');
      const { commands } = world;
      const before = commands.length;
      const change = { ...page, 'sec-fetch-site': site };
      const brand = { id: 'new', name: 'New' };
      const answer = await call('POST', '/config/operators/acme/brands', change, [brand]);
      expect([...codeOf(answer), commands.length]).toEqual([403, 'forbidden', before]);
      expect(codeOf(await call('DELETE', '/auth/admin/sessions', change))).toEqual([403, 'forbidden']);
      expect((await call('GET', '/auth/admin/me', page)).status).toBe(200);
    },
  );

  it('is no credential for what a page of another origin loads', async () => {
    const page = await pageOf();
    for (const site of ['cross-site', 'same-site']) {
      const answer = await call('GET', '/config/operators', { ...page, 'sec-fetch-site': site });
      expect(codeOf(answer)).toEqual([401, 'unauthenticated']);
    }
    const origin = { ...page, origin: 'https://evil.example' };
    expect(
      (await call('GET', '/config/operators', origin)).headers.get('access-control-allow-origin'),
    ).toBeNull();
  });

  it('changes something with JSON alone', async () => {
    const page = await pageOf();
    const csv = 'player_id,opt_in\np1,true\n';
    const path = '/config/opt-ins/bulk';
    const answer = await world.call('POST', path, csv, {
      ...{ token: '' },
      headers: { ...page, 'content-type': 'text/csv' },
    });
    expect(answer.status).toBe(415);
  });

  it('does not count beside an Authorization header, nor twice, nor where others can read it', async () => {
    const page = await pageOf();
    const bob = await pageOf('bob');
    const me = (headers: Headers) => call('GET', '/auth/admin/me', { ...page, ...headers });
    expect((await me({ authorization: 'Bearer wrong' })).status).toBe(401);
    const bearer = { authorization: `Bearer ${tokenOf(`${bob.cookie};`)}` };
    expect((await me(bearer)).json.username).toBe('bob');
    for (const cookie of [
      `${page.cookie}; ${bob.cookie}`,
      `${page.cookie}; ${page.cookie}`,
      `x${page.cookie}`,
    ])
      expect([cookie, (await me({ cookie })).status]).toEqual([cookie, 401]);
    expect((await me({ cookie: `other=1; ${page.cookie}; more="${name}"` })).status).toBe(200);
    for (const header of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'])
      expect([header, (await me({ [header]: 'https' })).status]).toEqual([header, 401]);
  });
});

describe('a session', () => {
  it('is renewed in the cookie, and its token never shown', async () => {
    const page = await pageOf();
    const renewed = await call('PUT', '/auth/admin/session', page);
    const token = tokenOf(renewed.headers.get('set-cookie'));
    expect([renewed.status, renewed.json.username]).toEqual([200, 'ada']);
    expect(page.cookie).not.toContain(token);
    expect((await call('GET', '/auth/admin/me', cookieOf(token))).status).toBe(200);
    expect(codeOf(await call('POST', '/auth/admin/renew', page))).toEqual([403, 'forbidden']);
  });

  it('ends with all tokens that it was renewed to, and no other of the account', async () => {
    const [page, other] = [await pageOf(), await pageOf()];
    const renewed = cookieOf(
      tokenOf((await call('PUT', '/auth/admin/session', page)).headers.get('set-cookie')),
    );
    const ended = await call('DELETE', '/auth/admin/session', { ...renewed, ...fromOwnPage });
    const cleared = ended.headers.get('set-cookie');
    expect([ended.status, cleared]).toEqual([
      204,
      `${name}=; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=0`,
    ]);
    for (const each of [page, renewed])
      expect(codeOf(await call('GET', '/auth/admin/me', each))).toEqual([401, 'token_revoked']);
    expect((await call('GET', '/auth/admin/me', other)).status).toBe(200);
  });

  it('ends everywhere, for bearers too', async () => {
    const [page, other] = [await pageOf('dan'), await pageOf('dan')];
    const { token } = (await world.call('POST', '/auth/admin', { username: 'dan', password }, { token: '' }))
      .json;
    expect((await call('DELETE', '/auth/admin/sessions', page)).status).toBe(204);
    for (const headers of [page, other, { authorization: `Bearer ${token}` }])
      expect(codeOf(await call('GET', '/auth/admin/me', headers))).toEqual([401, 'token_revoked']);
    expect((await call('GET', '/auth/admin/me', await pageOf('dan'))).status).toBe(200);
  });

  it('ends with its account', async () => {
    const page = await pageOf('cyd');
    await world.call('PATCH', '/config/users/cyd', { enabled: false });
    expect(codeOf(await call('GET', '/auth/admin/me', page))).toEqual([401, 'token_revoked']);
    expect(codeOf(await begin({}, { username: 'cyd', password }))).toEqual([401, 'invalid_credentials']);
  });

  it('goes on after a new password of its own, which ends the others', async () => {
    await world.call('PATCH', '/config/users/cyd', { enabled: true });
    const [page, other] = [await pageOf('cyd'), await pageOf('cyd')];
    const change = { current_password: password, new_password: 'another long password' };
    const answer = await call('PUT', '/auth/admin/password', page, change);
    expect([answer.status, answer.json]).toEqual([200, { expires_in: 900 }]);
    const next = cookieOf(tokenOf(answer.headers.get('set-cookie')));
    expect((await call('GET', '/auth/admin/me', next)).status).toBe(200);
    for (const each of [page, other]) expect((await call('GET', '/auth/admin/me', each)).status).toBe(401);
  });
});

describe('behind a proxy that is trusted', () => {
  it('is what the proxy says', async () => {
    const proxied = await startWorld({ trustedProxies: ['127.0.0.1/32'] });
    try {
      const user = { username: 'ada', password, roles: ['viewer'], owners: ['*'] };
      await proxied.call('POST', '/config/users', user);
      const statusOf = async (headers: Headers) => {
        const options = { token: '', headers: { ...fromOwnPage, ...headers } };
        return (await proxied.call('POST', '/auth/admin/session', ada, options)).status;
      };
      const client = { 'x-forwarded-for': '6.6.6.6', host: 'jackpots.example' };
      expect(await statusOf({ ...client, 'x-forwarded-proto': 'https' })).toBe(200);
      expect(await statusOf({ ...client, 'x-forwarded-proto': 'HTTPS, https' })).toBe(200);
      for (const proto of ['http', 'https, http', 'http, https', ''])
        expect([proto, await statusOf({ ...client, 'x-forwarded-proto': proto })]).toEqual([proto, 403]);
      expect(await statusOf(client)).toBe(403);
      // A browser of this machine, which comes without the proxy.
      expect(await statusOf({})).toBe(200);
    } finally {
      await proxied.stop();
    }
  });
});
