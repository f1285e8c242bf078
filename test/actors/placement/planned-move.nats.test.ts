import { afterEach, beforeEach, expect, it } from 'vitest';
import { warmAfterMs } from '../../../src/actors/placement/claim-rule.ts';
import { ActorWorld, lane } from '../actor-world.ts';
import { placementOf, startPlacedHost } from '../placed-host.ts';

let world: ActorWorld;
let ends: (() => Promise<void>)[];
beforeEach(async () => {
  world = await ActorWorld.open();
  ends = [];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  await world.close();
});

async function startPlaced(hostId: string) {
  const placed = await startPlacedHost(world, hostId, {});
  ends.push(placed.abort);
  return placed;
}

it('takes a lane from an owner that lives only after it has kept up with it for a while', async () => {
  const placement = placementOf('host-a', 'host-b');
  const { host: first } = await startPlaced(placement.standby!);
  await world.until(() => first.owns(lane), 'the first host owns the lane');
  await world.activeInstance();
  const { host: second } = await startPlaced(placement.owner!);
  await world.until(() => second.status(lane)?.caughtUp === true, 'the second host has caught up');
  const caughtUpMs = performance.now();
  await world.until(() => second.owns(lane), 'the second host owns the lane');
  // It may have caught up a moment before it was seen.
  expect(performance.now() - caughtUpMs).toBeGreaterThan(warmAfterMs - 150);
  expect(first.owns(lane)).toBe(false);
});
