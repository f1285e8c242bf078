import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../support/administration.ts';

let world: World;
let instance: string;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  const contribution_rules = {
    allowed_brands: ['acme:main'],
    country_filters: { black_list: ['US-NJ'], white_list: ['DE', 'US'] },
  };
  instance = await createInstance(world, { overrides: { contribution_rules } });
  const change = { status: 'Active', reason: 'go' };
  expect((await world.call('POST', `/config/instances/${instance}/status`, change)).status).toBe(200);
});
afterAll(() => world.stop());

const contribute = async (brand_id: string, player_country: string, base_wager: unknown) => {
  const token = await world.serviceToken('acme');
  const body = { token: 'session', brand_id, player_id: 'p', player_country, base_wager, currency: 'EUR' };
  return world.call('POST', `/v1/jackpot/instances/${instance}/contributions`, body, { token });
};

it.each([
  ['vip', 'FR', 'brand_not_allowed'],
  ['main', 'FR', 'country_not_allowed'],
  ['main', 'US-NJ', 'country_not_allowed'],
  ['vip', 'XX', 'country_invalid'],
])('%s of %s is %s before the amount is judged', async (brand, country, code) => {
  for (const wager of [1, -1, '0.000000001']) {
    expect(await contribute(brand, country, wager)).toMatchObject({ status: 422, json: { code } });
  }
});

it('whoever is admitted is told of the amount', async () => {
  expect((await contribute('main', 'US-CA', 1)).status).toBe(200);
  expect(await contribute('main', 'US-CA', -1)).toMatchObject({
    status: 422,
    json: { code: 'amount_negative' },
  });
});
