import { describe, expect, it } from 'vitest';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { contribution, openEpoch, running, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { firstLane } from '../support/new-lane.ts';
import { drive, minuteMs, raffle } from '../support/raffle.ts';
import { onePot } from '../support/scenario.ts';

const dayMs = 86_400_000;
const tick = { kind: 'Tick', instance: 'jackpot' } as const;
const upgrade = { kind: 'UpgradeTo', version: 2 } as const;
const [paused, active] = [setStatus('Paused'), setStatus('Active')];

function laneOf(create?: typeof firstLane) {
  const lane = new TestLane({}, create);
  lane.apply(...running(onePot()));
  return { lane, groups: groupsOf(lane) };
}

/** What each group recorded: its details, or how many contributions. */
function groupsOf(lane: TestLane): unknown[] {
  const groups: unknown[] = [];
  const one = ({ details, firstSequence, records }: DrawGroup) =>
    details.length > 0 ? details : { contributions: records.length, from: firstSequence };
  lane.recorder = { group: (group) => groups.push(one(group)) };
  return groups;
}

function headers(lane: TestLane) {
  const all = lane.engine.epochs('jackpot')!.filter(({ header }) => header !== '');
  return all.map(({ header }) => JSON.parse(header));
}

/** The epoch that runs ends by its length. */
function nextDay(lane: TestLane): void {
  lane.nowMs += dayMs;
  lane.apply(tick);
}

const resume = (seq: number) => [{ type: 'resume', seq }];

describe('a resume', () => {
  it('is a record of its own between the contributions of its message', () => {
    const { lane, groups } = laneOf();
    const { outcomes } = lane.apply(contribution(), paused, active, contribution(), paused, active);
    expect(outcomes.map(({ kind }) => kind)).not.toContain('Refused');
    expect(groups).toEqual([
      { contributions: 1, from: 1 },
      resume(2),
      { contributions: 1, from: 3 },
      resume(4),
    ]);
  });

  it('moves the head, which the message says', () => {
    const { lane } = laneOf();
    const before = lane.engine.liveValues('jackpot')!.head;
    lane.apply(paused);
    expect(lane.engine.liveValues('jackpot')!.head).toEqual(before);
    const { instances } = lane.apply(active);
    expect(instances).toMatchObject([{ instance: 'jackpot', firstSequence: 1 }]);
    expect(instances[0]!.head).not.toEqual(before);
  });

  it('that is refused, and an activation, record nothing', () => {
    const { lane, groups } = laneOf();
    expect(lane.apply(active).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(groups).toEqual([]);
    expect(headers(lane)).toMatchObject([{ rules: 2, resumed: null, first_seq: 1 }]);
  });

  it('stands in the header of each later epoch, also of one that begins in a pause', () => {
    const { lane, groups } = laneOf();
    lane.apply(openEpoch('jackpot', 0, [3]), paused);
    const first = lane.apply(active).timestampMs;
    lane.apply(paused);
    lane.restart();
    nextDay(lane);
    const second = lane.apply(active).timestampMs;
    nextDay(lane);
    nextDay(lane);
    expect(headers(lane).map(({ resumed }) => resumed)).toEqual([null, first, second, second]);
    expect(groups).toEqual([resume(1), resume(2)]);
  });

  it('of a raffle is a record as any other; the beginning of its next round is none', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle()));
    const groups = groupsOf(lane);
    lane.apply(contribution(), paused, active);
    lane.nowMs += minuteMs;
    drive(lane);
    lane.apply(contribution());
    expect(groups).toMatchObject([
      { contributions: 1, from: 1 },
      resume(2),
      [{ type: 'round', seq: 3 }],
      { contributions: 1, from: 4 },
    ]);
  });
});

describe('an epoch that began by the first rules', () => {
  const messages: readonly (readonly Command[])[] = [
    [upgrade],
    [contribution(), paused, active, contribution()],
    [paused],
    [active],
  ];

  it('ends by them, whatever version the lane has come to; the next one begins by the second', () => {
    const { lane, groups } = laneOf(firstLane);
    for (const commands of messages) lane.apply(...commands);
    lane.restart();
    lane.apply(contribution());
    nextDay(lane);
    lane.apply(paused);
    const resumed = lane.apply(active).timestampMs;
    nextDay(lane);
    // The run of contributions ends at a resume in either case.
    expect(groups).toEqual([
      { contributions: 1, from: 1 },
      { contributions: 1, from: 2 },
      { contributions: 1, from: 3 },
      resume(4),
    ]);
    const [old, ...later] = headers(lane);
    expect(old).not.toHaveProperty('rules');
    expect(old).not.toHaveProperty('resumed');
    expect(later).toMatchObject([
      { rules: 2, resumed: null, first_seq: 4 },
      { rules: 2, resumed, first_seq: 5 },
    ]);
  });

  it('may be upgraded between the contributions of a message', () => {
    const { lane, groups } = laneOf(firstLane);
    lane.apply(contribution(), upgrade, paused, active, contribution());
    expect(groups).toEqual([
      { contributions: 1, from: 1 },
      { contributions: 1, from: 2 },
    ]);
    expect(lane.replayed().liveValues('jackpot')).toEqual(lane.engine.liveValues('jackpot'));
  });
});

describe('a lane of the first version', () => {
  it('records no resume, and its headers name no rules', () => {
    const { lane, groups } = laneOf(firstLane);
    lane.apply(contribution(), paused, active, contribution());
    nextDay(lane);
    expect(groups).toEqual([{ contributions: 2, from: 1 }]);
    for (const header of headers(lane)) expect(header).not.toHaveProperty('rules');
  });
});
