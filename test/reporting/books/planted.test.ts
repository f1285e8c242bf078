import { expect, it } from 'vitest';
import { decodeOutcomeRecord, encodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import { withLaneHead } from '../../../src/messages/codec/record-head.ts';
import type { OutcomeRecord } from '../../../src/messages/outcomes.ts';
import { BooksError } from '../../../src/reporting/books/books-error.ts';
import { contribution, running } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { startMs } from '../../jackpot/support/lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { booksOf } from './booked-totals.ts';
import { enginesOn, lane, RecordedLane } from './recorded-lane.ts';

const drawn = { pot_types: [{ HitRate: { max_magic_number: 4, cost_per_attempt: '1' } }] };
const recorded = new RecordedLane();
for (const instance of ['a', 'b']) recorded.apply(running(onePot(drawn), instance), startMs);
/** Two instances draw in it: its record names two keys. */
const both = ['a', 'b'].map((id) => contribution({ target: { type: 'instance', id } }));
const before = recorded.replica.laneHead;
const { command, outcome } = recorded.apply(both, startMs + 1);
const record = decodeOutcomeRecord(outcome.bytes);
const [first, second] = record.streamKeys as [Uint8Array, Uint8Array];
const flipped = first.map((byte, index) => (index === 7 ? byte ^ 1 : byte));
const { streamKeys: _, ...nameless } = record;

it('the record of a message names a key for each group that drew', () => {
  expect(record.streamKeys?.map((key) => key.length)).toEqual([32, 32]);
  expect(booked(outcome.bytes).postings.map(({ instance }) => instance)).toEqual(['a', 'b']);
});

it.each<readonly [string, OutcomeRecord]>([
  ['a wrong key', { ...record, streamKeys: [flipped, second] }],
  ['a swapped pair', { ...record, streamKeys: [second, first] }],
  ['a missing key', { ...record, streamKeys: [first] }],
  ['no keys', nameless],
  ['a key too many', { ...record, streamKeys: [first, second, first] }],
  ['a key that is none', { ...record, streamKeys: [first.subarray(0, 16), second] }],
  ['another outcome', { ...record, outcomes: [{ kind: 'Pending' }, record.outcomes[1]!] }],
  ['another time', { ...record, timestampMs: record.timestampMs + 1 }],
  ['another head of an instance', { ...record, instances: record.instances.toReversed() }],
])('%s is found, whether the lane head fits it or not', (_name, altered) => {
  const body = encodeOutcomeRecord({ ...altered, laneHead: new Uint8Array(0) });
  for (const head of [record.laneHead, testHashing.sha256(before, body)]) {
    const found = errorOf(withLaneHead(body, head));
    expect(found).toMatchObject({ code: 'books_differ', lane, sequence: command.sequence, retryable: false });
  }
});

it('another lane head is found, and named', () => {
  const found = errorOf(withLaneHead(outcome.bytes, new Uint8Array(32)));
  expect(found.message).toContain('another lane head');
});

function booked(bytes: Uint8Array) {
  const books = booksOf(lane, enginesOn);
  for (const each of recorded.messages.slice(0, -1)) books.apply(each.command, each.outcome);
  return books.apply(command, { ...outcome, bytes });
}

function errorOf(bytes: Uint8Array): BooksError {
  try {
    booked(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(BooksError);
    return error as BooksError;
  }
  throw new Error('nothing was found');
}
