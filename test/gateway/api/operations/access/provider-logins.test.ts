import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProviderClient } from '../../../../../src/gateway/providers/provider-client.ts';
import { makeAdministrator } from '../../../../support/accounts.ts';
import { totp } from '../../../../support/totp.ts';
import { furnish, startWorld, type World } from '../../../support/administration.ts';
import { Browser, startProvider, type TestProvider, type Visit } from '../../../support/identity-provider.ts';
import { publicTestUrl } from '../../../support/providers.ts';
import { equip } from '../../../support/second-factors.ts';

/** Log-ins at a real OpenID provider, with a browser that goes there and back. docs/rules/identity-providers.md "Logging in" */

const roles = ['config', 'finance', 'security'] as const;
const callback = (operator: string) => `${publicTestUrl}/auth/admin/oidc/${operator}/callback`;
const beginning = (operator = 'acme') => `${publicTestUrl}/auth/admin/oidc/${operator}`;
const session = '__Host-potstream';
const attempt = '__Host-potstream-login';
const minute = 60_000;
const troubles: string[] = [];
const clock = { aheadMs: 0 };
let provider: TestProvider;
let world: World;
let root: string;
beforeAll(async () => {
  provider = await startProvider(['acme', 'rival'].map(callback));
  const addresses = { resolve: () => Promise.reject(new Error('No name is asked for.')), development: true };
  world = await startWorld({
    nowMs: () => Date.now() + clock.aheadMs,
    providers: (time) =>
      createProviderClient(addresses, time, (operator, reason) => troubles.push(`${operator} ${reason}`)),
  });
  await furnish(world);
  root = await world.token();
  for (const [username, owner] of [
    ['ada', 'acme'],
    ['bob', 'acme:main'],
    ['off', 'acme'],
    ['eve', 'rival'],
  ] as const)
    await makeAdministrator(world.context, { username, roles, owners: [owner] });
  for (const operator of ['acme', 'rival']) await setProvider(operator);
  for (const username of ['ada', 'bob', 'off', 'eve']) await bind(username, `sub-of-${username}`);
  await must('PATCH', '/config/users/off', { enabled: false });
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
});
beforeEach(async () => {
  // Ten failures a minute of an address and an operator.
  clock.aheadMs += minute;
  root = await world.token();
  Object.assign(provider, { tamper: null, signs: 'right', answers: 'as usual' });
});

const admin = (method: string, path: string, body?: unknown) =>
  world.call(method, path, body, { token: root });
async function must(method: string, path: string, body: unknown) {
  const answer = await admin(method, path, body);
  expect(answer.status, answer.text).toBeLessThan(300);
}
const setProvider = (operator: string, changes: object = {}) =>
  must('PUT', `/config/operators/${operator}/identity-provider`, {
    ...{ issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.clientSecret },
    ...changes,
  });
const bind = (username: string, subject: string) =>
  must('PUT', `/config/users/${username}/identity`, { subject });
const browser = () => new Browser({ [publicTestUrl]: `http://127.0.0.1:${world.port}` });
const cookieOf = (person: Browser, name: string) => person.cookies.get(publicTestUrl)?.get(name);
const outcomeOf = ({ status, location }: Visit) => {
  const { origin, pathname, searchParams } = new URL(location);
  return [status, `${origin}${pathname}`, searchParams.get('log_in')];
};
const ended = (how: string) => [303, `${publicTestUrl}/console/`, how];

/** Goes to the provider and logs in there; where it sends the person back to. */
async function backFrom(person: Browser, subject: string, operator = 'acme'): Promise<string> {
  const begun = await person.go(beginning(operator), { site: 'same-origin' });
  expect([begun.status, begun.location.startsWith(provider.issuer)], begun.location).toEqual([303, true]);
  return person.logIn(begun.location, subject, publicTestUrl);
}
async function logIn(person: Browser, subject: string, operator = 'acme'): Promise<Visit> {
  return person.go(await backFrom(person, subject, operator), { site: 'cross-site' });
}
const ask = (person: Browser, method: string, path: string, body?: unknown) =>
  world.call(method, path, body, {
    token: '',
    headers: { cookie: `${session}=${cookieOf(person, session)}`, 'sec-fetch-site': 'same-origin' },
  });
