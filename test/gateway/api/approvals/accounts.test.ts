import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resetAdministratorPassword } from '../../../../src/access/accounts/reset-password.ts';
import { decodeMessage } from '../../../../src/audit/chain.ts';
import { operations } from '../../../../src/gateway/api/operations/index.ts';
import { makeAdministrator } from '../../../support/accounts.ts';
import { type Answer, furnish, startWorld, type World } from '../../support/administration.ts';
import { equip } from '../../support/second-factors.ts';

/** What one administrator can do alone with accounts under the four-eyes rule. docs/rules/approvals.md "Accounts" */

const day = 86_400_000;
const password = 'a long password';
const roles = ['config', 'finance', 'security'] as const;
const issuer = 'https://id.example';
const weak = { current_password: password, new_password: 'short' };

let nowMs: number;
let world: World;
let acme: string;
let colleague: string;
beforeEach(async () => {
  nowMs = Date.now();
  world = await startWorld({ nowMs: () => nowMs });
  await furnish(world);
  acme = await world.token(roles, ['acme']);
  colleague = await world.token(roles, ['acme']);
  for (const operator of ['acme', 'rival']) {
    await world.access.createAdministrator({ ...user(`user-of-${operator}`), owners: [operator] });
    await world.access.createAdministrator({ ...user(`off-${operator}`), owners: [operator] });
    const equipped = { username: `with-factor-of-${operator}`, roles, owners: [operator] };
    const { username } = await makeAdministrator(world.context, equipped);
    await equip(world, username, { nowMs });
    await world.serviceUser(`service-of-${operator}`, operator);
    await world.serviceUser(`service-off-${operator}`, operator);
    await world.call('PATCH', `/config/users/off-${operator}`, { enabled: false });
    await world.call('PATCH', `/config/service-users/service-off-${operator}`, { enabled: false });
    const provider = { issuer, client_id: 'potstream', client_secret: 'a secret' };
    await world.call('PUT', `/config/operators/${operator}/identity-provider`, provider);
    await world.access.createAdministrator({ ...user(`known-of-${operator}`), owners: [operator] });
    await world.call('PUT', `/config/users/known-of-${operator}/identity`, { subject: 'known' });
    await world.call('PATCH', `/config/operators/${operator}`, { four_eyes: { enabled: true } });
  }
});
afterEach(() => world.stop());

const user = (username: string) => ({ username, password, roles, owners: ['acme'] as readonly string[] });
const call = (method: string, path: string, body: unknown, token: string): Promise<Answer> =>
  world.call(method, path, body, { token });
const approve = (id: string, token: string) =>
  call('POST', `/config/approvals/${id}/approve`, undefined, token);
const accounts = async () => (await world.stored('accounts')).toSorted();
const logIn = (username: string, given = password) =>
  call('POST', '/auth/admin', { username, password: given }, '');
const tokenOf = async (username: string, given = password): Promise<string> =>
  (await logIn(username, given)).json.token;

type Request = readonly [method: string, path: string, body?: unknown];

