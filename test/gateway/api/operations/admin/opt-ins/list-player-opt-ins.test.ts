import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstance, furnish, startWorld, type World } from '../../../../support/administration.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await furnish(world);
});
afterAll(() => world.stop());

it("A26 gives all of a player's records, however many a lane has", async () => {
  const instance = await createInstance(world);
  const body = { player_id: 'ada', brand_id: 'acme:main', player_country: 'DE', opt_in: true };
  await world.call('POST', `/config/instances/${instance}/opt-in`, body);
  const engine = world.lanes[world.readModel.known(instance)!.lane]!;
  const [record] = engine.playerOptIns('acme:main', 'ada', 0, 1);
  const many = Array.from({ length: 1_234 }, (_, i) => ({ ...record!, instance: `i${i}` }));
  engine.playerOptIns = (_brand, _player, offset, limit) => many.slice(offset, offset + limit);
  const answer = await world.call('GET', '/config/players/ada/opt-ins?brand_id=acme:main');
  expect(new Set(answer.json.map((status: { instance_id: string }) => status.instance_id)).size).toBe(1_234);
});
