import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newInstance, template } from '../../../support/administration.ts';
import { furnishHouse, type House } from './house.ts';

/** What one administrator did alone on a running system, and what changes under an approval before it is executed. */
let house: House;
let one: string;
let another: string;
beforeEach(async () => {
  house = await furnishHouse();
  [one, another] = house.administrators.acme as [string, string];
});
afterEach(() => house.world.stop());

const call = (method: string, path: string, body?: unknown, token = one) =>
  house.world.call(method, path, body, { token });
const approve = (id: string, token = another) =>
  call('POST', `/config/approvals/${id}/approve`, undefined, token);
const totalOf = async (id: string) => (await call('GET', `/config/instances/${id}`)).json.total_contributions;
const activation = { status: 'Active', reason: 'go' };
const userOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')).sub;

it('nobody contributes ten million by hand alone, at once or in parts', async () => {
  const { instance } = house.things;
  const path = `/config/instances/${instance}/contributions`;
  const body = {
    player_id: 'ada',
    player_country: 'DE',
    brand_id: 'acme:main',
    token: 'session',
    currency: 'EUR',
  };
  expect((await call('POST', path, { ...body, base_wager: 10_000_000 })).status).toBe(202);
  const parts = await Promise.all(
    Array.from({ length: 12 }, () => call('POST', path, { ...body, base_wager: 10 })),
  );
  // The limit is 50.
  expect(parts.map(({ status }) => status).toSorted()).toEqual([
    ...new Array(5).fill(200),
    ...new Array(7).fill(202),
  ]);
  expect(await totalOf(instance)).toBe(5);
});

it('nobody activates alone what pays five million to the first player', async () => {
  const pot = {
    id: 'gold',
    contribution: { Percentage: 0.25 },
    seed_strategy: { initial_seed_value: 5_000_000 },
    pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.1' } }],
  };
  expect((await call('POST', '/config/templates', template('sure', { pots: [pot] }))).status).toBe(201);
  const made = await call('POST', '/config/instances', newInstance({ template_id: 'sure' }));
  expect(made.status).toBe(201);
  const clocked = newInstance({ template_id: 'sure', timestamp_start: Date.now() + 1 });
  expect((await call('POST', '/config/instances', clocked)).status).toBe(202);
  expect((await call('POST', `/config/instances/${made.json.id}/status`, activation)).status).toBe(202);
  expect((await call('GET', `/config/instances/${made.json.id}`)).json.status).toBe('Pending');
});

it('nobody sets a seed of a million, or a price of 500, alone', async () => {
  const { instance } = house.things;
  const seed = { adjustment: 1_000_000, reason: 'why' };
  expect((await call('PUT', `/config/instances/${instance}/pots/gold/seed-value`, seed)).status).toBe(202);
  const reseed = { pots: [{ id: 'gold', seed_strategy: { min_reseed_value: 1_000_000 } }] };
  const price = { contribution_rules: { contribution_type: { Fixed: 500 } } };
  for (const overrides of [reseed, price]) {
    const changed = await call('PUT', `/config/instances/${instance}/parameters`, {
      overrides,
      reason: 'why',
    });
    expect(changed.status).toBe(202);
  }
});

it('an activation is approved for the configuration that there was', async () => {
  const { pending } = house.things;
  const path = `/config/instances/${pending}`;
  const { json } = await call('POST', `${path}/status`, activation);
  const overrides = { contribution_rules: { contribution_type: { Fixed: 500 } } };
  expect((await call('PUT', `${path}/parameters`, { overrides, reason: 'mine alone' })).status).toBe(200);
  expect((await approve(json.id)).json.code).toBe('version_conflict');
  expect((await call('GET', path)).json.status).toBe('Pending');
  const again = await call('POST', `${path}/status`, activation);
  expect((await approve(again.json.id)).json.state).toBe('executed');
  expect((await call('GET', path)).json.status).toBe('Active');
});

