import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  const instance = await createInstance(world, {});
  const sources = ['nothing', 'pending', 'open'].map((source_id) => ({
    owner_id: 'acme',
    source_name: source_id,
    source_id,
    jackpots: [],
  }));
  expect((await world.call('POST', '/config/sources', sources)).status).toBe(200);
  const bind = (source: string, to: string) =>
    world.call('POST', '/config/sources/assign', { owner_id: 'acme', source_id: [source], instance_id: to });
  expect((await bind('pending', instance)).status).toBe(204);
  const active = await createInstance(world, {});
  const change = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${active}/status`, change)).status).toBe(200);
  expect((await bind('open', active)).status).toBe(204);
});
afterAll(() => world.stop());

const contribute = async (source: string, base_wager: unknown) => {
  const token = await world.serviceToken('acme');
  const player = { token: 'session', brand_id: 'main', player_id: 'p', player_country: 'DE' };
  const body = { ...player, base_wager, currency: 'EUR' };
  return world.call('POST', `/v1/jackpot/sources/${source}/contributions`, body, { token });
};

it.each(['nothing', 'pending'])('is said of the source %s before the amount is judged', async (source) => {
  for (const wager of [1, -1, '0.000000001']) {
    expect(await contribute(source, wager)).toMatchObject({
      status: 404,
      json: { code: 'jackpot_not_found' },
    });
  }
});

it('is not said where a jackpot takes the contribution', async () => {
  expect((await contribute('open', 1)).status).toBe(200);
  expect(await contribute('open', -1)).toMatchObject({ status: 422, json: { code: 'amount_negative' } });
});