const whoIs = async (person: Browser) => (await ask(person, 'GET', '/auth/admin/me')).json.username;
const lastRecord = async () =>
  (await admin('GET', '/config/audit?operation=provider-logins.end&limit=1')).json[0];

async function refused(person: Browser, visit: Visit, how = 'refused'): Promise<void> {
  expect(outcomeOf(visit)).toEqual(ended(how));
  expect([cookieOf(person, session), cookieOf(person, attempt)]).toEqual([undefined, undefined]);
}

describe('a log-in at the provider of an operator', () => {
  it('of a bound account gives its page a session, and is recorded', async () => {
    for (const [subject, username] of [
      ['sub-of-ada', 'ada'],
      ['sub-of-bob', 'bob'],
    ] as const) {
      const person = browser();
      const visit = await logIn(person, subject);
      expect(outcomeOf(visit)).toEqual(ended('done'));
      expect(visit.headers.getSetCookie().join()).toMatch(
        /__Host-potstream=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict/,
      );
      expect([await whoIs(person), cookieOf(person, attempt)]).toEqual([username, undefined]);
      expect(await lastRecord()).toMatchObject({
        ...{ user: username, outcome: 'applied', status_code: 303 },
        path: '/auth/admin/oidc/acme/callback',
      });
    }
    const { json } = await admin('GET', '/config/users/ada');
    expect(json.last_login_timestamp).toEqual(expect.any(Number));
  });

  it('asks with a code challenge, a state and a nonce of its own each time, and names no other return', async () => {
    const asked = await Promise.all(
      [0, 1].map(async () => {
        const { location, headers } = await browser().go(beginning());
        expect(headers.getSetCookie().join()).toMatch(
          /^__Host-potstream-login=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax; Max-Age=600$/,
        );
        return Object.fromEntries(new URL(location).searchParams);
      }),
    );
    for (const each of asked)
      expect(each).toMatchObject({
        ...{ response_type: 'code', scope: 'openid', code_challenge_method: 'S256' },
        ...{ redirect_uri: callback('acme'), client_id: 'potstream' },
      });
    for (const name of ['state', 'nonce', 'code_challenge'])
      expect(new Set(asked.map((each) => each[name])).size).toBe(2);
  });

  it.each([
    ['that no account has', 'sub-of-nobody'],
    ['of an account of another operator', 'sub-of-eve'],
    ['of a disabled account', 'sub-of-off'],
  ])('by a subject %s is refused, and recorded', async (_, subject) => {
    const person = browser();
    await refused(person, await logIn(person, subject));
    const user = subject === 'sub-of-off' ? 'off' : '';
    expect(await lastRecord()).toMatchObject({
      outcome: 'refused',
      code: 'invalid_credentials',
      user,
      owners: ['acme'],
    });
  });

  it('by an account that is of another operator, too, or of the whole system by now is refused', async () => {
    await makeAdministrator(world.context, { username: 'wide', roles, owners: ['acme'] });
    await bind('wide', 'sub-of-wide');
    for (const owners of [['acme', 'rival'], ['*'], ['rival']]) {
      await must('PATCH', '/config/users/wide', { owners });
      const person = browser();
      await refused(person, await logIn(person, 'sub-of-wide'));
    }
    await must('PATCH', '/config/users/wide', { owners: ['acme'] });
    const person = browser();
    expect(outcomeOf(await logIn(person, 'sub-of-wide'))).toEqual(ended('done'));
    await must('DELETE', '/config/users/wide/identity', undefined);
    expect(await whoIs(person)).toBeUndefined();
    const again = browser();
    await refused(again, await logIn(again, 'sub-of-wide'));
  });

  it('where the person says no is refused', async () => {
    const person = browser();
    const begun = await person.go(beginning());
    const { searchParams } = new URL(begun.location);
    const returned = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state')!,
      iss: provider.issuer,
    });
    await refused(person, await person.go(`${callback('acme')}?${returned}`, { site: 'cross-site' }));
    expect(troubles.some((each) => each === 'acme access_denied')).toBe(true);
  });
});