it('a model switch is approved for the target that there was', async () => {
  const { instance, target } = house.things;
  const execution = {
    source_instance_id: instance,
    target_instance_id: target,
    user_id: userOf(one),
    transfer_optins: false,
    pot_rules: ['gold', 'silver'].map((pot) => ({ source_pot: pot, target_pot: { [pot]: '1' } })),
    reason: 'why',
  };
  const { json } = await call('POST', '/config/model-switch/execute', execution);
  const overrides = { contribution_rules: { contribution_type: { Fixed: 500 } } };
  const path = `/config/instances/${target}/parameters`;
  expect((await call('PUT', path, { overrides, reason: 'mine alone' })).status).toBe(200);
  expect((await approve(json.id)).json.code).toBe('version_conflict');
  expect((await call('GET', `/config/instances/${instance}`)).json.status).toBe('Active');
});

describe('what waits is made of the template that was proposed', () => {
  const twice = { name: 'Twice', timestamp_start: Date.now() + 3_600_000 };
  const proposals: readonly [what: string, path: string, body: () => object][] = [
    ['an instance with a clock', '/config/instances', () => newInstance({ template_id: 'two', ...twice })],
    [
      'the target of a switch',
      '/config/model-switch/preview',
      () => ({
        source_instance_id: house.things.instance,
        template_owner_id: 'acme',
        template_id: 'two',
        target_instance_owner_id: 'acme',
        target_instance_name: 'Twice',
        pot_rules: ['gold', 'silver'].map((pot) => ({ source_pot: pot, target_pot: { [pot]: '1' } })),
        transfer_optins: false,
        reason: 'why',
        dry_run: false,
      }),
    ],
  ];
  const made = async () =>
    (await call('GET', '/config/instances?name=Twice')).json.map(
      ({ contribution_rules }: never) => contribution_rules,
    );
  const dear = { contribution_rules: { contribution_type: { Fixed: 500 } } };
  const change = (body: object, token = one) => call('PATCH', '/config/templates/acme/two', body, token);

  it.each(proposals)('%s', async (_what, path, body) => {
    const { json } = await call('POST', path, body());
    expect(json).toMatchObject({ state: 'open', template_version: 1 });
    expect((await change(dear)).status).toBe(200);
    expect((await approve(json.id)).json.code).toBe('version_conflict');
    // Back to the same text is another version, too.
    const { json: second } = await call('POST', path, body());
    expect(second.template_version).toBe(2);
    await change({ contribution_rules: { contribution_type: { Fixed: 1 } } });
    await change(dear);
    expect((await approve(second.id)).json.code).toBe('version_conflict');
    const { json: third } = await call('POST', path, body());
    expect((await change({ retired: true })).status).toBe(200);
    expect((await approve(third.id)).json.code).toBe('template_retired');
    expect(await made()).toEqual([]);
    await change({ retired: false });
    const { json: last } = await call('POST', path, body());
    expect((await approve(last.id)).json.state).toBe('executed');
    expect(await made()).toEqual([expect.objectContaining({ contribution_type: { Fixed: 500 } })]);
  });

  it.each(proposals)('%s, of a proposal by the release before', async (_what, path, body) => {
    const { json: old } = await call('POST', path, body());
    const { json: other } = await call('POST', path, body());
    for (const { id } of [old, other]) await withoutFences(id);
    const listed = (await call('GET', '/config/approvals')).json as { readonly id: string }[];
    expect(listed.find(({ id }) => id === other.id)).toMatchObject({ template_version: null });
    expect((await approve(old.id)).json.state).toBe('executed');
    await change(dear);
    expect((await approve(other.id)).json.code).toBe('version_conflict');
    expect(await made()).toHaveLength(1);
  });
});

