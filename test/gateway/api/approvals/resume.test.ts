import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resumeRound } from '../../../../src/gateway/api/approvals/resume.ts';
import { PublicError } from '../../../../src/gateway/base/errors.ts';
import {
  createInstance,
  furnish,
  newInstance,
  registerOrigin,
  startWorld,
  template,
  type World,
} from '../../support/administration.ts';

/** Executions that broke off: before the change, after it, and with another change in between. */

let world: World;
let proposer: string;
let approver: string;
let instance: string;
let target: string;
/** Thrown by the next commands that reach a lane, before they do. */
let outage: PublicError | null;

beforeEach(async () => {
  outage = null;
  world = await startWorld({
    sending() {
      if (outage !== null) throw outage;
    },
  });
  await furnish(world);
  await registerOrigin(world, 'https://divert.example.com');
  await world.call('POST', '/config/templates', externalTemplate());
  instance = await createInstance(world, { template_id: 'external' });
  target = await createInstance(world, { template_id: 'external' });
  const active = { status: 'Active', reason: 'begin' };
  await world.call('POST', `/config/instances/${instance}/status`, active);
  await world.call('PUT', '/config/currencies/acme:main', { multipliers: { USD: '1.1' } });
  await world.access.createAdministrator({
    username: 'someone',
    password,
    roles: ['viewer'],
    owners: ['acme'],
  });
  await world.serviceUser('till', 'acme');
  proposer = await world.token();
  approver = await world.token();
  const rule = await world.call('PATCH', '/config/operators/acme', { four_eyes: { enabled: true } });
  if (rule.status !== 204) throw new Error(rule.text);
});
afterEach(() => world.stop());

interface Change {
  readonly method: string;
  readonly path: () => string;
  readonly body: (proposedBy: string) => object;
}

const diversion = {
  house_pot: {
    contribution_type: { Percentage: 0.1 },
    diversion_rules: {
      target: { External: { endpoint: 'https://divert.example.com', account_id: 'ours' } },
      diversion_percentage: 0.5,
    },
  },
};
const password = 'a long password';
const rules = [{ source_pot: 'gold', target_pot: { gold: '1' } }];

const changes: Readonly<Record<string, Change>> = {
  A22: {
    method: 'PUT',
    path: () => `/config/instances/${instance}/pots/gold/current-value`,
    body: () => ({ adjustment: 90, reason: 'why' }),
  },
  A28: {
    method: 'POST',
    path: () => '/config/model-switch/preview',
    body: () => ({
      source_instance_id: instance,
      template_owner_id: 'acme',
      template_id: 'external',
      target_instance_owner_id: 'acme',
      target_instance_name: 'Two',
      pot_rules: rules,
      transfer_optins: false,
      reason: 'why',
      dry_run: false,
    }),
  },
  A29: {
    method: 'POST',
    path: () => '/config/model-switch/execute',
    body: (user_id) => ({
      source_instance_id: instance,
      target_instance_id: target,
      user_id,
      transfer_optins: false,
      pot_rules: rules,
      reason: 'why',
    }),
  },
  A30: {
    method: 'POST',
    path: () => `/config/instances/${instance}/pots/gold/trigger`,
    body: () => ({ brand_id: 'acme:main', player_id: 'ada', source_id: 'slot-1' }),
  },
  wallet: {
    method: 'PUT',
    path: () => '/config/operators/acme/brands/main/wallet',
    body: () => ({
      base_url: 'https://wallet.example.com',
      bearer_key: 'a-bearer-key',
      hmac_secret: 'a secret that signs the calls',
      provider_id: 'potstream',
    }),
  },
  parameters: {
    method: 'PUT',
    path: () => `/config/instances/${instance}/parameters`,
    body: () => ({ overrides: diversion, reason: 'why' }),
  },
  'new instance': {
    method: 'POST',
    path: () => '/config/instances',
    body: () => newInstance({ overrides: diversion, name: 'Diverting' }),
  },
  activation: {
    method: 'POST',
    path: () => `/config/instances/${target}/status`,
    body: () => ({ status: 'Active', reason: 'go' }),
  },
  links: {
    method: 'PUT',
    path: () => `/config/instances/${instance}/links`,
    body: () => ({ instance_ids: [target] }),
  },
  'a brand less': {
    method: 'DELETE',
    path: () => `/config/instances/${instance}/brands/acme:vip`,
    body: () => ({}),
  },
  A5: {
    method: 'POST',
    path: () => '/config/operators/acme/brands',
    body: () => [{ id: 'new', name: 'New' }],
  },
  A8: {
    method: 'POST',
    path: () => '/config/segments',
    body: () => [
      {
        owner_id: 'acme',
        id: 'new',
        priority: 1,
        jackpots: [{ priority: 1, owner_id: 'acme', instance_id: instance }],
      },
    ],
  },
  A14: {
    method: 'POST',
    path: () => '/config/sources',
    body: () => [
      {
        owner_id: 'acme',
        source_id: 'new',
        source_name: 'New',
        jackpots: [{ priority: 1, owner_id: 'acme', instance_id: instance }],
      },
    ],
  },
  A16: {
    method: 'POST',
    path: () => '/config/sources/assign',
    body: () => ({ owner_id: 'acme', source_id: ['slot-1'], instance_id: instance }),
  },
  A24: {
    method: 'POST',
    path: () => `/config/instances/${instance}/opt-in`,
    body: () => ({ brand_id: 'acme:main', player_id: 'ada', player_country: 'DE', opt_in: true }),
  },
  A35: {
    method: 'POST',
    path: () => `/config/instances/${instance}/contributions`,
    body: () => ({
      brand_id: 'acme:main',
      player_id: 'ada',
      player_country: 'DE',
      token: 'session',
      base_wager: 1,
      currency: 'EUR',
    }),
  },
  'webhook origin': {
    method: 'POST',
    path: () => '/config/webhook-origins',
    body: () => ({ operator_id: 'acme', origin: 'https://new.example' }),
  },
  rates: {
    method: 'PUT',
    path: () => '/config/currencies/acme:main',
    body: () => ({ multipliers: { USD: '3' } }),
  },
  'new administrator': {
    method: 'POST',
    path: () => '/config/users',
    body: () => ({ username: 'new', password, roles: ['viewer'], owners: ['acme'] }),
  },
  administrator: {
    method: 'PATCH',
    path: () => '/config/users/someone',
    body: () => ({ password: 'another long password', roles: ['viewer', 'config'] }),
  },
  'new service user': {
    method: 'POST',
    path: () => '/config/service-users',
    body: () => ({ username: 'new', password, operator_id: 'acme' }),
  },
  'service user': {
    method: 'PATCH',
    path: () => '/config/service-users/till',
    body: () => ({ password: 'another long password', rights: ['cors'] }),
  },
  key: {
    method: 'POST',
    path: () => '/config/service-users/till/keys',
    body: () => ({ secret: 'a secret that signs requests' }),
  },
  rule: {
    method: 'PATCH',
    path: () => '/config/operators/acme',
    body: () => ({ four_eyes: { enabled: false }, name: 'Acme 2' }),
  },
};

