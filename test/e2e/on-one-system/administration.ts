import { beforeAll, describe, expect, it } from 'vitest';
import { callGateway } from '../../support/call.ts';
import { oneSystem } from '../../support/one-system.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

const patienceMs = 240_000;
const source = 'slot/ü 1';

let system: RunningSystem;
let admin = '';

beforeAll(async () => {
  system = await oneSystem();
  admin = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
}, patienceMs);

async function call(method: string, path: string, body?: unknown, token = '') {
  const { status, json } = await callGateway(system.baseUrl, method, path, body, token);
  return { status, json };
}

/** A jackpot activates only after its first epochs are committed, which takes a moment. */
async function activate(instance: string): Promise<void> {
  for (;;) {
    const body = { status: 'Active', reason: 'test' };
    const answer = await call('POST', `/config/instances/${instance}/status`, body, admin);
    if (answer.status === 200) return;
    expect(answer.json.code).toBe('invalid_transition');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('administration of a running system', () => {
  let instance = '';

  it(
    'leads from an operator to a contribution, each step read back at once',
    async () => {
      const owners = [{ id: 'acme', name: 'Acme' }];
      expect((await call('POST', '/config/operators', owners, admin)).json.success).toEqual(['acme']);
      await call('POST', '/config/operators/acme/brands', [{ id: 'one', name: 'One' }], admin);
      const rates = { multipliers: { USD: '2' } };
      expect((await call('PUT', '/config/currencies/acme:one', rates, admin)).status).toBe(200);
      const sources = [{ owner_id: 'acme', source_id: source, source_name: 'Slot', jackpots: [] }];
      expect((await call('POST', '/config/sources', sources, admin)).json.succeeded).toEqual([source]);
      const template = (await call('GET', '/config/templates/demo/three-pots', undefined, admin)).json;
      const copy = { ...template, owner_id: 'acme', id: 'copy' };
      expect((await call('POST', '/config/templates', copy, admin)).status).toBe(201);
      const created = await call(
        'POST',
        '/config/instances',
        { template_owner_id: 'acme', template_id: 'copy', owner_id: 'acme', name: 'Mine' },
        admin,
      );
      expect(created).toMatchObject({ status: 201, json: { status: 'Pending' } });
      instance = created.json.id;
      const assignment = { owner_id: 'acme', source_id: [source], instance_id: instance };
      expect((await call('POST', '/config/sources/assign', assignment, admin)).status).toBe(204);
      await activate(instance);
      const path = `/v1/jackpot/instances/source/${encodeURIComponent(source)}/brand/acme:one`;
      expect((await call('GET', path)).json).toMatchObject({ id: instance, status: 'Active' });
      const user = { username: 'acme-service', password: 'a very long password' };
      await call(
        'POST',
        '/config/service-users',
        { ...user, operator_id: 'acme', brands: ['acme:one'] },
        admin,
      );
      const token = await loggedIn(`${system.baseUrl}/v1/auth/service`, user);
      const contribution = {
        ...{ token: 't', brand_id: 'one', player_id: 'p', player_country: 'DE' },
        ...{ base_wager: 10, currency: 'USD', idempotency_key: 'first' },
      };
      const contributions = `/v1/jackpot/sources/${encodeURIComponent(source)}/contributions`;
      const contributed = await call('POST', contributions, contribution, token);
      expect(contributed).toMatchObject({
        status: 200,
        json: { instance_id: instance, contribution_amount: 0.5 },
      });
      await call('PATCH', '/config/operators/acme', { enabled: false }, admin);
      expect((await call('POST', contributions, contribution, token)).json.code).toBe('owner_disabled');
      await call('PATCH', '/config/operators/acme', { enabled: true }, admin);
    },
    patienceMs,
  );

  it.each(['actors', 'gateway', 'nats-server'])(
    'goes on after kill -9 of %s, with everything that was there',
    async (role) => {
      const before = (await call('GET', `/config/instances/${instance}`, undefined, admin)).json;
      await system.kill(role);
      await system.ready();
      expect((await call('GET', `/config/instances/${instance}`, undefined, admin)).json).toEqual(before);
      const ticker = await call('GET', `/v1/jackpot/instances/${instance}/ticker`);
      expect(ticker.json).toMatchObject({ id: instance, status: 'Active', allowed_sources: [source] });
      const change = { name: `After ${role}` };
      expect((await call('PATCH', `/config/instances/${instance}`, change, admin)).status).toBe(204);
      const after = (await call('GET', `/config/instances/${instance}`, undefined, admin)).json;
      expect(after).toMatchObject({ ...change, version: before.version + 1 });
    },
    patienceMs,
  );
});