/** A proposal as it was stored before it named what it was made of. */
async function withoutFences(id: string): Promise<void> {
  const { approvals } = house.world;
  const key = (await approvals.keys()).find((each) => each.includes(id))!;
  const { value, revision } = (await approvals.get(key))!;
  const stored = JSON.parse(Buffer.from(value).toString('utf8'));
  await approvals.put(key, Buffer.from(JSON.stringify({ ...stored, fences: {} })), revision);
}

it('a seed that has risen since it was read does not fall alone', async () => {
  const { world, things } = house;
  const path = `/config/instances/${things.instance}/pots/gold/seed-value`;
  expect((await call('PUT', path, { adjustment: 10, reason: 'up' })).status).toBe(204);
  const { query } = world.context.lanes;
  // The gateway asks, and then another administrator is faster.
  Object.assign(world.context.lanes, {
    async query(...asked: Parameters<typeof query>) {
      const answered = await query(...asked);
      if (asked[1].kind !== 'instances' || answered.kind !== 'instances') return answered;
      return {
        ...answered,
        instances: answered.instances.map((each) => ({
          ...each,
          pots: each.pots.map((pot) => ({ ...pot, seedAtoms: 0n })),
        })),
      };
    },
  });
  expect((await call('PUT', path, { adjustment: 9, reason: 'down' })).status).toBe(202);
  Object.assign(world.context.lanes, { query });
  expect((await call('GET', `/config/instances/${things.instance}`)).json.pots[0].seed_value).toBe(10);
});

it('an address for a diversion needs a registered origin and the role security', async () => {
  const { world } = house;
  const diverting = (endpoint: string) => ({
    house_pot: {
      contribution_type: { Percentage: 0.1 },
      diversion_rules: {
        target: { External: { endpoint, account_id: 'mine' } },
        diversion_percentage: 1,
      },
    },
  });
  const configurator = await world.token(['config'], ['acme']);
  const registered = diverting('https://bank.example/in');
  const unknown = diverting('https://mine.example/in');
  const parameters = `/config/instances/${house.things.instance}/parameters`;
  for (const [path, method, body] of [
    ['/config/templates', 'POST', (more: Record<string, unknown>) => template('diverting', more)],
    ['/config/templates/acme/two', 'PATCH', (more: Record<string, unknown>) => more],
    ['/config/instances', 'POST', (overrides: object) => newInstance({ overrides })],
    [parameters, 'PUT', (overrides: object) => ({ overrides, reason: 'why' })],
  ] as const) {
    const alone = await call(method, path, body(registered), configurator);
    expect([path, alone.status, alone.json.code]).toEqual([path, 403, 'forbidden']);
    const elsewhere = await call(method, path, body(unknown));
    expect([path, elsewhere.status, elsewhere.json.code]).toEqual([path, 422, 'endpoint_not_allowed']);
  }
  // The template's address was judged when it was made; an approver needs the role for a new one, too.
  expect((await call('POST', '/config/templates', template('diverting', registered))).status).toBe(201);
  const made = newInstance({ template_id: 'diverting' });
  expect((await call('POST', '/config/instances', made, configurator)).status).toBe(202);
  const { json } = await call('PUT', parameters, { overrides: registered, reason: 'why' });
  expect((await approve(json.id, configurator)).json.code).toBe('forbidden');
});

it.each([
  '',
  '{',
  '{"v":1,"name":"Acme"}',
  '{"v":1,"name":"A","enabled":true,"created_timestamp":1,"four_eyes":{}}',
])('an operator whose entry does not read has the rule, without a limit: %j', async (text) => {
  const { world, things } = house;
  const entry = await world.table.get('operator.acme');
  const rule = world.table.get;
  Object.assign(world.table, {
    get: async (key: string) =>
      key === 'operator.acme' ? { ...entry!, value: Buffer.from(text) } : rule(key),
  });
  const path = `/config/instances/${things.instance}/pots/gold/current-value`;
  expect((await call('PUT', path, { adjustment: 101, reason: 'why' })).status).toBe(202);
});
