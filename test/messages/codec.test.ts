import fc from 'fast-check';
import { expect, it } from 'vitest';
import { equalBytes } from '../../src/lib/bytes.ts';
import { winSizesOf } from '../../src/messages/announced-bytes.ts';
import * as codec from '../../src/messages/codec/codec.ts';
import { frameLive, frameStored, messageFormatVersion, unframeLive } from '../../src/messages/codec/frame.ts';
import { list } from '../../src/messages/codec/layout.ts';
import { packLiveValues, unpackLiveValues } from '../../src/messages/codec/live-values.ts';
import { liveValuesLayout } from '../../src/messages/codec/outcomes.ts';
import { decodeRecordedChanges } from '../../src/messages/codec/read-model-events.ts';
import { recordHead, withLaneHead } from '../../src/messages/codec/record-head.ts';
import { isReadModelEvent } from '../../src/messages/events.ts';
import type { OutcomeRecord } from '../../src/messages/outcomes.ts';
import type { Contribute } from '../../src/messages/player-commands.ts';
import { LogError } from '../../src/ports.ts';
import * as arbitrary from './arbitraries.ts';

function comesBack<T>(
  name: string,
  values: fc.Arbitrary<T>,
  encode: (value: T) => Uint8Array,
  decode: (bytes: Uint8Array) => unknown,
): void {
  it(`${name} comes back as it was`, () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(plain(decode(encode(value)))).toEqual(plain(value));
      }),
      { numRuns: 150 },
    );
  });
}

comesBack('a command batch', arbitrary.batch, codec.encodeCommandBatch, codec.decodeCommandBatch);
comesBack('an outcome record', arbitrary.outcomeRecord, codec.encodeOutcomeRecord, codec.decodeOutcomeRecord);
comesBack('a batch reply', arbitrary.batchReply, codec.encodeBatchReply, (frame) => {
  const { allLiveValues, ...rest } = codec.decodeBatchReply(frame);
  return { ...rest, liveValues: packLiveValues(allLiveValues.map((news) => news.values())) };
});
comesBack('a tick', arbitrary.laneTick, codec.encodeLaneTick, (frame) => {
  const { allLiveValues, ...rest } = codec.decodeLaneTick(frame);
  return { ...rest, liveValues: packLiveValues(allLiveValues.map((news) => news.values())) };
});
comesBack('a heartbeat', arbitrary.heartbeat, codec.encodeHeartbeat, codec.decodeHeartbeat);
comesBack('a query', arbitrary.queryRequest, codec.encodeLaneQueryRequest, codec.decodeLaneQueryRequest);
comesBack('an answer', arbitrary.queryAnswer, codec.encodeLaneQueryAnswer, codec.decodeLaneQueryAnswer);

it('the events of an outcome record are read without its outcomes', () => {
  fc.assert(
    fc.property(arbitrary.outcomeRecord, (record) => {
      const { sequence, timestampMs, events } = record;
      const read = codec.decodeOutcomeEvents(codec.encodeOutcomeRecord(record));
      expect(plain(read)).toEqual(plain({ sequence, timestampMs, events }));
    }),
    { numRuns: 100 },
  );
});

