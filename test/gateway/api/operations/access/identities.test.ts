import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AdministratorRole } from '../../../../../src/contracts/accounts/users.ts';
import { makeAdministrator } from '../../../../support/accounts.ts';
import { type Answer, furnish, startWorld, type World } from '../../../support/administration.ts';
import { anyProvider } from '../../../support/providers.ts';

/** An operator's identity provider, and whom of its accounts it may name. docs/rules/identity-providers.md "Accounts" */

const issuer = 'https://id.example';
const provider = { issuer, client_id: 'potstream', client_secret: 'the secret of the client' };
const roles = ['config', 'finance', 'security'] as const;
const minute = 60_000;
const clock = { nowMs: 0 };
const faults = { next: null as string | null };
let world: World;
let boss: string;
beforeEach(async () => {
  clock.nowMs = Date.now();
  faults.next = null;
  const providers = { ...anyProvider, fault: async () => faults.next };
  world = await startWorld({ nowMs: () => clock.nowMs, providers: () => providers });
  await furnish(world);
  for (const username of ['ada', 'bob']) await person(username);
  boss = await world.token(roles, ['acme']);
});
afterEach(() => world.stop());

const person = (username: string, owners = ['acme'], held: readonly AdministratorRole[] = roles) =>
  makeAdministrator(world.context, { username, roles: held, owners });
const call = (method: string, path: string, body?: unknown, token = boss): Promise<Answer> =>
  world.call(method, path, body, { token });
const set = (changes: object = {}, operator = 'acme', token = boss) =>
  call('PUT', `/config/operators/${operator}/identity-provider`, { ...provider, ...changes }, token);
const bind = (username: string, body: object, token = boss) =>
  call('PUT', `/config/users/${username}/identity`, body, token);
const unbind = (username: string, token = boss) =>
  call('DELETE', `/config/users/${username}/identity`, undefined, token);
const identityOf = async (username: string) => (await call('GET', `/config/users/${username}`)).json.identity;
const find = (subject: string, operator = 'acme') =>
  world.access.identities.find(operator, { issuer, subject })?.username ?? null;
const codeOf = ({ status, json }: Answer) => [status, json?.code];
const tokenOf = (username: string) =>
  world.access.tokens.issueAdministrator(world.access.accounts.find('administrator', username)!);

describe('the identity provider of an operator', () => {
  it('is shown without its secret, with where it sends people back to', async () => {
    const path = '/config/operators/acme/identity-provider';
    expect(codeOf(await call('GET', path))).toEqual([404, 'identity_provider_not_found']);
    const shown = {
      ...{ operator_id: 'acme', issuer, client_id: 'potstream' },
      redirect_uri: 'https://jackpots.example/auth/admin/oidc/acme/callback',
    };
    expect((await set()).json).toEqual(shown);
    expect((await call('GET', path)).json).toEqual(shown);
    const stored = (await world.stored('accounts')).join();
    const records = world.audit.messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join();
    for (const text of [stored, records]) expect(text).not.toContain(provider.client_secret);
    expect(records).toContain('identity provider of acme');
    expect((await call('DELETE', path)).status).toBe(204);
    expect(codeOf(await call('DELETE', path))).toEqual([404, 'identity_provider_not_found']);
  });

  it.each([
    ['that is not https', { issuer: 'http://id.example' }],
    ['at a private address', { issuer: 'https://10.0.0.1' }],
    ['with a query', { issuer: 'https://id.example/?tenant=1' }],
    ['that is no address', { issuer: 'javascript:alert(1)' }],
  ])('%s is refused', async (_, changes) => {
    expect(codeOf(await set(changes))).toEqual([422, 'endpoint_not_allowed']);
  });

  it('at which nobody could log in is refused, and says why', async () => {
    faults.next = 'No OpenID provider answers at the issuer.';
    const answer = await set();
    expect([...codeOf(answer), answer.json.message]).toEqual([422, 'endpoint_not_allowed', faults.next]);
  });

  it('is for administrators with the role security of the whole operator', async () => {
    for (const [held, owners, expected] of [
      [['config', 'finance'], ['acme'], [403, 'forbidden']],
      [['security'], ['acme:main'], [404, 'operator_not_found']],
      [['security'], ['rival'], [404, 'operator_not_found']],
      [['security'], ['acme'], [200, undefined]],
    ] as const)
      expect(codeOf(await set({}, 'acme', await world.token(held, owners)))).toEqual(expected);
  });

  it('is under the four-eyes rule what two have agreed on last, and one removes it', async () => {
    const colleague = await world.token(roles, ['acme']);
    await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
    const [one, other] = [(await set()).json.id, (await set({ client_id: 'other' })).json.id];
    const approve = async (id: string) =>
      (await call('POST', `/config/approvals/${id}/approve`, undefined, colleague)).json;
    expect((await approve(other)).result.status_code).toBe(200);
    expect((await approve(one)).result.status_code).toBe(200);
    expect(world.access.identityProviders.find('acme')).toMatchObject({ id: one, clientId: 'potstream' });
    expect((await call('DELETE', '/config/operators/acme/identity-provider')).status).toBe(204);
  });
});

