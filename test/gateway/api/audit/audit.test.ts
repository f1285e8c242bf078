import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decodeMessage } from '../../../../src/audit/chain.ts';
import type { AuditEntry } from '../../../../src/audit/entry.ts';
import { AuditVerification } from '../../../../src/audit/verify.ts';
import type { AdministratorRole } from '../../../../src/contracts/accounts/users.ts';
import { defineChange } from '../../../../src/gateway/api/operation/operation.ts';
import { LogError } from '../../../../src/ports.ts';
import { createInstance, furnish, startWorld, type World } from '../../support/administration.ts';
import { startTestGateway } from '../../support/gateway.ts';

let world: World;

beforeEach(async () => {
  world = await startWorld();
  await furnish(world);
});
afterEach(() => world.stop());

describe('a change by an administrator', () => {
  it('has an intent before it and an outcome before its answer, under the id of the answer', async () => {
    const answer = await world.call('PATCH', '/config/operators/acme', { name: 'Acme 2' });
    const [intent, outcome] = entries().slice(-2);
    expect(intent).toMatchObject({
      kind: 'intent',
      operation: 'A6',
      method: 'PATCH',
      path: '/config/operators/acme',
      user: 'admin-1',
      address: '127.0.0.1',
      owners: ['acme'],
      request_id: answer.headers.get('x-request-id'),
      input: { params: { operator_id: 'acme' }, body: { name: 'Acme 2' } },
    });
    expect(outcome).toMatchObject({ kind: 'outcome', id: intent!.id, outcome: 'applied', status: 204 });
    expect(outcome!.changes).toMatchObject([
      { object: 'directory operator.acme', before: { name: 'Acme' }, after: { name: 'Acme 2' } },
    ]);
  });

  it('has before, after and reason of an instance', async () => {
    const instance = await createInstance(world);
    const path = `/config/instances/${instance}`;
    await world.call('PUT', `${path}/parameters`, {
      overrides: { pots: [{ id: 'gold', is_progressive: false }] },
      reason: 'trial',
    });
    expect(last()).toMatchObject({ reason: 'trial', outcome: 'applied' });
    const change = last().changes!.find(({ object }) => object === `instance ${instance}`);
    expect(change).toMatchObject({ before: { version: 1 }, after: { version: 2 } });
    await world.call('PUT', `${path}/pots/gold/surplus-seed`, { adjustment: 7, reason: 'buffer' });
    const values = last().changes!.find(({ object }) => object === `instance ${instance}`);
    expect(values).toMatchObject({
      before: { 'pot gold': { surplus_seed: 0 } },
      after: { 'pot gold': { surplus_seed: 7 } },
    });
  });

  it('has users and keys, and never a secret', async () => {
    const password = 'the password of nobody else';
    const user = { username: 'acme-service', password, operator_id: 'acme' };
    await world.call('POST', '/config/service-users', user);
    expect(last()).toMatchObject({ operation: 'service-users.create', owners: ['acme'], outcome: 'applied' });
    expect(last().changes).toMatchObject([
      {
        object: 'service user acme-service',
        before: null,
        after: { operator_id: 'acme', password_hash: '***' },
      },
    ]);
    const key = await world.call('POST', '/config/service-users/acme-service/keys');
    expect(last().changes).toEqual([
      { object: 'keys of acme-service', before: null, after: [key.json.key_id] },
    ]);
    await world.call('DELETE', '/config/service-users/acme-service');
    const removed = last().changes!.map(({ object, after }) => [object, after]);
    expect(removed).toEqual([
      ['service user acme-service', null],
      ['keys of acme-service', null],
    ]);
    const brand = await world.stored('directory');
    const salts = brand.flatMap((text) => /"salt":"([^"]+)"/.exec(text)?.[1] ?? []);
    expect(salts.length).toBeGreaterThan(0);
    for (const secret of [password, key.json.secret, '$argon2', ...salts])
      expect(trail()).not.toContain(secret);
  });

  it('is recorded when it is refused', async () => {
    await world.call('POST', '/config/operators/nobody/brands', [{ id: 'x', name: 'X' }]);
    expect(last()).toMatchObject({
      outcome: 'refused',
      status: 404,
      code: 'operator_not_found',
      owners: ['nobody'],
    });
    const viewer = await world.token(['viewer'], ['acme']);
    await world.call('PATCH', '/config/operators/acme', { name: 'X' }, { token: viewer });
    expect(last()).toMatchObject({ kind: 'event', operation: 'A6', outcome: 'refused', code: 'forbidden' });
  });

  it('is refused while the trail cannot be written, and changes nothing', async () => {
    const before = await world.stored('directory');
    world.audit.fault = new LogError('full', 'no room');
    const refused = await world.call('PATCH', '/config/operators/acme', { name: 'Changed' });
    expect([refused.status, refused.json.code]).toEqual([503, 'audit_unavailable']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await world.stored('directory')).toEqual(before);
    expect((await world.call('GET', '/config/operators')).status).toBe(200);
  });

  it('has an unknown outcome if only the intent is in the trail, until the outcome is written', async () => {
    const { audit } = world;
    const append = audit.append.bind(audit);
    let appends = 0;
    audit.append = async (bytes, expected) => {
      appends += 1;
      if (appends === 2) throw new LogError('full', 'no room');
      return append(bytes, expected);
    };
    const answer = await world.call('PATCH', '/config/operators/acme', { name: 'Changed' });
    expect([answer.status, answer.json.code]).toEqual([504, 'outcome_unknown']);
    expect(await listed('?limit=1')).toMatchObject([{ operation: 'A6', outcome: 'unknown', changes: [] }]);
    await expect.poll(() => last().outcome, { timeout: 60_000 }).toBe('applied');
    expect(await listed('?limit=1')).toMatchObject([{ operation: 'A6', outcome: 'applied' }]);
  });

  it('makes a chain that verifies', () => {
    const verification = new AuditVerification();
    for (const message of world.audit.messages) verification.take(message);
    expect(verification.report()).toMatchObject({ verified: true, open: [] });
  });
});

