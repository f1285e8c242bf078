import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdministratorRole } from '../../../../../src/contracts/accounts/users.ts';
import { furnish, startWorld, type World } from '../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const password = 'a long and good one';
const path = '/config/users';
const ada = { username: 'ada', password, roles: ['viewer', 'security'], owners: ['acme'] };

type Call = Parameters<World['call']>;
const call = (method: string, to: string, body?: unknown, token?: string) =>
  world.call(...([method, to, body, token === undefined ? {} : { token }] as unknown as Call));
const create = (changes: object, token?: string) => call('POST', path, { ...ada, ...changes }, token);
const change = (username: string, body: unknown, token?: string) =>
  call('PATCH', `${path}/${username}`, body, token);
const login = (username: string, given = password) =>
  call('POST', '/auth/admin', { username, password: given }, '');
const tokenOf = async (username: string, given = password): Promise<string> =>
  (await login(username, given)).json.token;
const whoIs = async (username: string) => (await call('GET', `${path}/${username}`)).json;

/** An administrator that the tests may change. */
let names = 0;
async function someone(roles: readonly AdministratorRole[], owners: readonly string[]): Promise<string> {
  names += 1;
  const username = `someone-${names}`;
  expect((await create({ username, roles, owners })).status).toBe(201);
  return username;
}

const refused = (status: number, code: string) => ({ status, json: { status_code: status, code } });

describe('a new administrator', () => {
  it('is shown without a password, and may do what the roles allow for the owners', async () => {
    const created = await create({ roles: ['viewer', 'security', 'viewer'], owners: ['acme', 'acme'] });
    const shown = {
      username: 'ada',
      roles: ['viewer', 'security'],
      owners: ['acme'],
      enabled: true,
      has_second_factor: false,
      identity: null,
      created_timestamp: expect.any(Number),
      last_login_timestamp: null,
    };
    expect(created).toMatchObject({ status: 201, json: shown });
    expect(Object.keys(created.json)).toEqual(Object.keys(shown));
    const token = await tokenOf('ada');
    expect((await call('GET', '/config/operators', undefined, token)).json).toMatchObject([{ id: 'acme' }]);
    expect(await call('POST', '/config/operators', [{ id: 'x', name: 'x' }], token)).toMatchObject(
      refused(403, 'forbidden'),
    );
  });

  it('shows when it last logged in', async () => {
    const before = Date.now();
    const username = await someone(['viewer'], ['acme']);
    expect((await whoIs(username)).last_login_timestamp).toBeNull();
    await login(username, 'a wrong password');
    await tokenOf(username);
    const shown = async () => (await whoIs(username)).last_login_timestamp;
    await expect.poll(shown).toBeGreaterThanOrEqual(before);
  });

  it.each([
    ['a name that is taken', {}, 409, 'already_exists'],
    ['a weak password', { username: 'new', password: 'short' }, 422, 'secret_too_weak'],
    ['no role', { username: 'new', roles: [] }, 400, 'invalid_request'],
    ['an unknown role', { username: 'new', roles: ['root'] }, 400, 'invalid_request'],
    ['no owner', { username: 'new', owners: [] }, 400, 'invalid_request'],
    ['a malformed owner', { username: 'new', owners: ['a:b:c'] }, 400, 'invalid_identifier'],
    ['a malformed name', { username: 'new user' }, 400, 'invalid_identifier'],
    ['an unknown operator', { username: 'new', owners: ['nobody'] }, 404, 'operator_not_found'],
    ['an unknown brand', { username: 'new', owners: ['acme:none'] }, 404, 'brand_not_found'],
    ['another field', { username: 'new', enabled: false }, 400, 'invalid_request'],
  ])('with %s is refused', async (_what, changes, status, code) => {
    expect(await create(changes)).toMatchObject(refused(status, code));
    expect((await call('GET', `${path}/new`)).status).toBe(404);
  });

  it('with more owners than a token has room for is refused', async () => {
    const operators = Array.from({ length: 60 }, (_, index) => ({
      id: `${'x'.repeat(60)}-${index}`,
      name: 'x',
    }));
    expect((await call('POST', '/config/operators', operators)).status).toBe(200);
    const owners = operators.map(({ id }) => id);
    expect(await create({ username: 'new', owners })).toMatchObject(refused(400, 'invalid_request'));
    const username = await someone(['viewer'], owners.slice(0, 30));
    const seen = await call('GET', '/config/operators', undefined, await tokenOf(username));
    expect(seen.json).toHaveLength(30);
  });
});

