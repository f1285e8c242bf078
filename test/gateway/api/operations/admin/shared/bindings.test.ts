import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

/** An administrator of one brand binds what it may configure: not its sibling's, its operator's or a stranger's. */
let world: World;
let token = '';
const instances: Record<'own' | 'sibling' | 'operator' | 'foreign', string> = {
  own: '',
  sibling: '',
  operator: '',
  foreign: '',
};

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  token = await world.token(['config'], ['acme:main']);
  instances.own = await createInstance(world, { owner_id: 'acme:main' });
  instances.sibling = await createInstance(world, { owner_id: 'acme:vip' });
  instances.operator = await createInstance(world);
  const shared = { contribution_rules: { allowed_brands: ['rival:main', 'acme:main'] } };
  instances.foreign = await createInstance(world, { owner_id: 'rival', overrides: shared });
  await world.call('POST', '/config/segments', [{ owner_id: 'acme:main', id: 'gold', priority: 1 }]);
  const source = { owner_id: 'acme:main', source_id: 'own-slot', source_name: 'Own', jackpots: [] };
  await world.call('POST', '/config/sources', [source]);
});
afterAll(() => world.stop());

const routes = [
  ['/config/segments/assign', { segment_id: 'gold' }],
  ['/config/segments/remove', { segment_id: 'gold' }],
  ['/config/sources/assign', { source_id: ['own-slot'] }],
  ['/config/sources/remove', { source_id: ['own-slot'] }],
] as const;
const others = ['sibling', 'operator', 'foreign'] as const;

describe.each(routes)('POST %s', (path, what) => {
  const ask = (instance_id: string, bearer = token) =>
    world.call('POST', path, { owner_id: 'acme:main', instance_id, ...what }, { token: bearer });

  it.each(others)('answers about an instance of the %s as about a missing one', async (name) => {
    const before = world.commands.length;
    const [there, missing] = [await ask(instances[name]), await ask('missing')];
    expect(there).toMatchObject({ status: 404, json: { status_code: 404, code: 'instance_not_found' } });
    expect(there.text).toBe(missing.text);
    expect(world.commands).toHaveLength(before);
  });

  it('does it for the own instance', async () => {
    expect(await ask(instances.own)).toMatchObject({ status: 204 });
  });
});

describe.each([
  ['/config/segments', { id: 'bound', priority: 1 }],
  ['/config/sources', { source_id: 'bound', source_name: 'Bound' }],
])('POST %s', (path, what) => {
  it.each(others)('creates nothing that is bound to an instance of the %s', async (name) => {
    const owner = { sibling: 'acme:vip', operator: 'acme', foreign: 'rival' }[name];
    const jackpots = [{ priority: 1, owner_id: owner, instance_id: instances[name] }];
    const answer = await world.call('POST', path, [{ owner_id: 'acme:main', ...what, jackpots }], { token });
    expect(answer).toMatchObject({ status: 200, json: { succeeded: [], failed: ['bound'] } });
  });
});

it("an administrator of both operators binds one's shared jackpot to the other's source", async () => {
  const both = await world.token(['config'], ['acme', 'rival']);
  const body = { owner_id: 'acme:main', source_id: ['shared-slot'], instance_id: instances.foreign };
  const source = { owner_id: 'acme:main', source_id: 'shared-slot', source_name: 'Shared', jackpots: [] };
  expect((await world.call('POST', '/config/sources', [source], { token: both })).status).toBe(200);
  expect((await world.call('POST', '/config/sources/assign', body, { token: both })).status).toBe(204);
});