/** By their operation: what makes an account do more, and what does not. */
const widening: Readonly<Record<string, (operator: string) => readonly Request[]>> = {
  'users.create': (operator) => [['POST', '/config/users', { ...user('new'), owners: [operator] }]],
  'users.change': (operator) => [
    ['PATCH', `/config/users/user-of-${operator}`, { password: 'another long password' }],
    ['PATCH', `/config/users/user-of-${operator}`, { password: 'another long password', enabled: false }],
    ['PATCH', `/config/users/off-${operator}`, { enabled: true }],
  ],
  'service-users.create': (operator) => [
    ['POST', '/config/service-users', { username: 'new', password, operator_id: operator }],
  ],
  'service-users.change': (operator) => [
    ['PATCH', `/config/service-users/service-of-${operator}`, { password: 'another long password' }],
    ['PATCH', `/config/service-users/service-of-${operator}`, { rights: ['cors'] }],
    ['PATCH', `/config/service-users/service-off-${operator}`, { enabled: true }],
  ],
  'service-users.keys': (operator) => [
    ['POST', `/config/service-users/service-of-${operator}/keys`, { secret: 'a secret of the caller' }],
  ],
  'identities.bind': (operator) => [
    ['PUT', `/config/users/user-of-${operator}/identity`, { issuer, subject: 'new' }],
    ['PUT', `/config/users/known-of-${operator}/identity`, { issuer, subject: 'another' }],
  ],
  'second-factors.reset': (operator) => [
    ['DELETE', `/config/users/with-factor-of-${operator}/second-factor`],
  ],
};
const harmless: Readonly<Record<string, (operator: string) => readonly Request[]>> = {
  'users.change': (operator) => [
    ['PATCH', `/config/users/user-of-${operator}`, { enabled: true }],
    ['PATCH', `/config/users/user-of-${operator}`, { roles: ['config'], owners: [operator] }],
    ['PATCH', `/config/users/user-of-${operator}`, { owners: [`${operator}:main`], enabled: false }],
  ],
  'service-users.change': (operator) => [
    ['PATCH', `/config/service-users/service-of-${operator}`, { brands: ['main'], rights: [] }],
    ['PATCH', `/config/service-users/service-of-${operator}`, { enabled: false }],
  ],
  'service-users.remove': (operator) => [['DELETE', `/config/service-users/service-of-${operator}`]],
  'identities.bind': (operator) => [
    ['PUT', `/config/users/known-of-${operator}/identity`, { issuer, subject: 'known' }],
  ],
  'identities.unbind': (operator) => [
    ['DELETE', `/config/users/known-of-${operator}/identity`],
    ['DELETE', `/config/users/user-of-${operator}/identity`],
  ],
  'second-factors.reset': (operator) => [['DELETE', `/config/users/user-of-${operator}/second-factor`]],
};
/** Of the caller's own account, or with a credential of its own. */
const ofTheCaller = [
  'login',
  'administrator-tokens.renew',
  'administrators.password',
  'sessions.begin',
  'sessions.renew',
  'sessions.end',
  'sessions.end-all',
  'second-factors.step-up',
  'second-factors.begin',
  // Tried in test/gateway/api/operations/access/second-factors.test.ts
  'second-factors.enrol',
  'O25',
  'service-tokens.renew',
  'service-users.password',
];
const ofTheSystem = ['tokens.revoke'];