describe.each(Object.entries(changes))('an approved change: %s', (_name, change) => {
  it('is made by another gateway if the first died before it', async () => {
    const before = await everything();
    const id = await propose(change);
    await edit(id, {
      state: 'approved',
      decided_by: await userOf(approver),
      decided: Date.now(),
      attempts: 1,
    });
    expect(await everything()).toEqual(before);
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'executed', attempts: 2, result: { code: null } });
    expect(await everything()).not.toEqual(before);
  });

  it('is not made twice if the first died after it', async () => {
    const id = await propose(change);
    expect((await approve(id)).status).toBe(200);
    const once = await everything();
    await edit(id, { state: 'approved', result: null, claimed_until: 0 });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'executed', attempts: 2, result: { code: null } });
    expect(await everything()).toEqual(once);
  });
});

describe('an approved change that another one overtook', () => {
  it.each([
    ['rates', () => world.call('PUT', '/config/currencies/acme:main', { multipliers: { USD: '3.1' } })],
    [
      'parameters',
      () => approvedParameters({ house_pot: { diversion_rules: { diversion_percentage: 0.4 } } }),
    ],
  ])('does not undo it: %s', async (name, overtake) => {
    const id = await propose(changes[name] as Change);
    expect((await approve(id)).status).toBe(200);
    expect((await overtake()).status).toBe(200);
    const now = await everything();
    await edit(id, { state: 'approved', result: null, claimed_until: 0 });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'refused', result: { code: 'version_conflict' } });
    expect(await everything()).toEqual(now);
  });
});

describe('approved new segments of which one was bound to another group meanwhile', () => {
  it('takes that one back', async () => {
    const apart = await createInstance(world, { group: 'acme:apart' });
    const id = await propose(changes.A8 as Change);
    const decided = {
      state: 'approved',
      decided_by: await userOf(approver),
      decided: Date.now(),
      attempts: 1,
    };
    const [item] = changes.A8!.body('') as [object];
    const bare = { ...changes.A8!, body: () => [{ ...item, jackpots: [] }] } as Change;
    const bound = { owner_id: 'acme', segment_id: 'new', instance_id: apart };
    const binding = { method: 'POST', path: () => '/config/segments/assign', body: () => bound };
    for (const change of [bare, binding]) expect((await approve(await propose(change))).status).toBe(200);
    await edit(id, decided);
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'executed', result: { code: null } });
    expect((await world.call('GET', '/config/segments')).text).not.toContain('"new"');
  });
});

