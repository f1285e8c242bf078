import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Engines } from '../../../src/actors/ports/actor-ports.ts';
import { halts, runbookOf } from '../../../src/contracts/lanes/halts.ts';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { decodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import { ActorWorld, lane } from '../actor-world.ts';
import { play } from '../audit/audit-world.ts';
import { placementOf, startPlacedHost } from '../placed-host.ts';

let world: ActorWorld;
beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(() => world.close());

/** Engines that book an atom more of each wager while `isWrong` says so. */
function planted(engines: Engines, isWrong: () => boolean): Engines {
  const altered = (engine: LaneEngine): LaneEngine =>
    new Proxy(engine, {
      get(target, name) {
        if (name === 'apply') {
          return ((message, recorder) => {
            const commands = message.commands.map((command) =>
              isWrong() && command.kind === 'Contribute'
                ? { ...command, baseWagerAtoms: command.baseWagerAtoms + 100_000_000n }
                : command,
            );
            return target.apply({ ...message, commands }, recorder);
          }) satisfies LaneEngine['apply'];
        }
        const member = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
  return {
    create: () => altered(engines.create()),
    *restore(chunks) {
      return altered(yield* engines.restore(chunks));
    },
  };
}

it('stops a standby whose state is not the owner’s, by name; the owner serves', async () => {
  const placement = placementOf('host-a', 'host-b');
  const { host: owner } = await startPlacedHost(world, placement.owner!);
  await world.until(() => owner.owns(lane), 'the first host owns the lane');
  await world.activeInstance();
  let isWrong = false;
  const { host: standby, snapshots } = await startPlacedHost(world, placement.standby!, {
    through: (engines) => planted(engines, () => isWrong),
  });
  await world.until(() => standby.status(lane)?.caughtUp === true, 'the standby is warm');
  await play(world, 12);
  expect(standby.status(lane)).toMatchObject({ halted: false });
  isWrong = true;
  await play(world, 1);
  // The owner has answered; the standby may be a moment behind.
  await world.until(() => standby.status(lane)?.halted === true, 'the standby stops');
  isWrong = false;
  expect(standby.status(lane)).toMatchObject({ stopped: 'standby_diverged', ownership: 'following' });
  const alarm = world.alarms.find((each) => each.startsWith('standby_diverged: '));
  expect(alarm).toMatch(/^standby_diverged: At sequence \d+ this host has the lane head [0-9a-f]{64}, and/);
  expect(alarm).toContain(`Runbook: ${runbookOf('standby_diverged')}`);
  expect(halts.standby_diverged.toDo).toContain('potstream audit');
  // The owner is as it was: it answers, and nobody else claims.
  await play(world, 12);
  expect(owner.status(lane)).toMatchObject({ ownership: 'owning', halted: false, term: 1 });
  expect(world.alarms.filter((each) => !each.startsWith('standby_diverged: '))).toEqual([]);
  // Whatever the standby kept is a state of OUT.
  for (const name of await snapshots.list(lane)) {
    const stored = await world.log.readOutcome(lane, name.sequence);
    const bytes = await snapshots.read(lane, name);
    const head = Buffer.from(decodeOutcomeRecord(stored!.bytes).laneHead);
    expect(Buffer.from(bytes!).includes(head)).toBe(true);
  }
});
