import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LaneQuery } from '../../../../../../src/messages/queries.ts';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

const instances = 120;
const asked: LaneQuery[] = [];
let world: World;
beforeAll(async () => {
  world = await startWorld({ asking: (query) => asked.push(query) });
  await furnish(world);
  for (let index = 0; index < instances; index += 1)
    await createInstance(world, { name: `Jackpot ${index}` });
});
afterAll(() => world.stop());

it('A19 asks a lane for a few instances at a time, and for each of them once', async () => {
  asked.length = 0;
  const { json } = await world.call('GET', '/config/instances?limit=500&sort_field=created');
  expect(json).toHaveLength(instances);
  const slices = asked.flatMap((query) => (query.kind === 'instances' ? [query.ids] : []));
  expect(Math.max(...slices.map((ids) => ids.length))).toBeLessThanOrEqual(50);
  expect(slices.flat().toSorted()).toEqual(json.map(({ id }: { id: string }) => id).toSorted());
});

it('A19 asks for no instance that is not on its page', async () => {
  asked.length = 0;
  await world.call('GET', '/config/instances?limit=10&page=3&sort_field=name');
  expect(asked.flatMap((query) => (query.kind === 'instances' ? query.ids : []))).toHaveLength(10);
});

it('A19 shows an instance as A32 does, byte for byte', async () => {
  const [first] = (await world.call('GET', '/config/instances?limit=1')).json;
  const { text: page } = await world.call('GET', '/config/instances?limit=1');
  const { text: alone } = await world.call('GET', `/config/instances/${first.id}`);
  expect(page).toBe(`[${alone}]`);
});

it('A19 asks lanes for configurations that instances share', async () => {
  asked.length = 0;
  await world.call('GET', '/config/instances?limit=500');
  const questions = asked.filter(({ kind }) => kind === 'instances');
  expect(questions.length).toBeGreaterThan(0);
  for (const question of questions) expect(question).toMatchObject({ packed: true });
});