describe('the operations of accounts', () => {
  const paths = /^\/(config\/(users|service-users|tokens)|auth|v1\/auth)(\/|$)/;
  const ids = operations
    .filter(({ method, path }) => method !== 'GET' && paths.test(path))
    .map(({ id }) => id);

  it('are each in the table of the rules, and tried here', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../../../docs/rules/approvals.md'), 'utf8');
    const table = page.slice(page.indexOf('## Accounts'));
    const tried = [...Object.keys(widening), ...Object.keys(harmless), ...ofTheCaller, ...ofTheSystem];
    expect(ids.length).toBeGreaterThan(10);
    expect(ids.filter((id) => !tried.includes(id) || !table.includes(`| \`${id}\` |`))).toEqual([]);
  });

  it('wait where they make an account of the own operator do more, and change nothing alone', async () => {
    for (const request of Object.values(widening).flatMap((requests) => requests('acme'))) {
      const [method, path, body] = request;
      const before = await accounts();
      const { status, json } = await call(method, path, body, acme);
      expect([request, status, json.state]).toEqual([request, 202, 'open']);
      expect(await accounts()).toEqual(before);
      expect((await approve(json.id, acme)).json.code).toBe('approval_by_proposer');
    }
  });

  it('are done alone where they only take away', async () => {
    for (const request of Object.values(harmless).flatMap((requests) => requests('acme'))) {
      const [method, path, body] = request;
      expect([request, (await call(method, path, body, acme)).status]).toEqual([
        request,
        method === 'DELETE' ? 204 : 200,
      ]);
    }
  });

  it('reach no account of another operator', async () => {
    const before = await accounts();
    const requests = [...Object.values(widening), ...Object.values(harmless)];
    for (const request of requests.flatMap((each) => each('rival'))) {
      const [method, path, body] = request;
      expect([request, (await call(method, path, body, acme)).status]).toEqual([request, 404]);
    }
    const both = { ...user('new'), owners: ['acme', 'rival'] };
    expect((await call('POST', '/config/users', both, acme)).json.code).toBe('operator_not_found');
    expect((await call('POST', '/config/users', { ...both, owners: ['*'] }, acme)).json.code).toBe(
      'forbidden',
    );
    expect((await call('DELETE', '/config/tokens/any', undefined, acme)).json.code).toBe('forbidden');
    expect(await accounts()).toEqual(before);
  });

  it('change nobody but the caller where they ask for its own password', async () => {
    const username = 'user-of-acme';
    const token = await tokenOf(username);
    expect((await call('PUT', '/auth/admin/password', weak, token)).json.code).toBe('secret_too_weak');
    const next = { current_password: password, new_password: 'another long password' };
    expect((await call('PUT', '/auth/admin/password', next, token)).status).toBe(200);
    expect((await logIn(username)).status).toBe(401);
    expect(world.access.accounts.find('administrator', username)?.made_by).toBeUndefined();
  });

  it('need two for an account of the whole system while any operator has the rule, of which one is of the system', async () => {
    const root = await world.token(roles, ['*']);
    const asked = { ...user('second-root'), owners: ['*'] };
    const { status, json } = await call('POST', '/config/users', asked, root);
    expect([status, json.owner_id]).toEqual([202, '']);
    expect((await approve(json.id, colleague)).json.code).toBe('approval_not_found');
    expect((await approve(json.id, await world.token(roles, ['*']))).status).toBe(200);
    expect((await logIn('second-root')).status).toBe(200);
  });

  it('need two for an account of several operators if one of them has the rule', async () => {
    await call('POST', '/config/operators', [{ id: 'third', name: 'Third' }], await world.token());
    const root = await world.token(roles, ['*']);
    const create = (owners: readonly string[]) =>
      call('POST', '/config/users', { ...user(`of-${owners.length}`), owners }, root);
    expect((await create(['third'])).status).toBe(201);
    expect((await create(['third', 'acme:main'])).status).toBe(202);
    // One that is made alone gets no operator with the rule alone.
    const widened = await call('PATCH', '/config/users/of-1', { owners: ['third', 'acme'] }, root);
    expect(widened.status).toBe(202);
  });
});

describe('an account that two have agreed on', () => {
  it('has the password that was proposed, which nobody is shown', async () => {
    const { json, text } = await call('POST', '/config/users', user('new'), acme);
    expect(text).not.toContain(password);
    expect(json).toMatchObject({ body: { username: 'new', password: '***' }, body_sha256: null });
    const approved = await approve(json.id, colleague);
    expect(approved.json.result).toMatchObject({ status_code: 201, body: { username: 'new@acme' } });
    expect((await logIn('new@acme')).status).toBe(200);
    expect(world.access.accounts.find('administrator', 'new@acme')).toMatchObject({
      made_by: [],
      approved: {
        id: json.id,
        proposed_by: json.proposed_by,
        approved_by: approved.json.decided_by,
        at: nowMs,
      },
    });
    const records = world.audit.messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join();
    expect(records).not.toContain(password);
    const table = (await world.approvals.keys()).map((key) => world.approvals.get(key));
    const kept = (await Promise.all(table)).map((entry) => Buffer.from(entry!.value).toString('utf8'));
    expect(kept.join()).not.toContain(password);
  });

  it('approves at once what either of them proposes, and others too', async () => {
    const { json } = await call('POST', '/config/users', user('new'), acme);
    await approve(json.id, colleague);
    const token = await tokenOf('new@acme');
    for (const proposer of [acme, colleague]) {
      const { json: other } = await call('POST', '/config/service-users', service(), proposer);
      expect((await approve(other.id, token)).status).toBe(200);
    }
  });

  it('is not approved by whom it is about', async () => {
    const change = { password: 'another long password' };
    const { json } = await call('PATCH', '/config/users/user-of-acme', change, acme);
    const refused = await approve(json.id, await tokenOf('user-of-acme'));
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
    expect((await logIn('user-of-acme')).status).toBe(200);
  });

  it('needs an approver who has the roles', async () => {
    const { json } = await call('POST', '/config/users', user('new'), acme);
    const poorer = await world.token(['security'], ['acme']);
    expect((await approve(json.id, poorer)).json.code).toBe('forbidden');
    expect((await logIn('new@acme')).status).toBe(401);
  });

  it('of a brand is approved by administrators of the brand', async () => {
    const [one, other] = [await world.token(roles, ['acme:main']), await world.token(roles, ['acme:main'])];
    const { json } = await call('POST', '/config/users', { ...user('new'), owners: ['acme:main'] }, one);
    expect(json.owner_id).toBe('acme:main');
    expect((await approve(json.id, other)).status).toBe(200);
  });

  it('gets a key whose secret only the proposer knows', async () => {
    const path = '/config/service-users/service-of-acme/keys';
    const missing = await call('POST', path, undefined, acme);
    expect([missing.status, missing.json.code]).toEqual([400, 'invalid_request']);
    const given = 'a secret that the proposer keeps';
    const { json } = await call('POST', path, { secret: given }, acme);
    const approved = await approve(json.id, colleague);
    expect(Object.keys(approved.json.result.body)).toEqual(['key_id']);
    expect(approved.text).not.toContain(given);
    expect(world.access.requestKeys.find(approved.json.result.body.key_id)?.secret).toBe(given);
  });
});

