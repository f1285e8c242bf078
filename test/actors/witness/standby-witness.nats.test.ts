import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemoryWitness } from '../../support/memory-witness.ts';
import { ActorWorld, lane } from '../actor-world.ts';
import { play } from '../audit/audit-world.ts';
import { placementOf, startPlacedHost } from '../placed-host.ts';

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

/** The owner alone would know better, and its machine may be the one that is gone. */
it('a host that has only followed the lane does not go on with an older copy of its log', async () => {
  const placement = placementOf('host-a', 'host-b');
  const [owners, followers] = [new MemoryWitness(), new MemoryWitness()];
  const first = await startPlacedHost(world, placement.owner!, { witness: owners, life: 'life-1' });
  await world.until(() => first.host.owns(lane), 'the first host owns the lane');
  await world.activeInstance();
  await first.stop();
  const backup = join(world.dataDirectory, 'backup');
  await world.onStoppedServer(() => cp(world.storeDirectory, backup, { recursive: true }));

  const owner = await startPlacedHost(world, placement.owner!, { witness: owners, life: 'life-2' });
  await world.until(() => owner.host.owns(lane), 'it owns the lane again');
  const standby = await startPlacedHost(world, placement.standby!, { witness: followers, life: 'life-1' });
  await world.until(() => standby.host.status(lane)?.caughtUp === true, 'the standby is warm');
  await play(world, 20);
  const last = await world.outcomesStored();
  const hasAll = () => standby.host.status(lane)!.appliedSequence >= last;
  await world.until(hasAll, 'the standby has applied it all');
  await standby.stop();
  const [head] = followers.heads(lane).slice(-1);
  expect(head?.sequence).toBeGreaterThanOrEqual(last);
  await owner.abort();

  await world.onStoppedServer(async () => {
    await rm(world.storeDirectory, { recursive: true });
    await cp(backup, world.storeDirectory, { recursive: true });
  });
  await rm(join(world.dataDirectory, placement.standby!), { recursive: true });
  const { host } = await startPlacedHost(world, placement.standby!, { witness: followers, life: 'life-2' });
  await world.until(() => host.status(lane)?.halted === true || host.owns(lane), 'a verdict');
  expect(host.status(lane)).toMatchObject({ stopped: 'log_behind_witness' });
});
