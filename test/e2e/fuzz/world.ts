import { callForText } from '../../support/call.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';
import type { Known } from './values.ts';

/** Two tenants with an object of every kind. What belongs to the second has this in its name, but for instances: those are public. */
export const canary = 'canary-of-another-tenant';

export interface World {
  /** Authorization by the credential of a request. */
  readonly tokens: Readonly<Record<'administrator' | 'service' | 'foreign' | 'broken', string>>;
  readonly known: Known;
  /** All instances of both tenants. */
  readonly instances: readonly string[];
  call(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; text: string }>;
  /** Makes the first tenant usable again after what a request may have done to it. */
  repair(): Promise<void>;
  /** Everything that an administrator sees of both tenants, as text: what a refused request must not change. */
  state(): Promise<string>;
}

const password = 'a long and good password';

export async function makeWorld(system: RunningSystem): Promise<World> {
  const call: World['call'] = async (method, path, body, token = '') => {
    const { status, text } = await callForText(system.baseUrl, method, path, body, token);
    return { status, text };
  };
  const json = async (...request: Parameters<World['call']>) => {
    const { status, text } = await call(...request);
    if (status >= 300) throw new Error(`${request[0]} ${request[1]}: ${status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  const root = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
  const three = await json('GET', '/config/templates/demo/three-pots', undefined, root);

  const tenant = async (id: string, mark: string): Promise<{ service: string; instances: string[] }> => {
    await json('POST', '/config/operators', [{ id, name: `${id} ${mark}` }], root);
    await json(
      'POST',
      `/config/operators/${id}/brands`,
      [
        { id: 'one', name: mark },
        { id: 'two', name: mark },
      ],
      root,
    );
    await json('POST', '/config/templates', { ...three, owner_id: id, id: 'fuzz', name: mark }, root);
    const instances: string[] = [];
    for (const name of ['first', 'second', 'third']) {
      const made = { template_owner_id: id, template_id: 'fuzz', owner_id: id, name };
      instances.push((await json('POST', '/config/instances', made, root)).id);
    }
    await json('POST', '/config/segments', [{ owner_id: id, id: 'gold', name: mark, priority: 1 }], root);
    const source = { owner_id: id, source_id: 'slot', source_name: mark, jackpots: [] };
    await json('POST', '/config/sources', [source], root);
    const assignment = { owner_id: id, source_id: ['slot'], instance_id: instances[0] };
    await json('POST', '/config/sources/assign', assignment, root);
    const user = { username: `${id}-service`, password };
    await json(
      'POST',
      '/config/service-users',
      { ...user, operator_id: id, brands: [`${id}:one`, `${id}:two`] },
      root,
    );
    await json(
      'POST',
      '/config/users',
      { username: `${id}-admin`, password, roles: allRoles, owners: [id] },
      root,
    );
    return { service: await loggedIn(`${system.baseUrl}/v1/auth/service`, user), instances };
  };
  const own = await tenant('fuzz', 'ours');
  const other = await tenant('other', canary);
  const activate = async (instance: string): Promise<void> => {
    for (;;) {
      const body = { status: 'Active', reason: 'fuzz' };
      const { status, text } = await call('POST', `/config/instances/${instance}/status`, body, root);
      if (status === 200) return;
      if (!text.includes('invalid_transition')) throw new Error(text);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  for (const instance of [...own.instances, ...other.instances]) await activate(instance);
  for (const [instance, token] of [
    [own.instances[0], own.service],
    [other.instances[0], other.service],
  ] as const) {
    const contribution = {
      token: 't',
      brand_id: 'one',
      player_id: 'player',
      player_country: 'DE',
      base_wager: 10,
      currency: 'EUR',
    };
    await json('POST', `/v1/jackpot/instances/${instance}/contributions`, contribution, token);
  }
  const administrator = await loggedIn(`${system.baseUrl}/auth/admin`, { username: 'fuzz-admin', password });
  const pot = three.pots[0].id as string;
  const owners = ['fuzz', 'fuzz:one', 'fuzz:two', 'other', 'other:one', 'nobody'];
  const brands = ['one', 'fuzz:one', 'fuzz:two', 'other:one', 'nobody'];
  const instances = [...own.instances, other.instances[0], 'missing'];
  const known: Known = {
    ...{
      operator_id: ['fuzz', 'other', 'nobody'],
      owner_id: owners,
      template_owner_id: ['fuzz', 'other'],
      brand_id: brands,
    },
    ...{
      instance_id: instances,
      instance_ids: instances,
      source_instance_id: instances,
      target_instance_id: instances,
    },
    ...{
      source_id: ['slot', 'missing'],
      segment_id: ['gold', 'missing'],
      segments: ['gold'],
      template_id: ['fuzz', 'missing'],
    },
    ...{
      pot_id: [pot, 'missing'],
      player_id: ['player', 'someone'],
      username: ['throwaway', 'missing'],
      game_code: ['g1'],
    },
    ...{
      currency: ['EUR', 'USD', 'XXX'],
      player_country: ['DE', 'US-NJ'],
      country_code: ['DE'],
      token: ['session'],
    },
    ...{
      roles: ['viewer', 'support'],
      owners: ['fuzz'],
      base_url: ['http://127.0.0.1:9'],
      epoch: ['1', '2'],
    },
  };
  const read = async (path: string) => (await call('GET', path, undefined, root)).text;
  return {
    tokens: {
      administrator,
      service: own.service,
      foreign: other.service,
      broken: `${own.service.slice(0, -4)}AAAA`,
    },
    known,
    instances: [...own.instances, ...other.instances],
    call,
    async repair() {
      // Draws that only signed-in callers may read would hide the sums from the last test.
      await json('PATCH', '/config/operators/fuzz', { enabled: true, fairness: 'public' }, root);
      for (const brand of ['one', 'two'])
        await json('PATCH', `/config/operators/fuzz/brands/${brand}`, { enabled: true }, root);
      for (const instance of own.instances)
        await call(
          'POST',
          `/config/instances/${instance}/status`,
          { status: 'Active', reason: 'fuzz' },
          root,
        );
    },
    async state() {
      const paths = [
        ...[
          'operators',
          'sources',
          'segments',
          'templates',
          'service-users',
          'users',
          'webhook-origins',
          'currencies',
        ].map((list) => `/config/${list}?limit=500`),
        ...[...own.instances, ...other.instances].map((instance) => `/config/instances/${instance}`),
        ...[...own.instances, ...other.instances].map(
          (instance) => `/config/instances/${instance}/opt-ins?limit=500`,
        ),
      ];
      return (await Promise.all(paths.map(async (path) => `${path} ${await read(path)}`))).join('\n');
    },
  };
}

const allRoles = ['viewer', 'support', 'config', 'finance', 'security', 'auditor', 'operations'];