describe('an identity', () => {
  beforeEach(async () => void (await set()));

  it('is of one account, which it names until it is removed or replaced; the tokens of the account end', async () => {
    const before = await tokenOf('ada');
    expect((await bind('ada', { subject: 'a-1' })).json.identity).toEqual({ issuer, subject: 'a-1' });
    expect([find('a-1'), find('a-1', 'rival'), find('a-2')]).toEqual(['ada', null, null]);
    expect(codeOf(await call('GET', '/auth/admin/me', undefined, before))).toEqual([401, 'token_revoked']);
    expect(codeOf(await bind('bob', { subject: 'a-1' }))).toEqual([409, 'already_exists']);
    // Once more is no change.
    const after = await tokenOf('ada');
    expect((await bind('ada', { issuer, subject: 'a-1' })).status).toBe(200);
    expect((await call('GET', '/auth/admin/me', undefined, after)).status).toBe(200);
    expect((await bind('ada', { subject: 'a-2' })).status).toBe(200);
    expect([find('a-1'), find('a-2')]).toEqual([null, 'ada']);
    expect((await bind('bob', { subject: 'a-1' })).status).toBe(200);
    const third = await tokenOf('ada');
    expect([(await unbind('ada')).status, (await unbind('ada')).status]).toEqual([204, 204]);
    expect([await identityOf('ada'), find('a-2'), find('a-1')]).toEqual([null, null, 'bob']);
    expect(codeOf(await call('GET', '/auth/admin/me', undefined, third))).toEqual([401, 'token_revoked']);
  });

  it('is given to one of two accounts at the same moment', async () => {
    const answers = await Promise.all([bind('ada', { subject: 'one' }), bind('bob', { subject: 'one' })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = answers[0]!.status === 200 ? 'ada' : 'bob';
    expect(find('one')).toBe(winner);
  });

  it('whose writer broke off is free after a minute', async () => {
    expect(await world.access.identities.reserve('acme', { issuer, subject: 'lost' }, 'bob')).toBe(true);
    expect(find('lost')).toBeNull();
    expect(codeOf(await bind('ada', { subject: 'lost' }))).toEqual([409, 'already_exists']);
    clock.nowMs += minute;
    expect((await bind('ada', { subject: 'lost' })).status).toBe(200);
  });

  it('is of the provider of the account’s operator, and of no account of several or of the whole system', async () => {
    expect(codeOf(await bind('ada', { issuer: 'https://other.example', subject: 'a' }))).toEqual([
      400,
      'invalid_request',
    ]);
    const root = await world.token(undefined, ['*']);
    await person('of-rival', ['rival']);
    await person('of-both', ['acme', 'rival']);
    await person('of-all', ['*']);
    for (const username of ['of-rival', 'of-both', 'of-all'])
      expect(codeOf(await bind(username, { subject: 'a' }, root))).toEqual([
        404,
        'identity_provider_not_found',
      ]);
    expect(codeOf(await bind('of-rival', { subject: 'a' }))).toEqual([404, 'user_not_found']);
    await person('of-brand', ['acme:main']);
    expect((await bind('of-brand', { subject: 'a' })).status).toBe(200);
  });

  it('has a subject as providers write them', async () => {
    for (const subject of ['', 'a'.repeat(256), 'ä', 'a\nb'])
      expect((await bind('ada', { subject })).status).toBe(400);
    expect((await bind('ada', { subject: 'a'.repeat(255) })).status).toBe(200);
  });

  it('counts as a password that is given', async () => {
    const poorer = await world.token(['security'], ['acme']);
    expect(codeOf(await bind('ada', { subject: 'a' }, poorer))).toEqual([403, 'forbidden']);
    expect(codeOf(await bind('ada', { subject: 'a' }, await tokenOf('ada')))).toEqual([403, 'forbidden']);
    expect((await bind('ada', { subject: 'a' }, await tokenOf('bob'))).status).toBe(200);
    expect(world.access.accounts.find('administrator', 'ada')?.made_by).toMatchObject([{ by: 'bob' }]);
    // Taking it away does not, and needs no more than managing the account.
    expect((await unbind('ada', poorer)).status).toBe(204);
  });

  it('under the four-eyes rule names its issuer, and two persons give it', async () => {
    const colleague = await world.token(roles, ['acme']);
    await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
    expect(codeOf(await bind('ada', { subject: 'a' }))).toEqual([400, 'invalid_request']);
    const [ofAda, ofBob] = [
      await bind('ada', { issuer, subject: 'a' }),
      await bind('bob', { issuer, subject: 'a' }),
    ];
    expect([ofAda.status, ofBob.status, find('a')]).toEqual([202, 202, null]);
    const approve = (id: string) => call('POST', `/config/approvals/${id}/approve`, undefined, colleague);
    expect((await approve(ofAda.json.id)).json.result.body.identity).toEqual({ issuer, subject: 'a' });
    expect(find('a')).toBe('ada');
    expect((await approve(ofBob.json.id)).json.code).toBe('already_exists');
    expect(world.access.accounts.find('administrator', 'ada')?.approved?.id).toBe(ofAda.json.id);
  });

  it('that was approved is not of another issuer that the operator has by then', async () => {
    const colleague = await world.token(roles, ['acme']);
    await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
    const { json } = await bind('ada', { issuer, subject: 'a' });
    const next = await set({ issuer: 'https://next.example' });
    const approve = (id: string) => call('POST', `/config/approvals/${id}/approve`, undefined, colleague);
    expect((await approve(next.json.id)).status).toBe(200);
    expect(codeOf(await approve(json.id))).toEqual([400, 'invalid_request']);
    expect(await identityOf('ada')).toBeNull();
  });
});