let services = 0;
function service(operator_id = 'acme') {
  services += 1;
  return { username: `s${services}`, password, operator_id };
}

describe('nobody approves with an account that one person may have as well', () => {
  beforeEach(async () => {
    await world.call('POST', '/config/operators', [{ id: 'third', name: 'Third' }]);
    await world.access.createAdministrator({ ...user('ada'), owners: ['third'] });
    await world.access.createAdministrator({ ...user('bob'), owners: ['third'] });
    await world.access.createAdministrator({ ...user('cyd'), owners: ['third'] });
  });
  const create = async (by: string, name: string): Promise<string> => {
    const made = await call('POST', '/config/users', { ...user(name), owners: ['third'] }, await tokenOf(by));
    expect(made.status).toBe(201);
    return made.json.username;
  };
  const ruled = () => world.call('PATCH', '/config/operators/third', { four_eyes: { enabled: true } });
  /** Whether `approver` may approve what `proposer` proposes, by the code of its answer. */
  const decided = async (proposer: string, approver: string, [one, other] = [password, password]) => {
    const { status, json } = await call(
      'POST',
      '/config/service-users',
      service('third'),
      await tokenOf(proposer, one),
    );
    expect(status).toBe(202);
    const answer = await approve(json.id, await tokenOf(approver, other));
    return answer.status === 200 ? 'approved' : answer.json.code;
  };

  it('that it created, in either direction', async () => {
    const made = await create('ada', 'made');
    expect((await ruled()).status).toBe(204);
    expect(await decided('ada', made)).toBe('approver_not_independent');
    expect(await decided(made, 'ada')).toBe('approver_not_independent');
    expect(await decided(made, 'bob')).toBe('approved');
    expect(await decided('ada', 'bob')).toBe('approved');
  });

  it('that it reached through others', async () => {
    const first = await create('ada', 'first');
    const second = await create(first, 'second');
    const third = await create('ada', 'third');
    await ruled();
    for (const [proposer, approver] of [
      ['ada', second],
      [second, 'ada'],
      [first, second],
    ] as const)
      expect(await decided(proposer, approver)).toBe('approver_not_independent');
    for (const approver of ['bob', third]) expect(await decided(second, approver)).toBe('approved');
  });

  it('to which it gave a password, rights, or life again', async () => {
    const next = 'a password of ada';
    const change = async (name: string, body: object, by = 'ada') => {
      expect((await call('PATCH', `/config/users/${name}`, body, await tokenOf(by))).status).toBe(200);
    };
    await change('bob', { password: next });
    await change('cyd', { enabled: false }, 'ada');
    await ruled();
    expect(await decided('ada', 'bob', [password, next])).toBe('approver_not_independent');
    // Whoever only takes away is nobody's second self, or one person could make all others so.
    const enabled = await call('PATCH', '/config/users/cyd', { enabled: true }, await tokenOf('ada'));
    expect(enabled.status).toBe(202);
    expect((await approve(enabled.json.id, await world.token())).status).toBe(200);
    expect(await decided('ada', 'cyd')).toBe('approved');
  });

  it('until thirty days later', async () => {
    const made = await create('ada', 'made');
    await ruled();
    nowMs += 30 * day - 1;
    expect(await decided('ada', made)).toBe('approver_not_independent');
    nowMs += 1;
    expect(await decided('ada', made)).toBe('approved');
  });

  it('unless two have agreed on its password since, or the machine gave it', async () => {
    const made = await create('ada', 'made');
    const other = await create('ada', 'other');
    await ruled();
    const path = `/config/users/${encodeURIComponent(made)}`;
    const proposed = await call('PATCH', path, { password: 'agreed by two' }, await tokenOf('bob'));
    expect((await approve(proposed.json.id, await tokenOf('ada'))).status).toBe(200);
    expect(await decided('ada', made, [password, 'agreed by two'])).toBe('approved');
    const credentials = { username: other, password: 'from the machine' };
    await resetAdministratorPassword(world.accounts, credentials, { random: world.context.random });
    expect(await decided('ada', other, [password, 'from the machine'])).toBe('approved');
  });

  it('also where this gateway has not heard of it yet', async () => {
    await ruled();
    const stored = await world.access.accounts.read('administrator', 'bob');
    const { find } = world.access.accounts;
    const stale = { ...stored!.value };
    await world.access.accounts.set('administrator', 'bob', {
      ...stale,
      made_by: [{ by: 'ada', at: nowMs }],
    });
    Object.assign(world.access.accounts, {
      find: (kind: 'administrator', name: string) =>
        kind === 'administrator' && name === 'bob' ? stale : find(kind, name),
    });
    expect(await decided('ada', 'bob')).toBe('approver_not_independent');
  });
});

