import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
let instance = '';

beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  instance = await createInstance(world);
  const brands = {
    overrides: { contribution_rules: { allowed_brands: ['acme:main', 'acme:vip', 'rival:main'] } },
  };
  instance = await createInstance(world, brands);
  for (let i = 0; i < 60; i += 1) {
    // Every third one is a player of vip.
    const brand = i % 3 === 2 ? 'acme:vip' : i % 3 === 1 ? 'rival:main' : 'acme:main';
    const body = { player_id: `p${i}`, brand_id: brand, player_country: 'DE', opt_in: i % 2 === 0 };
    const answer = await world.call('POST', `/config/instances/${instance}/opt-in`, body);
    expect(answer.status, answer.text).toBe(204);
  }
});
afterAll(() => world.stop());

const page = async (token: string, query: string): Promise<string[]> => {
  const path = `/config/instances/${instance}/opt-ins${query}`;
  const { json } = await world.call('GET', path, undefined, { token });
  return json.map((status: { player_id: string }) => status.player_id);
};

it('A33 leaves out players of others before it counts a page', async () => {
  const token = await world.token(['viewer'], ['acme']);
  const everything = await page(token, '?limit=500');
  expect(everything).toHaveLength(40);
  expect(everything.some((player) => player.startsWith('rival:'))).toBe(false);
  const pages = [await page(token, '?limit=30'), await page(token, '?limit=30&page=1')];
  expect(pages.map(({ length }) => length)).toEqual([30, 10]);
  expect(pages.flat()).toEqual(everything);
  expect(await page(token, '?limit=500&opted_in=true')).toHaveLength(20);
  expect(await page(await world.token(['viewer'], ['*']), '?limit=500')).toHaveLength(60);
});
