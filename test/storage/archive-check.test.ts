import { expect, it } from 'vitest';
import type { ArchivedMessage } from '../../src/log/archive/segment.ts';
import type { IndexedSegment, SegmentIndex } from '../../src/log/archive/segment-index.ts';
import { ArchiveCheck } from '../../src/storage/archive-check.ts';

const lane = 3;

function message(sequence: number): ArchivedMessage {
  const bytes = (text: string): Uint8Array => Buffer.from(`${text} ${sequence}`);
  const common = { lane, sequence, timestampMs: 1_000 + sequence };
  return {
    command: { ...common, channel: 'batch', bytes: bytes('command') },
    outcome: { ...common, bytes: bytes('outcome') },
  };
}

/** Streams of the messages from `first` to `last`, and an archive of these segments. */
function lanesWith(first: number, last: number, segments: readonly (readonly ArchivedMessage[])[]) {
  const reads: number[] = [];
  const stored = Array.from({ length: last - first + 1 }, (_, at) => message(first + at));
  const from = <T extends { sequence: number }>(all: readonly T[], start: number): T[] =>
    all.filter(({ sequence }) => sequence >= start).slice(0, 4);
  const indexed = segments.map((messages) => ({
    ...{ first: messages[0]!.command.sequence, last: messages.at(-1)!.command.sequence },
    ...{ messages, storedBytes: 10 },
  }));
  const index = {
    find: (_: number, sequence: number) =>
      indexed.find((each) => each.first <= sequence && sequence <= each.last) ?? null,
    lastSequence: () => indexed.at(-1)?.last ?? 0,
    messages: async (segment: IndexedSegment) => {
      reads.push(segment.first);
      return (segment as IndexedSegment & { messages: readonly ArchivedMessage[] }).messages;
    },
  } as unknown as SegmentIndex;
  const log = {
    readCommands: async (_: number, start: number) =>
      from(
        stored.map(({ command }) => command),
        start,
      ),
    readOutcomes: async (_: number, start: number) =>
      from(
        stored.map(({ outcome }) => outcome),
        start,
      ),
  };
  return { reads, check: new ArchiveCheck(lane, { log, index, worked: async () => {} }) };
}

const range = (first: number, last: number): ArchivedMessage[] =>
  Array.from({ length: last - first + 1 }, (_, at) => message(first + at));

it('finds what the archive has, once', async () => {
  const { check, reads } = lanesWith(3, 30, [range(1, 10), range(11, 20)]);
  await check.advance(3, 15);
  expect([check.checkedTo, reads]).toEqual([15, [1, 11]]);
  await check.advance(3, 15);
  expect(reads).toEqual([1, 11]);
  await check.advance(3, 30);
  expect([check.checkedTo, reads]).toEqual([20, [1, 11, 11]]);
});

const forged = (change: (message: ArchivedMessage) => ArchivedMessage): ArchivedMessage[] =>
  range(1, 10).map((each) => (each.command.sequence === 7 ? change(each) : each));

it.each<[what: string, segment: ArchivedMessage[]]>([
  [
    'another command',
    forged((each) => ({ ...each, command: { ...each.command, bytes: Buffer.from('command 8') } })),
  ],
  ['another channel', forged((each) => ({ ...each, command: { ...each.command, channel: 'control' } }))],
  ['another time', forged((each) => ({ ...each, command: { ...each.command, timestampMs: 9 } }))],
  [
    'another outcome',
    forged((each) => ({ ...each, outcome: { ...each.outcome, bytes: Buffer.from('outcome 8') } })),
  ],
  ['another order', forged((each) => ({ ...each, command: message(8).command }))],
  ['fewer messages than it says', range(1, 10).filter(({ command }) => command.sequence !== 7)],
])('goes no further than where a segment has %s', async (_, segment) => {
  const { check } = lanesWith(1, 30, [segment, range(11, 20)]);
  await expect(check.advance(1, 20)).rejects.toMatchObject({
    name: 'LogError',
    code: 'corrupt',
    retryable: false,
  });
  expect(check.checkedTo).toBeLessThan(7);
});

it('goes no further than where the archive has a gap, or the streams have one', async () => {
  const gap = lanesWith(1, 30, [range(1, 5), range(8, 20)]);
  await expect(gap.check.advance(1, 20)).rejects.toMatchObject({ code: 'corrupt' });
  expect(gap.check.checkedTo).toBe(5);
  const short = lanesWith(1, 8, [range(1, 20)]);
  await expect(short.check.advance(1, 20)).rejects.toMatchObject({ code: 'corrupt' });
  expect(short.check.checkedTo).toBe(0);
});
