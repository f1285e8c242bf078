import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createInstance,
  furnish,
  goldPot,
  startWorld,
  type World,
} from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

const hitAlways = [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.00000001' } }];

async function put(id: string, overrides: object) {
  const answer = await world.call('PUT', `/config/instances/${id}/parameters`, {
    overrides,
    reason: 'because',
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

it('a change that waits for a pot is not lost by a second one, and both bind at the next cycle', async () => {
  const pot = { ...goldPot, contribution: { Percentage: 1 }, pot_types: [{ External: {} }] };
  const id = await createInstance(world, {
    overrides: {
      house_pot: { contribution_type: { Percentage: 0 } },
      pots: [pot, { ...pot, id: 'silver', contribution: { Percentage: 0 } }],
    },
  });
  await world.call('POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
  const first = await put(id, { pots: [{ id: 'gold', seed_strategy: { min_reseed_value: '7' } }] });
  const second = await put(id, { pots: [{ id: 'gold', pot_types: [...hitAlways, { External: {} }] }] });
  expect([first.version, second.version]).toEqual([3, 4]);
  expect(second.pots[0]).toMatchObject({
    seed_strategy: { min_reseed_value: 100 },
    pot_types: [{ External: {} }],
  });
  const trigger = { brand_id: 'acme:main', player_id: 'p1', source_id: 'slot-1' };
  const won = await world.call('POST', `/config/instances/${id}/pots/gold/trigger`, trigger);
  expect(won.status, won.text).toBe(200);
  const bound = (await world.call('GET', `/config/instances/${id}`)).json;
  expect(bound).toMatchObject({ version: 4, pots: [{ instance_count: 2, current_value: 7 }, {}] });
  expect(bound.pots[0].seed_strategy).toMatchObject({ min_reseed_value: 7 });
  expect(bound.pots[0].pot_types).toHaveLength(2);
  expect(world.readModel.known(id)?.description.configuration).toMatchObject({
    pots: [{ seed_strategy: { min_reseed_value: '7' } }, {}],
  });
});

it('changes at the same moment without If-Match are all stored, and none undoes another', async () => {
  const id = await createInstance(world);
  const changes = [
    { pots: [{ id: 'gold', maximum_pot_value: '5000' }] },
    { pots: [{ id: 'silver', maximum_pot_value: '6000' }] },
    { win_selector_strategy: 'Highest' },
    { max_instantiation_count: 7 },
  ];
  await Promise.all(changes.map((overrides) => put(id, overrides)));
  expect((await world.call('GET', `/config/instances/${id}`)).json).toMatchObject({
    version: 5,
    win_selector_strategy: 'Highest',
    max_instantiation_count: 7,
    pots: [{ maximum_pot_value: '5000' }, { maximum_pot_value: '6000' }],
  });
});

it('of changes at the same moment that name one version one is stored', async () => {
  const id = await createInstance(world);
  const answers = await Promise.all(
    ['main', 'vip', 'main'].map((brand) =>
      world.call('DELETE', `/config/instances/${id}/brands/${brand}`, undefined, {
        headers: { 'If-Match': '1' },
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
  expect((await world.call('GET', `/config/instances/${id}`)).json.version).toBe(2);
});

it('what an instance is stays as it was created', async () => {
  const id = await createInstance(world);
  for (const overrides of [{ jackpot_type: 'Raffle' }, { currency: 'USD' }]) {
    const answer = await world.call('PUT', `/config/instances/${id}/parameters`, {
      overrides,
      reason: 'because',
    });
    expect(answer).toMatchObject({ status: 422, json: { code: 'config_invalid' } });
  }
});