it('an outcome record gets its lane head as if it had been packed with it, and gives it back', () => {
  fc.assert(
    fc.property(arbitrary.outcomeRecord, fc.uint8Array({ maxLength: 64 }), (record, laneHead) => {
      const body = codec.encodeOutcomeRecord({ ...record, laneHead: new Uint8Array(0) });
      const whole = codec.encodeOutcomeRecord({ ...record, laneHead });
      expect(equalBytes(withLaneHead(body, laneHead), whole)).toBe(true);
      const read = recordHead(whole)!;
      expect(read.sequence).toBe(record.sequence);
      expect(equalBytes(read.laneHead, laneHead) && equalBytes(read.body, body)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it('a read model reads the events of a record that it takes in, and none of the others', () => {
  fc.assert(
    fc.property(arbitrary.outcomeRecord, (record) => {
      const { sequence, events, credits } = decodeRecordedChanges(codec.encodeOutcomeRecord(record));
      expect(sequence).toBe(record.sequence);
      expect(plain(events)).toEqual(plain(record.events.filter(isReadModelEvent)));
      const changed = record.events.flatMap((each) => (each.kind === 'PayoutChanged' ? [each.credit] : []));
      expect(plain(credits)).toEqual(plain(changed));
    }),
    { numRuns: 300 },
  );
});

it('a reply of an older host, with all events, has the sizes of its wins', () => {
  fc.assert(
    fc.property(arbitrary.batchReply, arbitrary.outcomeRecord, (reply, { events }) => {
      const raw = unframeLive(codec.encodeBatchReply({ ...reply, events: events as never })) as unknown[];
      const read = codec.decodeBatchReply(frameLive(raw.slice(0, 8)));
      expect(plain(read.events)).toEqual(plain(events.filter(isReadModelEvent)));
      expect(read.wins).toEqual(winSizesOf(events));
    }),
  );
});

it('live values come back as they were, and say the same before all of them are read', () => {
  fc.assert(
    fc.property(fc.array(arbitrary.liveValuesOf(arbitrary.amount)), (all) => {
      const unpacked = unpackLiveValues(packLiveValues(all));
      expect(plain(unpacked.map((news) => news.values()))).toEqual(plain(all));
      for (const [index, news] of unpacked.entries())
        expect(all[index]).toMatchObject({
          instance: news.instance,
          sequence: news.sequence,
          status: news.status,
          lastUpdatedMs: news.lastUpdatedMs,
        });
    }),
  );
});

it('the live values of a reply or a tick of an older host, a list, are read', () => {
  fc.assert(
    fc.property(
      arbitrary.batchReply,
      arbitrary.laneTick,
      fc.array(arbitrary.liveValuesOf(arbitrary.amount)),
      (reply, tick, allLiveValues) => {
        const listed = list(liveValuesLayout).pack(allLiveValues);
        const rawReply = unframeLive(codec.encodeBatchReply(reply)) as unknown[];
        rawReply[5] = listed;
        const rawTick = unframeLive(codec.encodeLaneTick(tick)) as unknown[];
        rawTick[3] = listed;
        for (const read of [
          codec.decodeBatchReply(frameLive(rawReply.slice(0, 9))),
          codec.decodeLaneTick(frameLive(rawTick.slice(0, 4))),
        ])
          expect(plain(read.allLiveValues.map((news) => news.values()))).toEqual(plain(allLiveValues));
      },
    ),
  );
});

it.each([[[]], [['text', 1, new Uint8Array(1)]], [[1, null, new Uint8Array(1)]], [[1, 2, 'head']]])(
  'a record %j has no lane head',
  (value) => {
    expect(() => withLaneHead(frameStored(value), new Uint8Array(32))).toThrow(LogError);
  },
);

it('finds every damaged byte of a stored message', () => {
  fc.assert(
    fc.property(arbitrary.batch, fc.nat(), fc.integer({ min: 1, max: 255 }), (batch, position, change) => {
      const bytes = codec.encodeCommandBatch(batch);
      const at = position % bytes.length;
      bytes[at]! ^= change;
      // A higher version is what a newer release writes (docs/decisions/0304).
      const code = at === 0 && bytes[0]! > messageFormatVersion ? 'unsupported' : 'corrupt';
      expect(() => codec.decodeCommandBatch(bytes)).toThrow(expect.objectContaining({ code }));
    }),
  );
});

it('calls any bytes corrupt or unsupported rather than failing otherwise', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const frame = Uint8Array.of(1, ...bytes);
      for (const decode of [
        codec.decodeCommandBatch,
        codec.decodeOutcomeRecord,
        decodeRecordedChanges,
        codec.decodeBatchReply,
        codec.decodeLaneTick,
        codec.decodeHeartbeat,
        codec.decodeLaneQueryRequest,
        codec.decodeLaneQueryAnswer,
      ]) {
        try {
          decode(frame);
        } catch (error) {
          expect(error).toMatchObject({
            name: 'LogError',
            code: expect.stringMatching(/^(corrupt|unsupported)$/),
          });
        }
      }
    }),
  );
});

it('keeps the place of a command that it cannot read', () => {
  const known = [19, ['an instance']];
  const frame = frameStored([new Uint8Array(16), 'g', [known, [999, []], [3, ['too short']], known]]);
  const kinds = codec.decodeCommandBatch(frame).commands.map((command) => command.kind as string);
  expect(kinds).toEqual(['Tick', 'Unreadable', 'Unreadable', 'Tick']);
});

it('a usual contribution takes at most 180 bytes, and 16 in its outcome record', () => {
  const contribution: Contribute = {
    kind: 'Contribute',
    contributionId: new Uint8Array(16).fill(200),
    target: { type: 'source', id: 'slot-starlight-7' },
    operator: 'operator-1',
    brand: 'operator-1:brand-main',
    player: 'player-0123456789',
    country: 'US-NJ',
    segments: ['vip'],
    baseWagerAtoms: 1_234_567_890n,
    currency: 'EUR',
    gameround: '0f8fad5b-d9cb-469f-a165-70867728950e',
    idempotencyKey: new Uint8Array(16).fill(201),
    linked: true,
    wallet: false,
    maxBetAtoms: null,
    bonus: null,
    vertical: '',
    callback: null,
    metadata: null,
    eventMetadata: null,
    provider: '',
    origin: null,
  };
  const commands = Array.from({ length: 100 }, () => contribution);
  const batch = codec.encodeCommandBatch({ batchId: new Uint8Array(16), gateway: 'g', commands });
  expect(batch.length).toBeLessThanOrEqual(100 * 180);

  const instance = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const record: OutcomeRecord = {
    sequence: 1_000_000,
    timestampMs: 1_763_700_000_000,
    laneHead: new Uint8Array(32),
    work: [],
    instances: [{ instance, head: new Uint8Array(32), firstSequence: 5_000_000 }],
    outcomes: commands.map((_, index) => ({
      kind: 'Contributed',
      results: [
        {
          instance,
          sequence: 5_000_000 + index,
          contributionAtoms: 12_345_678n,
          requestAtoms: 12_345_678n,
          bonusAtoms: 0n,
          win: null,
          tickets: 0,
        },
      ],
    })),
    events: [],
  };
  expect(codec.encodeOutcomeRecord(record).length).toBeLessThanOrEqual(100 * 16);
});

it('ids that are kept do not keep the message', () => {
  const salt = new Uint8Array(32).fill(5);
  const frame = codec.encodeCommandBatch({
    batchId: new Uint8Array(16),
    gateway: '',
    commands: [
      {
        kind: 'SetBrand',
        brand: 'a:b',
        salt,
        wallet: false,
        provider: '',
        closeRounds: false,
        verificationLimitAtoms: null,
        verificationCurrency: '',
      },
    ],
  });
  const [command] = codec.decodeCommandBatch(frame).commands;
  frame.fill(0);
  expect(command).toMatchObject({ salt });
});

/** Buffers are bytes like others. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}
