import { afterAll, beforeAll, expect, it } from 'vitest';
import { cursorOf } from '../../../../../../src/contracts/fields/lists.ts';
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

it('A33 says how many there are, and goes on behind a player whatever changes meanwhile', async () => {
  const token = await world.token(['viewer'], ['acme']);
  const ask = async (query: string) => {
    const path = `/config/instances/${instance}/opt-ins?limit=7${query}`;
    const { headers, json } = await world.call('GET', path, undefined, { token });
    return {
      players: json.map((status: { player_id: string }) => status.player_id) as string[],
      total: headers.get('x-total-count'),
      cursor: headers.get('x-next-cursor'),
    };
  };
  const everything = await page(token, '?limit=500&opted_in=true');
  const first = await ask('&opted_in=true');
  expect(first.total).toBe('20');
  // One that was shown leaves the list: numbers of pages would now leave out another.
  const gone = { player_id: 'p0', brand_id: 'acme:main', player_country: 'DE', opt_in: false };
  expect((await world.call('POST', `/config/instances/${instance}/opt-in`, gone)).status).toBe(204);
  const walked = [...first.players];
  for (let { cursor } = first; cursor !== null; ) {
    const next = await ask(`&opted_in=true&cursor=${cursor}`);
    expect(next.total).toBeNull();
    walked.push(...next.players);
    cursor = next.cursor;
  }
  expect(walked).toEqual(everything);
  expect(await ask('&page=1')).toMatchObject({ total: null });
  const odd = cursorOf({ field: 'joined', direction: 1 }, { value: 'p0', tie: '' });
  const refused = await world.call('GET', `/config/instances/${instance}/opt-ins?cursor=${odd}`);
  expect(refused.json.code).toBe('invalid_parameter');
});