describe('the rule', () => {
  it('is turned on only where two independent administrators have an approving role', async () => {
    await world.call('POST', '/config/operators', [{ id: 'third', name: 'Third' }]);
    for (const { username, owners } of world.access.accounts.list('administrator'))
      if (owners.includes('*') && username !== 'admin-1')
        await world.call('PATCH', `/config/users/${username}`, { enabled: false });
    const turnOn = async () => {
      const { status, json } = await world.call('PATCH', '/config/operators/third', {
        four_eyes: { enabled: true },
      });
      return status === 204 ? 'on' : json.code;
    };
    expect(await turnOn()).toBe('approvers_missing');
    await world.call('POST', '/config/users', { ...user('own'), owners: ['third'] });
    // The one made the other.
    expect(await turnOn()).toBe('approvers_missing');
    await world.access.createAdministrator({ ...user('brand'), owners: ['third:main'] });
    await world.access.createAdministrator({ ...user('sees'), roles: ['viewer'], owners: ['third'] });
    expect(await turnOn()).toBe('approvers_missing');
    const second = { ...user('second'), roles: ['finance'], owners: ['third'] };
    expect((await world.call('POST', '/config/users', second)).status).toBe(201);
    expect(await turnOn()).toBe('on');
  });
});

describe('the audit trail', () => {
  it('names who proposed and who approved an account', async () => {
    const { json } = await call('POST', '/config/users', user('new'), acme);
    const approved = await approve(json.id, colleague);
    const entries = world.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
    const outcome = entries.findLast(
      ({ operation, kind }) => operation === 'users.create' && kind === 'outcome',
    );
    expect(outcome).toMatchObject({
      user: json.proposed_by,
      owners: ['acme'],
      approval: { id: json.id, approved_by: approved.json.decided_by },
      changes: [{ object: 'administrator new@acme', before: null, after: { password_hash: '***' } }],
    });
  });
});