describe('an approved change of an account', () => {
  const change = changes.administrator as Change;
  const disable = () => world.call('PATCH', '/config/users/someone', { enabled: false });

  it('does not enable what was disabled since', async () => {
    const id = await propose(changes.administrator as Change);
    expect((await approve(id)).status).toBe(200);
    expect((await disable()).status).toBe(200);
    const now = await everything();
    await edit(id, { state: 'approved', result: null, claimed_until: 0 });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'executed', result: { code: null } });
    expect(await everything()).toEqual(now);
  });

  it('is not made on top of a change that came after its first attempt', async () => {
    const id = await propose(change);
    const account = world.access.accounts.revision('administrator', 'someone');
    expect((await disable()).status).toBe(200);
    const now = await everything();
    const decided = {
      state: 'approved',
      decided_by: await userOf(approver),
      decided: Date.now(),
      attempts: 1,
    };
    await edit(id, { ...decided, fences: { account } });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'refused', result: { code: 'version_conflict' } });
    expect(await everything()).toEqual(now);
  });
});

describe('an execution without a certain result', () => {
  it('answers that, and goes on until it has one', async () => {
    const id = await propose(changes.A22 as Change);
    outage = new PublicError('storage_unavailable');
    const unknown = await approve(id);
    expect([unknown.status, unknown.json.code]).toEqual([504, 'outcome_unknown']);
    expect(await stored(id)).toMatchObject({ state: 'approved', attempts: 1 });
    await edit(id, { claimed_until: 0 });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'approved', attempts: 2 });
    outage = null;
    await edit(id, { claimed_until: 0 });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'executed', attempts: 3 });
  });

  it('is claimed by one gateway', async () => {
    const id = await propose(changes.A22 as Change);
    await edit(id, {
      state: 'approved',
      decided_by: await userOf(approver),
      decided: Date.now(),
      attempts: 1,
    });
    await Promise.all([resume(), resume(), resume()]);
    expect(await stored(id)).toMatchObject({ state: 'executed', attempts: 2 });
  });

  it('is given up after a day', async () => {
    const id = await propose(changes.A22 as Change);
    outage = new PublicError('storage_unavailable');
    await edit(id, {
      state: 'approved',
      decided_by: await userOf(approver),
      decided: Date.now() - 25 * 3_600_000,
      attempts: 9,
    });
    await resume();
    expect(await stored(id)).toMatchObject({ state: 'refused', result: { code: 'outcome_unknown' } });
  });
});

function externalTemplate() {
  const pot = {
    id: 'gold',
    contribution: { Percentage: 0.25 },
    seed_strategy: { initial_seed_value: 100, min_reseed_value: '100' },
    pot_types: [{ External: {} }],
  };
  return template('external', { pots: [pot] });
}

async function propose({ method, path, body }: Change): Promise<string> {
  const answer = await world.call(method, path(), body(await userOf(proposer)), { token: proposer });
  if (answer.status !== 202) throw new Error(`${answer.status} ${answer.text}`);
  return answer.json.id;
}

function approve(id: string) {
  return world.call('POST', `/config/approvals/${id}/approve`, undefined, { token: approver });
}

async function approvedParameters(overrides: object) {
  const path = () => `/config/instances/${instance}/parameters`;
  return approve(await propose({ method: 'PUT', path, body: () => ({ overrides, reason: 'why' }) }));
}

function resume(): Promise<void> {
  return resumeRound(world.context, (error) => {
    throw error;
  });
}

async function userOf(token: string): Promise<string> {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')).sub;
}

async function stored(id: string): Promise<object> {
  return JSON.parse(Buffer.from((await world.approvals.get(id))!.value).toString('utf8'));
}

async function edit(id: string, members: object): Promise<void> {
  const { revision } = (await world.approvals.get(id))!;
  const value = { ...(await stored(id)), ...members };
  await world.approvals.put(id, Buffer.from(JSON.stringify(value)), revision);
  await new Promise((resolve) => setImmediate(resolve));
}

/** The directory, the accounts and all instances with their values. */
async function everything(): Promise<unknown> {
  const instances = (await world.call('GET', '/config/instances?limit=500')).json;
  const directory = (await world.stored('directory')).map((text) => text.replace(/"updated":[0-9]+/, ''));
  const wallet = world.access.wallets.shown('acme:main')?.baseUrl;
  const users = (await world.stored('accounts')).filter((text) => text.includes('"username"'));
  const sources = world.readModel.lanes.sourcesOf(instance);
  const players = world.lanes.map((lane) => lane.optIns(instance, true, 0, 10)?.length);
  const bound = world.readModel.lanes.bindings('segment', 'acme', 'new');
  const stored = { directory: directory.toSorted(), wallet, users: users.toSorted() };
  return { instances, ...stored, sources, players, bound };
}
