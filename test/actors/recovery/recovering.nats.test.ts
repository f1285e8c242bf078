import { afterEach, beforeEach, expect, it } from 'vitest';
import { ActorHost } from '../../../src/actors/lane/actor-host.ts';
import type { ActorPorts } from '../../../src/actors/ports/actor-ports.ts';
import type { RecoveryReport } from '../../../src/actors/ports/recovery-report.ts';
import { querySubject } from '../../../src/log/base/names.ts';
import { encodeLaneQueryRequest } from '../../../src/messages/codec/codec.ts';
import { contribution } from '../../jackpot/support/commands.ts';
import { ActorWorld, lane } from '../actor-world.ts';

const otherLane = 1;
/** A restoration that nobody lets go on ends by itself: a loop that never turns could not be told to. */
const maxRestoreMs = 120_000;

let world: ActorWorld;
let host: ActorHost | null = null;

beforeEach(async () => {
  world = await ActorWorld.open();
});
afterEach(async () => {
  await host?.abort();
  host = null;
  await world.close();
});

async function leaveSnapshot(): Promise<number> {
  const first = await world.startHost('first');
  await world.owned(first);
  await world.activeInstance();
  for (let batch = 0; batch < 5; batch += 1) {
    const commands = Array.from({ length: 20 }, (_, index) =>
      contribution({ player: `player-${batch}-${index}` }),
    );
    await world.reply(await world.send(commands));
  }
  await first.stop();
  return world.log.lastCommand(lane);
}

it('a lane that restores for long keeps no other from serving, says so, and then serves too', async () => {
  await leaveSnapshot();
  const given = world.ports(world.log, world.bus);
  const reports: [number, RecoveryReport][] = [];
  let isHeld = true;
  const ports: ActorPorts = {
    ...given,
    monitor: {
      ...given.monitor,
      stopwatchSeconds: () => performance.now() / 1000,
      recovered: (of, report) => reports.push([of, report]),
    },
    engines: {
      ...given.engines,
      *restore(chunks) {
        const untilMs = performance.now() + maxRestoreMs;
        while (isHeld && performance.now() < untilMs) yield;
        return yield* given.engines.restore(chunks);
      },
    },
  };
  host = new ActorHost([lane, otherLane], ports, world.settings('second'));
  const started = host.start();
  const statusOf = (of: number) => host!.statuses().find((status) => status.lane === of)!;
  await world.until(() => statusOf(otherLane).ownership === 'owning', 'the other lane is owned');

  expect(isHeld && statusOf(lane).caughtUp).toBe(false);
  expect(host.reports()).toEqual([
    { lane, condition: 'starting', code: 'following' === statusOf(lane).ownership ? 'catching_up' : '' },
    { lane: otherLane, condition: 'serving', code: '' },
  ]);
  // Nobody answers for it yet: gateways ask again until their deadline.
  const question = encodeLaneQueryRequest({
    minSequence: 0,
    query: { kind: 'accounts', instance: 'jackpot' },
  });
  await expect(world.bus.request(querySubject(lane), question, 100)).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
  });
  expect(reports.map(([of]) => of)).toEqual([otherLane]);

  isHeld = false;
  await started;
  await world.until(() => host!.unready() === null && reports.length > 1, 'both lanes serve');
  expect(reports.map(([of]) => of)).toEqual([otherLane, lane]);
  expect(await world.query({ kind: 'accounts', instance: 'jackpot' })).toMatchObject({ kind: 'accounts' });
});

it('a replay reports what it did behind its snapshot', async () => {
  const last = await leaveSnapshot();
  const second = await world.startHost('second', { snapshotEveryMessages: 1_000_000 });
  await world.owned(second);
  for (let batch = 0; batch < 3; batch += 1)
    await world.reply(await world.send([contribution({ player: `later-${batch}` }), contribution({})]));
  await world.outcomesStored();
  await second.abort();
  const behind = (await world.log.lastCommand(lane)) - last;
  const given = world.ports(world.log, world.bus);
  const reports: RecoveryReport[] = [];
  const ports = {
    ...given,
    monitor: { ...given.monitor, recovered: (_: number, report: RecoveryReport) => reports.push(report) },
  };
  host = new ActorHost([lane], ports, world.settings('third'));
  await host.start();
  await world.until(() => reports.length > 0, 'the lane serves');
  expect(reports).toMatchObject([{ messages: behind }]);
  expect(reports[0]!.commands).toBeGreaterThanOrEqual(behind + 3);
});