describe('an operation that somebody adds', () => {
  const rename = defineChange('configure', {
    id: 'new',
    name: 'A new operation',
    route: 'POST /config/new/{operator_id}',
    input: {
      params: z.strictObject({ operator_id: z.string() }),
      body: z.strictObject({ reason: z.string() }),
    },
    handle: async () => ({ status: 204 }),
  });

  it('has its entries by its declaration alone', async () => {
    const gateway = await startTestGateway({ operations: [rename] });
    const token = await gateway.adminToken(['config'], ['acme']);
    const answer = await gateway.call('POST', '/config/new/acme', { token, body: { reason: 'why' } });
    expect(answer.status).toBe(204);
    const added = gateway.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
    expect(added).toMatchObject([
      { kind: 'intent', operation: 'new', path: '/config/new/acme', owners: ['acme'], reason: 'why' },
      { kind: 'outcome', operation: 'new', outcome: 'applied' },
    ]);
    await gateway.stop();
  });
});

describe('log-ins', () => {
  const user = {
    username: 'acme-auditor',
    password: 'a long password',
    roles: ['auditor'],
    owners: ['acme'],
  } as const;

  it('are in the trail, accepted or refused, without what was typed', async () => {
    await world.access.createAdministrator(user);
    const { username, password } = user;
    expect((await login(username, password)).status).toBe(200);
    expect(last()).toMatchObject({
      kind: 'event',
      operation: 'login',
      outcome: 'applied',
      user: username,
      owners: ['acme'],
    });
    expect((await login(username, 'a wrong password')).status).toBe(401);
    expect(last()).toMatchObject({ outcome: 'refused', code: 'invalid_credentials', user: username });
    await login('typed into the wrong field', password);
    expect(last()).toMatchObject({ outcome: 'refused', user: '', owners: [''] });
    expect(trail()).not.toMatch(/a wrong password|a long password|typed into/);
  });

  it('give no token of which the trail has nothing', async () => {
    await world.access.createAdministrator(user);
    world.audit.fault = new LogError('full', 'no room');
    const refused = await login(user.username, user.password);
    expect([refused.status, refused.json.code]).toEqual([503, 'audit_unavailable']);
  });
});

describe('GET /config/audit', () => {
  it('is for auditors and security, of their owners', async () => {
    const rival = (name: string) => world.call('PATCH', '/config/operators/rival', { name });
    await rival('Rival 2');
    for (const role of ['viewer', 'support', 'config', 'finance'] as const)
      expect((await read('', [role])).status).toBe(403);
    for (const role of ['auditor', 'security'] as const) {
      const answer = await read('', [role]);
      expect(answer.status).toBe(200);
      const owners = answer.json.flatMap(({ owners }: { owners: string[] }) => owners);
      expect([...new Set(owners)].toSorted()).toEqual(['acme']);
    }
    const foreign = await read('?owner_id=rival', ['auditor']);
    const missing = await read('?owner_id=nobody', ['auditor']);
    expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    const everything = await world.call('GET', '/config/audit?owner_id=rival&operation=A6');
    expect(everything.json).toMatchObject([{ path: '/config/operators/rival' }]);
  });

  it('filters by operation, user and time, in pages', async () => {
    for (let at = 0; at < 5; at += 1)
      await world.call('PATCH', '/config/operators/acme', { name: `Acme ${at}` });
    const renamed = await listed('?operation=A6&limit=2&page=1');
    expect(renamed.map(({ input }) => (input as { body: unknown }).body)).toEqual([
      { name: 'Acme 2' },
      { name: 'Acme 1' },
    ]);
    expect(await listed('?user=nobody')).toEqual([]);
    const [newest] = await listed('?limit=1');
    expect(await listed(`?timestamp_start=${newest!.timestamp + 1}`)).toEqual([]);
    const oldest = await listed('?sort_direction=1&limit=1');
    expect(oldest).toMatchObject([{ operation: 'A3', owners: [''] }]);
    for (const query of ['?limit=501', '?page=-1', '?timestamp_start=soon', '?sort_field=user', '?else=1'])
      expect((await world.call('GET', `/config/audit${query}`)).status).toBe(400);
  });

  it('shows a foreign auditor nothing of an attempt on its things', async () => {
    const acme = await world.token(['config'], ['acme']);
    await world.call('PATCH', '/config/operators/rival', { name: 'X' }, { token: acme });
    expect(last()).toMatchObject({ outcome: 'refused', owners: [''] });
  });
});

interface Listed {
  readonly timestamp: number;
  readonly input: unknown;
}

async function listed(query: string): Promise<readonly Listed[]> {
  return (await world.call('GET', `/config/audit${query}`)).json;
}

async function read(query: string, roles: readonly AdministratorRole[]) {
  return world.call('GET', `/config/audit${query}`, undefined, { token: await world.token(roles, ['acme']) });
}

function login(username: string, password: string) {
  return world.call('POST', '/auth/admin', { username, password }, { token: '' });
}

function entries(): readonly AuditEntry[] {
  return world.audit.messages.flatMap(({ bytes }) => decodeMessage(bytes)!.entries);
}

function last(): AuditEntry {
  return entries().at(-1)!;
}

function trail(): string {
  return world.audit.messages.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join();
}