describe('an administrator of one operator', () => {
  it.each([
    ['a role that it lacks', { roles: ['viewer', 'finance'] }, 403, 'forbidden'],
    ['the whole system', { owners: ['*'] }, 403, 'forbidden'],
    ['another operator', { owners: ['acme', 'rival'] }, 404, 'operator_not_found'],
    ["another operator's brand", { owners: ['rival:main'] }, 404, 'brand_not_found'],
  ])('does not grant %s', async (_what, changes, status, code) => {
    const token = await tokenOf('ada');
    expect(await create({ username: 'new', ...changes }, token)).toMatchObject(refused(status, code));
    const username = await someone(['viewer'], ['acme']);
    expect(await change(username, changes, token)).toMatchObject(refused(status, code));
    expect(await whoIs(username)).toMatchObject({ roles: ['viewer'], owners: ['acme'] });
  });

  it('sees those alone whose owners are all its own', async () => {
    const token = await tokenOf('ada');
    const within = await someone(['viewer'], ['acme:main']);
    const beyond = await someone(['viewer'], ['acme', 'rival']);
    const everywhere = await someone(['viewer'], ['*']);
    const list = await call('GET', `${path}?limit=500`, undefined, token);
    const seen = list.json.map(({ username }: { username: string }) => username);
    expect(seen).toContain(within);
    for (const hidden of [beyond, everywhere, 'nobody']) {
      expect(seen).not.toContain(hidden);
      expect(await call('GET', `${path}/${hidden}`, undefined, token)).toMatchObject(
        refused(404, 'user_not_found'),
      );
      expect(await change(hidden, { enabled: false }, token)).toMatchObject(refused(404, 'user_not_found'));
    }
    expect((await whoIs(beyond)).enabled).toBe(true);
  });

  it('does not take over or revive an account with more roles than its own', async () => {
    const token = await tokenOf('ada');
    const richer = await someone(['viewer', 'finance'], ['acme']);
    expect(await change(richer, { password: 'mine from now on' }, token)).toMatchObject(
      refused(403, 'forbidden'),
    );
    expect((await login(richer)).status).toBe(200);
    expect((await change(richer, { enabled: false }, token)).json.enabled).toBe(false);
    expect(await change(richer, { enabled: true }, token)).toMatchObject(refused(403, 'forbidden'));
    expect((await change(richer, { roles: ['viewer'], enabled: true }, token)).json).toMatchObject({
      roles: ['viewer'],
      enabled: true,
    });
  });

  it('does not widen the owners of an account with more roles than its own', async () => {
    const token = await tokenOf('ada');
    const richer = await someone(['finance'], ['acme:main']);
    expect(await change(richer, { owners: ['acme'] }, token)).toMatchObject(refused(403, 'forbidden'));
  });

  it('changes nothing of its own account but the password', async () => {
    const username = await someone(['viewer', 'security'], ['acme']);
    const token = await tokenOf(username);
    const attempts = [{ roles: ['security'] }, { owners: ['acme'] }, { enabled: false }, { password }, {}];
    for (const body of attempts)
      expect(await change(username, body, token)).toMatchObject(refused(403, 'forbidden'));
    expect(await whoIs(username)).toMatchObject({ roles: ['viewer', 'security'], enabled: true });
  });
});

describe('a changed administrator', () => {
  it('that is disabled acts no more, and nobody learns why', async () => {
    const username = await someone(['viewer'], ['acme']);
    const token = await tokenOf(username);
    const renewed = (await call('POST', '/auth/admin/renew', undefined, token)).json.token;
    expect((await change(username, { enabled: false })).json).toMatchObject({ username, enabled: false });
    for (const each of [token, renewed]) {
      expect(await call('GET', '/config/operators', undefined, each)).toMatchObject(
        refused(401, 'token_revoked'),
      );
      expect((await call('POST', '/auth/admin/renew', undefined, each)).status).toBe(401);
    }
    expect((await login(username)).text).toBe((await login('nobody')).text);
    expect((await change(username, { enabled: true })).json.enabled).toBe(true);
    expect(await call('GET', '/config/operators', undefined, token)).toMatchObject(
      refused(401, 'token_revoked'),
    );
    expect((await login(username)).status).toBe(200);
  });

  it('has its new password, roles and owners, and its old tokens end', async () => {
    const username = await someone(['viewer'], ['acme']);
    const token = await tokenOf(username);
    const changes = { password: 'quite another one', roles: ['support'], owners: ['rival'] };
    const changed = await change(username, changes);
    expect(changed).toMatchObject({ status: 200, json: { roles: ['support'], owners: ['rival'] } });
    expect(changed.text).not.toContain('another');
    expect((await call('GET', '/config/operators', undefined, token)).status).toBe(401);
    expect((await login(username)).status).toBe(401);
    const fresh = await tokenOf(username, changes.password);
    expect((await call('GET', '/config/operators', undefined, fresh)).json).toMatchObject([{ id: 'rival' }]);
  });

  it('keeps its tokens where nothing was to be changed', async () => {
    const username = await someone(['viewer'], ['acme']);
    const token = await tokenOf(username);
    expect((await change(username, { password: null, enabled: null })).status).toBe(200);
    expect((await call('GET', '/config/operators', undefined, token)).status).toBe(200);
  });

  it.each([
    ['nobody', { enabled: false }, 404, 'user_not_found'],
    ['ada', { password: 'short' }, 422, 'secret_too_weak'],
    ['ada', { username: 'eve' }, 400, 'invalid_request'],
    ['ada', { enabled: 'no' }, 400, 'invalid_request'],
    ['ada', { owners: ['nobody'] }, 404, 'operator_not_found'],
  ])('%s with %j is refused', async (username, body, status, code) => {
    expect(await change(username, body)).toMatchObject(refused(status, code));
  });
});

