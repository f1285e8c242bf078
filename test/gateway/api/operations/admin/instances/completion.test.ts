import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

const lifeMs = 60_000;

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

/** An instance that resolves with an initial seed of 200 in its pots. */
async function resolving(): Promise<string> {
  const id = await createInstance(world, { timestamp_end: Date.now() + lifeMs });
  const active = await world.call('POST', `/config/instances/${id}/status`, {
    status: 'Active',
    reason: 'go',
  });
  expect(active.status, active.text).toBe(200);
  world.apply(world.readModel.known(id)!.lane, { kind: 'Tick', instance: id }, lifeMs);
  return id;
}

const complete = (id: string, to: unknown, options = {}) =>
  world.call('POST', `/config/instances/${id}/status`, { status: 'Completed', reason: 'over', to }, options);

it('is asked for with the instance that takes the balances', async () => {
  const id = await resolving();
  const heir = await createInstance(world);
  expect(await complete(id, null)).toMatchObject({ status: 422, json: { code: 'invalid_transition' } });
  expect(await complete(id, 'unknown')).toMatchObject({ status: 404, json: { code: 'instance_not_found' } });
  expect(await complete(id, 5)).toMatchObject({ status: 400, json: { code: 'invalid_request' } });
  const apart = await createInstance(world, { group: 'acme:apart' });
  expect(await complete(id, apart)).toMatchObject({ status: 422, json: { code: 'group_mismatch' } });
  expect(await complete(id, heir)).toMatchObject({ status: 200, json: { status: 'Completed' } });
  const taken = (await world.call('GET', `/config/instances/${heir}`)).json;
  expect(taken.pots).toMatchObject([{ current_value: 100 }, { current_value: 100 }]);
});

it('never moves balances to an instance that the caller may not touch', async () => {
  const id = await resolving();
  const foreign = await createInstance(world, { owner_id: 'acme:vip', group: 'acme' });
  const token = await world.token(['config'], ['acme:main']);
  expect(await complete(id, foreign, { token })).toMatchObject({
    status: 404,
    json: { code: 'instance_not_found' },
  });
  const own = await createInstance(world, { owner_id: 'acme:main', group: 'acme' });
  expect(await complete(own, foreign, { token })).toMatchObject({
    status: 404,
    json: { code: 'instance_not_found' },
  });
});

it.each(['Paused', 'Resolving', 'Cancelled'])(
  'alone moves balances: %s with `to` changes nothing',
  async (status) => {
    const id = await createInstance(world);
    const heir = await createInstance(world);
    const active = await world.call('POST', `/config/instances/${id}/status`, {
      status: 'Active',
      reason: 'go',
    });
    const answer = await world.call('POST', `/config/instances/${id}/status`, {
      status,
      reason: 'x',
      to: heir,
    });
    expect(answer).toMatchObject({
      status: 400,
      json: { code: 'invalid_request', message: expect.stringContaining('Completed') },
    });
    const present = (await world.call('GET', `/config/instances/${id}`)).json;
    expect(present).toMatchObject({ status: 'Active', version: active.json.version });
  },
);
