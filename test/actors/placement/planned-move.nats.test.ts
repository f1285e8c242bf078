import { afterEach, beforeEach, expect, it } from 'vitest';
import { warmAfterMs } from '../../../src/actors/placement/claim-rule.ts';
import { ActorWorld, lane } from '../actor-world.ts';
import { placementOf, startPlacedHost } from '../placed-host.ts';

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

it('takes a lane from an owner that lives only after it has kept up with it for a while', async () => {
  const placement = placementOf('host-a', 'host-b');
  const { host: first } = await startPlacedHost(world, placement.standby!);
  await world.until(() => first.owns(lane), 'the first host owns the lane');
  await world.activeInstance();
  const { host: second } = await startPlacedHost(world, placement.owner!);
  await world.until(() => second.status(lane)?.caughtUp === true, 'the second host has caught up');
  const caughtUpMs = performance.now();
  await world.until(() => second.owns(lane), 'the second host owns the lane');
  // It may have caught up a moment before it was seen.
  expect(performance.now() - caughtUpMs).toBeGreaterThan(warmAfterMs - 150);
  expect(first.owns(lane)).toBe(false);
});