describe('the last administrator of role security', () => {
  it('remains, even where several disable each other at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const users = await Promise.all([1, 2, 3].map(() => someone(['security'], ['rival'])));
      const tokens = await Promise.all(users.map((username) => tokenOf(username)));
      const answers = await Promise.all(
        users.map((_, index) => change(users[(index + 1) % 3]!, { enabled: false }, tokens[index])),
      );
      const states = await Promise.all(users.map(whoIs));
      expect(states.filter(({ enabled }) => enabled).length).toBeGreaterThan(0);
      const done = answers.filter(({ status }) => status === 200).length;
      expect(states.filter(({ enabled }) => !enabled)).toHaveLength(done);
      for (const { status, json } of answers)
        if (status !== 200) expect(['token_revoked', 'overloaded']).toContain(json.code);
    }
  });

  it('does not come back by a change of the password under way', async () => {
    const username = await someone(['viewer'], ['acme']);
    const token = await tokenOf(username);
    const [own, byAnother] = await Promise.all([
      call('PUT', '/auth/admin/password', { current_password: password, new_password: 'another one' }, token),
      change(username, { enabled: false }),
    ]);
    expect(byAnother.status).toBe(200);
    expect((await whoIs(username)).enabled).toBe(false);
    if (own.status === 200)
      expect((await call('GET', '/config/operators', undefined, own.json.token)).status).toBe(401);
  });
});

describe('the list of administrators', () => {
  const list = async (query: string) => (await call('GET', `${path}?${query}`)).json;
  const namesOf = (users: { username: string }[]) => users.map(({ username }) => username);

  it('is sorted, paged and filtered by owner', async () => {
    for (const [username, owner] of [
      ['list-b', 'rival:main'],
      ['list-a', 'rival'],
    ])
      await create({ username, owners: [owner] });
    const ofRival = namesOf(await list('owner_id=rival&limit=500'));
    expect(ofRival).toEqual(expect.arrayContaining(['list-a', 'list-b']));
    expect(ofRival).not.toContain('ada');
    expect(namesOf(await list('owner_id=rival:main'))).toEqual(['list-b']);
    const all = namesOf(await list('limit=500'));
    expect(all).toEqual([...all].sort());
    expect(namesOf(await list('limit=2&page=1'))).toEqual(all.slice(2, 4));
    const newest = await list('sort_field=created_timestamp&sort_direction=-1&limit=500');
    const times = newest.map(({ created_timestamp: at }: { created_timestamp: number }) => at);
    expect(times).toEqual([...times].sort((a, b) => b - a));
  });

  it.each([
    ['owner_id=nobody', 404, 'operator_not_found'],
    ['owner_id=acme:none', 404, 'brand_not_found'],
    ['sort_field=password', 400, 'invalid_parameter'],
  ])('with %s is refused', async (query, status, code) => {
    expect(await call('GET', `${path}?${query}`)).toMatchObject(refused(status, code));
  });
});

it('an administrator without the role security neither sees nor changes users', async () => {
  const token = await world.token(['viewer', 'support', 'config', 'finance', 'auditor'], ['*']);
  const attempts = [
    call('GET', path, undefined, token),
    call('GET', `${path}/ada`, undefined, token),
    create({ username: 'new' }, token),
    change('ada', { enabled: false }, token),
  ];
  for (const answer of await Promise.all(attempts)) expect(answer).toMatchObject(refused(403, 'forbidden'));
  expect((await whoIs('ada')).enabled).toBe(true);
});

it('the role operations is granted by who has it, or each other role for the whole system', async () => {
  const older = ['viewer', 'support', 'config', 'finance', 'security', 'auditor'] as const;
  const grant = async (roles: readonly AdministratorRole[], owners: readonly string[]) => {
    const token = await tokenOf(await someone(roles, owners));
    const username = owners[0] === '*' ? `runner-${names}` : `runner-${names}@${owners[0]}`;
    return (await create({ username, roles: ['operations'], owners }, token)).status;
  };
  expect(await grant(older, ['*'])).toBe(201);
  expect(await grant(['security', 'operations'], ['*'])).toBe(201);
  expect(await grant(older.slice(1), ['*'])).toBe(403);
  expect(await grant(older, ['acme'])).toBe(403);
});
