import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
  await createInstance(world);
});
afterAll(() => world.stop());

it('A19 takes limit 0 and answers with nothing; other lists refuse it', async () => {
  expect(await world.call('GET', '/config/instances?limit=0')).toMatchObject({ status: 200, json: [] });
  expect((await world.call('GET', '/config/instances?limit=1')).json).toHaveLength(1);
  for (const path of ['/config/sources', '/config/segments?brand_id=acme', '/config/operators'])
    expect((await world.call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=0`)).status).toBe(400);
});
