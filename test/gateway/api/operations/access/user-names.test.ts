import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFirstAdministrator } from '../../../../../src/access/accounts/bootstrap.ts';
import { decodeMessage } from '../../../../../src/audit/chain.ts';
import { furnish, startWorld, type World } from '../../../support/administration.ts';
import { memoryTable } from '../../../support/memory-table.ts';

/** Names of users that an operator's administrator creates. docs/rules/http.md "Users" */

const password = 'a long password';
let world: World;
let acme: string;
let rival: string;
let both: string;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  [acme, rival] = [await world.token(['security'], ['acme']), await world.token(['security'], ['rival'])];
  both = await world.token(['security'], ['acme', 'rival']);
});
afterAll(() => world.stop());

type Kind = 'users' | 'service-users';
const create = (kind: Kind, username: string, owner: string, token?: string) =>
  world.call(
    'POST',
    `/config/${kind}`,
    kind === 'users'
      ? { username, password, roles: ['security'], owners: [owner] }
      : { username, password, operator_id: owner },
    token === undefined ? {} : { token },
  );
const logIn = async (kind: Kind, username: string) => {
  const path = kind === 'users' ? '/auth/admin' : '/v1/auth/service';
  return (await world.call('POST', path, { username, password }, { token: '' })).status;
};

describe.each(['users', 'service-users'] as const)('%s of an operator', (kind) => {
  it('are named and log in with the operator at the end, whether it is given or not', async () => {
    for (const [given, whole] of [
      ['bob', 'bob@acme'],
      ['ada@acme', 'ada@acme'],
    ] as const) {
      const { status, json } = await create(kind, given, 'acme', acme);
      expect([status, json.username]).toEqual([201, whole]);
      expect(await logIn(kind, whole)).toBe(200);
      const path = `/config/${kind}/${encodeURIComponent(whole)}`;
      expect((await world.call('GET', path, undefined, { token: acme })).json.username).toBe(whole);
    }
    expect(await logIn(kind, 'bob')).toBe(401);
    expect((await create(kind, 'bob@acme', 'acme', acme)).json.code).toBe('already_exists');
  });

  it('meet no name of another operator or of the system', async () => {
    expect((await create(kind, 'eve', 'rival')).json.username).toBe('eve');
    expect((await create(kind, 'eve', 'acme', acme)).json.username).toBe('eve@acme');
    expect((await create(kind, 'eve', 'rival', rival)).json.username).toBe('eve@rival');
    const entries = world.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
    const intents = entries.filter(
      ({ operation, kind: of }) => operation === `${kind}.create` && of === 'intent',
    );
    expect(intents.slice(-2).map(({ owners }) => owners)).toEqual([['acme'], ['rival']]);
    expect(entries.at(-1)!.changes).toMatchObject([{ before: null, after: { username: 'eve@rival' } }]);
  });

  it.each(['x@rival', 'x@y@acme', '@acme', 'x@', `${'x'.repeat(65)}`])(
    'are not named %s',
    async (username) => {
      const { status, json } = await create(kind, username, 'acme', acme);
      expect([status, json.code]).toEqual([400, 'invalid_identifier']);
    },
  );

  it('have room for the longest names of both', async () => {
    const operator = 'o'.repeat(64);
    await world.call('POST', '/config/operators', [{ id: operator, name: 'Long' }]);
    const token = await world.token(['security'], [operator]);
    const { json } = await create(kind, 'x'.repeat(64), operator, token);
    expect(json.username).toBe(`${'x'.repeat(64)}@${operator}`);
    const path = `/config/${kind}/${encodeURIComponent(json.username)}`;
    expect((await world.call('PATCH', path, { enabled: false }, { token })).json.enabled).toBe(false);
  });

  it('are created by an administrator of several operators for one of them', async () => {
    expect((await create(kind, 'dan', 'rival', both)).json.username).toBe('dan@rival');
  });

  it('get no @ from anybody else', async () => {
    expect((await create(kind, 'x@acme', 'acme')).json.code).toBe('invalid_identifier');
  });
});

it('users of several operators are for administrators of the whole system', async () => {
  const asked = { username: 'wide', password, roles: ['security'], owners: ['acme', 'rival'] };
  expect((await world.call('POST', '/config/users', asked, { token: both })).json.code).toBe('forbidden');
  expect((await world.call('POST', '/config/users', asked)).json.username).toBe('wide');
});

it('a user gets another operator from an administrator of the whole system only', async () => {
  const { username } = (await create('users', 'ivy', 'acme:main', both)).json;
  expect(username).toBe('ivy@acme');
  const change = (owners: readonly string[], token?: string) =>
    world.call(
      'PATCH',
      `/config/users/${encodeURIComponent(username)}`,
      { owners },
      token === undefined ? {} : { token },
    );
  for (const owners of [['rival'], ['acme', 'rival']])
    expect((await change(owners, both)).json.code).toBe('forbidden');
  expect((await change(['acme'], both)).status).toBe(200);
  expect((await change(['acme', 'rival'])).status).toBe(200);
});

it('names of before stay', async () => {
  const old = { username: 'old@example.com', password, roles: ['viewer'] as const, owners: ['acme'] };
  await world.access.createAdministrator(old);
  expect(await logIn('users', old.username)).toBe(200);
  const path = `/config/users/${encodeURIComponent(old.username)}`;
  const token = await world.token(['security', 'viewer'], ['acme']);
  expect((await world.call('PATCH', path, { owners: ['acme:main'] }, { token })).json.owners).toEqual([
    'acme:main',
  ]);
});

it('the first administrator has no @ either', async () => {
  const ports = { clock: world.context.clock, random: world.context.random };
  const first = { username: 'root@acme', password };
  expect(await createFirstAdministrator(memoryTable(), first, ports)).toBe('invalid_identifier');
});