describe('an ID token', () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  it.each([
    ['for another client', () => ({ aud: 'another' })],
    ['of another issuer', () => ({ iss: 'https://other.example' })],
    ['of another log-in', () => ({ nonce: 'another' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['that has expired', () => ({ iat: seconds() - 7_200, exp: seconds() - 3_600 })],
    [
      'for several clients, none of which is said to be ours',
      () => ({ aud: ['potstream', 'another'], azp: 'another' }),
    ],
    ['of a subject that is too long', () => ({ sub: 'a'.repeat(256) })],
  ])('%s is refused', async (_, changes) => {
    provider.tamper = (claims) => ({ ...claims, ...changes() });
    const person = browser();
    await refused(person, await logIn(person, 'sub-of-ada'));
  });

  it.each(['with another key', 'not at all', 'with the secret'] as const)(
    'signed %s is refused',
    async (signs) => {
      provider.signs = signs;
      const person = browser();
      await refused(person, await logIn(person, 'sub-of-ada'));
      provider.signs = 'right';
      expect(outcomeOf(await logIn(person, 'sub-of-ada'))).toEqual(ended('done'));
    },
  );

  it('a moment ahead of our clock counts', async () => {
    provider.tamper = (claims) => ({ ...claims, iat: seconds() + 20, exp: seconds() - 20 });
    const person = browser();
    expect(outcomeOf(await logIn(person, 'sub-of-ada'))).toEqual(ended('done'));
  });

  it('of keys that the provider has changed to counts from the second log-in on', async () => {
    await provider.rotate();
    const person = browser();
    await refused(person, await logIn(person, 'sub-of-ada'));
    expect(outcomeOf(await logIn(person, 'sub-of-ada'))).toEqual(ended('done'));
  });
});

describe('a return', () => {
  const changed = (address: string, changes: Readonly<Record<string, string>>) => {
    const url = new URL(address);
    for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
    return url.href;
  };

  it.each([
    ['with another state', { state: 'another' }, 'expired'],
    ['without a state', { state: '' }, 'expired'],
    ['with another code', { code: 'another' }, 'refused'],
    ['of another issuer', { iss: 'https://other.example' }, 'refused'],
  ])('%s is refused', async (_, changes, how) => {
    const person = browser();
    const back = await backFrom(person, 'sub-of-ada');
    await refused(person, await person.go(changed(back, changes), { site: 'cross-site' }), how);
  });

  it('is taken once, whoever has its address and its cookie, at any gateway', async () => {
    const person = browser();
    const back = await backFrom(person, 'sub-of-ada');
    const cookie = cookieOf(person, attempt)!;
    expect(outcomeOf(await person.go(back, { site: 'cross-site' }))).toEqual(ended('done'));
    const thief = browser();
    await refused(thief, await thief.go(back, { headers: { cookie: `${attempt}=${cookie}` } }), 'expired');
  });

  it('is for the browser that began it, which nobody puts into another account', async () => {
    const attacker = browser();
    const back = await backFrom(attacker, 'sub-of-bob');
    const victim = browser();
    await refused(victim, await victim.go(back, { site: 'cross-site' }), 'expired');
    // With a log-in of its own under way, too.
    await victim.go(beginning());
    await refused(victim, await victim.go(back, { site: 'cross-site' }), 'expired');
  });

  it('to another operator is refused, and no provider learns its code', async () => {
    const person = browser();
    const back = await backFrom(person, 'sub-of-ada');
    const asked = provider.asked.length;
    const elsewhere = back.replace('/oidc/acme/', '/oidc/rival/');
    await refused(person, await person.go(elsewhere, { site: 'cross-site' }), 'expired');
    expect(provider.asked.slice(asked)).toEqual([]);
  });

  it('after ten minutes, or of a cookie that is none of ours, is refused', async () => {
    const late = browser();
    const back = await backFrom(late, 'sub-of-ada');
    clock.aheadMs += 10 * minute;
    await refused(late, await late.go(back, { site: 'cross-site' }), 'expired');
    const person = browser();
    const another = await backFrom(person, 'sub-of-ada');
    person.cookies.get(publicTestUrl)!.set(attempt, 'none-of-ours');
    await refused(person, await person.go(another, { site: 'cross-site' }), 'expired');
  });

  it('of a provider that was replaced meanwhile is refused', async () => {
    const person = browser();
    const back = await backFrom(person, 'sub-of-ada');
    await setProvider('acme');
    await refused(person, await person.go(back, { site: 'cross-site' }), 'expired');
  });

  it('with a code of three thousand characters is read', async () => {
    const person = browser();
    const back = changed(await backFrom(person, 'sub-of-ada'), { code: 'c'.repeat(3_000) });
    await refused(person, await person.go(back, { site: 'cross-site' }));
  });

  it('that fails counts as a failed log-in, by address and operator', async () => {
    const ends = [];
    for (let tries = 0; tries < 11; tries += 1)
      ends.push(outcomeOf(await browser().go(`${callback('rival')}?state=none&code=none`)).at(-1));
    expect(ends).toEqual([...Array(10).fill('expired'), 'too_many']);
    expect(outcomeOf(await browser().go(`${callback('acme')}?state=none`)).at(-1)).toBe('expired');
  });
});

describe('only a browser that goes there itself', () => {
  it.each([
    ['a page of another site', beginning(), { 'sec-fetch-site': 'cross-site' }],
    ['a page of another origin of the site', beginning(), { 'sec-fetch-site': 'same-site' }],
    ['a script', beginning(), { 'sec-fetch-dest': 'empty' }],
    ['a frame', beginning(), { 'sec-fetch-dest': 'iframe' }],
    ['a frame', callback('acme'), { 'sec-fetch-dest': 'iframe' }],
    ['somebody without TLS', beginning(), { 'x-forwarded-proto': 'http' }],
    ['somebody without TLS', callback('acme'), { 'x-forwarded-for': '6.6.6.6' }],
  ])('logs in, and not %s: %s', async (_, address, headers) => {
    const visit = await browser().go(address, { headers });
    expect([visit.status, visit.location, visit.headers.getSetCookie()]).toEqual([403, '', []]);
  });
});

describe('a provider that does not answer', () => {
  it('is told apart from a refusal, and counts for nothing', async () => {
    const person = browser();
    const back = await backFrom(person, 'sub-of-ada');
    provider.answers = 'nothing';
    const before = await lastRecord();
    const begunMs = performance.now();
    await refused(person, await person.go(back, { site: 'cross-site' }), 'unavailable');
    expect(performance.now() - begunMs).toBeLessThan(7_000);
    expect(await lastRecord()).toEqual(before);
    provider.answers = 'as usual';
    expect(outcomeOf(await logIn(person, 'sub-of-ada'))).toEqual(ended('done'));
  });

  it.each([
    ['more than its answers may have', 'too much', 'unavailable'],
    ['with the address of another', 'a redirect', 'refused'],
  ] as const)('or answers %s is not believed', async (_, answers, how) => {
    const person = browser();
    const back = await backFrom(person, 'sub-of-ada');
    const asked = provider.asked.length;
    provider.answers = answers;
    await refused(person, await person.go(back, { site: 'cross-site' }), how);
    expect(provider.asked.slice(asked)).toEqual(['/token']);
  });

  it('is not asked again for a while, and then found again', async () => {
    await setProvider('acme');
    provider.answers = 'nothing';
    const person = browser();
    const asked = provider.asked.length;
    for (let tries = 0; tries < 3; tries += 1)
      await refused(person, await person.go(beginning()), 'unavailable');
    expect(provider.asked.length - asked).toBe(1);
    provider.answers = 'as usual';
    clock.aheadMs += 5_000;
    expect(outcomeOf(await logIn(person, 'sub-of-ada'))).toEqual(ended('done'));
  });

  it('or is none cannot be set', async () => {
    const set = (issuer: string) =>
      admin('PUT', '/config/operators/acme/identity-provider', {
        issuer,
        client_id: 'a',
        client_secret: 'b',
      });
    for (const [issuer, message] of [
      [`http://127.0.0.1:${world.port}`, /^No OpenID provider answers at the issuer/],
      [`${provider.issuer}/`, /^The provider says that its issuer is http/],
    ] as const) {
      const answer = await set(issuer);
      expect([answer.status, answer.json.code]).toEqual([422, 'endpoint_not_allowed']);
      expect(answer.json.message).toMatch(message);
    }
  });

  it('with another secret refuses, and the log says why', async () => {
    await setProvider('acme', { client_secret: 'another secret' });
    clock.aheadMs += minute;
    const person = browser();
    await refused(person, await logIn(person, 'sub-of-ada'));
    expect(troubles.at(-1)).toBe('acme invalid_client');
    await setProvider('acme');
  });

  it('is there for no operator that has none', async () => {
    expect(outcomeOf(await browser().go(beginning('nobody')))).toEqual(ended('not_set_up'));
    expect(outcomeOf(await browser().go(callback('nobody')))).toEqual(ended('not_set_up'));
  });
});

describe('a session that began at a provider', () => {
  it('is renewed as others, and ends with the settings of the provider and with the binding', async () => {
    const person = browser();
    await logIn(person, 'sub-of-ada');
    const renewed = await ask(person, 'PUT', '/auth/admin/session');
    expect(renewed.status).toBe(200);
    const [, token = ''] = /__Host-potstream=([^;]+)/.exec(renewed.headers.get('set-cookie')!) ?? [];
    person.cookies.get(publicTestUrl)!.set(session, token);
    expect(await whoIs(person)).toBe('ada');
    const other = browser();
    await logIn(other, 'sub-of-eve', 'rival');
    await setProvider('acme');
    expect((await ask(person, 'GET', '/auth/admin/me')).json.code).toBe('token_revoked');
    expect(await whoIs(other)).toBe('eve');
    await must('DELETE', '/config/operators/rival/identity-provider', undefined);
    expect((await ask(other, 'GET', '/auth/admin/me')).json.code).toBe('token_revoked');
    expect(outcomeOf(await browser().go(beginning('rival')))).toEqual(ended('not_set_up'));
    await setProvider('rival');
  });

  it('is no bearer token, and gives none', async () => {
    const person = browser();
    await logIn(person, 'sub-of-ada');
    expect((await ask(person, 'POST', '/auth/admin/renew')).status).toBe(403);
  });

  it('needs our own second factor for money under the four-eyes rule, which the provider does not have', async () => {
    const money = { operator_id: 'acme', origin: 'https://hooks.example' };
    const move = (person: Browser) => ask(person, 'POST', '/config/webhook-origins', money);
    const person = browser();
    await logIn(person, 'sub-of-ada');
    expect((await move(person)).status).toBe(201);
    await must('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
    const refusal = await move(person);
    expect([refusal.status, refusal.json.code]).toEqual([403, 'second_factor_required']);
    expect((await ask(person, 'GET', '/auth/admin/me')).json.second_factor).toMatchObject({
      ...{ is_enrolled: false, is_required: true },
    });
    // Of the same account, with its password, nothing else is asked than before.
    const account = world.access.accounts.find('administrator', 'ada')!;
    const token = await world.access.tokens.issueAdministrator(account);
    expect((await world.call('POST', '/config/webhook-origins', money, { token })).json.code).toBe(
      'already_exists',
    );
    const time = { nowMs: Date.now() + clock.aheadMs };
    const { secret } = await equip(world, 'ada', time);
    const body = { code: totp(secret, time.nowMs) };
    const shown = await ask(person, 'POST', '/auth/admin/step-up', body);
    expect(shown.status, shown.text).toBe(200);
    const [, next = ''] = /__Host-potstream=([^;]+)/.exec(shown.headers.get('set-cookie')!) ?? [];
    person.cookies.get(publicTestUrl)!.set(session, next);
    expect((await move(person)).json.code).toBe('already_exists');
  });
});
