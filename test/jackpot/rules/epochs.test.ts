import { describe, expect, it } from 'vitest';
import { restoreLane } from '../../../src/jackpot/lane/lane.ts';
import { finish } from '../../../src/lib/turns.ts';
import type { EngineSettings } from '../../../src/messages/lane-commands.ts';
import { contribution, openEpoch, running, seedOf, setStatus } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { testHashing } from '../support/hashing.ts';
import { settings, TestLane } from '../support/lane.ts';
import { newLane } from '../support/new-lane.ts';

const tick = { kind: 'Tick', instance: 'jackpot' } as const;

function reveal(epoch: number, seed = seedOf('jackpot', epoch)) {
  return { kind: 'RevealEpoch', instance: 'jackpot', epoch, seed } as const;
}

function own(settings: EngineSettings | null) {
  return { kind: 'Own', term: 1, host: 'host', settings } as const;
}

function contributions(count: number) {
  return Array.from({ length: count }, () => contribution());
}

describe('a draw epoch', () => {
  it('has the length that the newest owner says, on every host that reads the log', () => {
    const lane = new TestLane({ epochSequences: 1000 });
    lane.apply(...running(threePots()));
    lane.apply(own({ epochMs: 1_000_000, epochSequences: 4 }), ...contributions(3));
    expect(lane.apply(contribution()).events).toMatchObject([
      { kind: 'EpochEnded', fromSequence: 1, toSequence: 4 },
      { kind: 'EpochStarted', epoch: 1 },
    ]);
    lane.apply(own(null));
    const restored = finish(restoreLane([...lane.engine.snapshot()], testHashing, settings));
    const replayed = newLane(settings);
    for (const message of lane.log) replayed.apply(message);
    lane.apply(...contributions(4));
    for (const engine of [restored, replayed]) {
      engine.apply(lane.log[lane.log.length - 1]!);
      expect(engine.epochs('jackpot')).toEqual(lane.engine.epochs('jackpot'));
      expect(engine.liveValues('jackpot')).toEqual(lane.engine.liveValues('jackpot'));
    }
    expect(lane.engine.epochs('jackpot')).toMatchObject([{ epoch: 0 }, { epoch: 1, state: 'ended' }, {}]);
  });

  it('ends at the first message boundary past its length; the next begins there', () => {
    const lane = new TestLane({ epochSequences: 5 });
    lane.apply(...running(threePots()));
    lane.apply(...contributions(4));
    const { events } = lane.apply(...contributions(3));
    expect(events).toMatchObject([
      { kind: 'EpochEnded', epoch: 0, fromSequence: 1, toSequence: 7 },
      { kind: 'EpochStarted', epoch: 1 },
    ]);
    expect(lane.engine.epochs('jackpot')).toMatchObject([
      { epoch: 0, state: 'ended', firstSequence: 1, lastSequence: 7, firstMessage: 2, lastMessage: 3 },
      { epoch: 1, state: 'running', firstSequence: 8 },
      { epoch: 2, state: 'committed' },
    ]);
    const started = events[1];
    expect(started?.kind === 'EpochStarted' && JSON.parse(started.header)).toMatchObject({
      first_seq: 8,
      epoch: 1,
    });
  });

  it('is revealed by the seed of its commit only', () => {
    const lane = new TestLane({ epochSequences: 1 });
    lane.apply(...running(threePots()));
    lane.apply(contribution());
    expect(lane.engine.epochTasks()).toMatchObject([
      { open: { epoch: 1, commit: [3] }, reveal: [{ epoch: 0, deadlineMs: lane.nowMs + 60_000 }] },
    ]);
    expect(lane.apply(reveal(0, new Uint8Array(32))).outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    expect(lane.apply(reveal(1)).outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    expect(lane.apply(reveal(0), openEpoch('jackpot', 1, [3])).events).toMatchObject([
      { kind: 'EpochRevealed', epoch: 0, seed: seedOf('jackpot', 0) },
    ]);
    expect(lane.engine.epochTasks()).toEqual([]);
  });

  it('that is not revealed in time pauses its instance; revealed, it may go on', () => {
    const lane = new TestLane({ epochSequences: 1 });
    lane.apply(...running(threePots()));
    lane.apply(contribution());
    expect(lane.engine.nextDeadline()?.atMs).toBe(lane.nowMs + 60_001);
    lane.nowMs += 60_000;
    lane.apply(tick);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_suspended' }]);
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    lane.apply(reveal(0));
    lane.apply(setStatus('Active'));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });

  it('runs on without the next commit, and pauses at twice its length', () => {
    const lane = new TestLane({ epochSequences: 4 });
    lane.apply(...running(threePots()));
    lane.apply(...contributions(4));
    lane.apply(reveal(0), ...contributions(4));
    lane.apply(reveal(1), ...contributions(7));
    expect(lane.engine.liveValues('jackpot')).toMatchObject({ status: 'Active', epoch: 2 });
    lane.apply(contribution());
    expect(lane.engine.liveValues('jackpot')).toMatchObject({ status: 'Paused', epoch: 2 });
    lane.apply(openEpoch('jackpot', 2, [3, 4]));
    expect(lane.engine.liveValues('jackpot')).toMatchObject({ status: 'Paused', epoch: 3 });
    lane.apply(setStatus('Active'));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });

  it('ends after its time, by a Tick where nothing happens', () => {
    const lane = new TestLane({ epochMs: 1000 });
    lane.apply(...running(threePots()));
    expect(lane.engine.nextDeadline()?.atMs).toBe(lane.nowMs + 1000);
    lane.nowMs += 999;
    lane.apply(tick);
    expect(lane.engine.liveValues('jackpot')?.epoch).toBe(1);
  });

  it('keeps a seed that was committed: another commit for it changes nothing', () => {
    const lane = new TestLane({ epochSequences: 1 });
    lane.apply(...running(threePots()));
    lane.apply(openEpoch('jackpot', 0, [0, 1, 2], 9));
    lane.apply(contribution());
    expect(lane.apply(reveal(0)).outcomes).toMatchObject([{ kind: 'Done' }]);
  });
});
