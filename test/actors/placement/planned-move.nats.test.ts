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
  // The last moment at which it had surely not caught up: this process may be stopped between two looks.
  let behindMs = performance.now();
  const { host: second } = await startPlacedHost(world, placement.owner!);
  const caughtUp = (): boolean => {
    const nowMs = performance.now();
    const isSo = second.status(lane)?.caughtUp === true;
    if (!isSo) behindMs = nowMs;
    return isSo;
  };
  await world.until(caughtUp, 'the second host has caught up');
  await world.until(() => second.owns(lane), 'the second host owns the lane');
  // Polls are counted, twenty a second: the first one may come as soon as it has caught up.
  expect(performance.now() - behindMs).toBeGreaterThan(warmAfterMs - 150);
  await world.until(() => !first.owns(lane), 'the first host has read of it');
});

it('shows both hosts and the move to whoever asks the owner of the lane', async () => {
  const placement = placementOf('host-a', 'host-b');
  const { host: first } = await startPlacedHost(world, placement.standby!);
  await world.until(() => first.owns(lane), 'the first host owns the lane');
  const { host: second } = await startPlacedHost(world, placement.owner!);
  await world.until(() => second.owns(lane), 'the second host owns the lane');
  const shown = async () => {
    const answer = await world.query({ kind: 'placement' });
    if (answer.kind !== 'placement') throw new Error(answer.kind);
    const { lanes, hosts, changes } = answer.view;
    const { owner, standby, isStandbyWarm, condition, head } = lanes[lane]!;
    const moved = changes.map(({ from, to }) => [from, to]);
    const ids = hosts.map(({ id }) => id).sort();
    const isKnown = answer.ends[lane]! > 0 && head !== null;
    return { owner, standby, isStandbyWarm, condition, ids, moved, isKnown };
  };
  await expect.poll(shown, { timeout: 30_000 }).toEqual({
    ...{ owner: placement.owner, standby: placement.standby, isStandbyWarm: true, condition: 'serving' },
    ...{ ids: ['host-a', 'host-b'], moved: [[placement.standby, placement.owner]], isKnown: true },
  });
});

it('an order that the owner of a lane is asked to write moves the lane, and is taken back', async () => {
  const placement = placementOf('host-a', 'host-b');
  const { host: first } = await startPlacedHost(world, placement.owner!);
  await world.until(() => first.owns(lane), 'the first host owns the lane');
  const { host: second } = await startPlacedHost(world, placement.standby!);
  await world.until(() => second.status(lane)?.caughtUp === true, 'the second host has caught up');
  const order = (host: string | null) =>
    world.query({ kind: 'placement_order', order: { kind: 'move', lane, host } });
  expect(await order(placement.standby)).toEqual({ kind: 'placement_order' });
  await world.until(() => second.owns(lane), 'the second host owns the lane');
  expect(await order(null)).toEqual({ kind: 'placement_order' });
  await world.until(() => first.owns(lane), 'the first host owns the lane again');
  await world.query({
    kind: 'placement_order',
    order: { kind: 'drain', host: placement.owner!, isDrained: true },
  });
  await world.until(() => second.owns(lane), 'the drained host owns nothing');
});
