import { expect, it } from 'vitest';
import { recordedMessage } from '../../../src/gateway/lanes/recorded-outcome.ts';
import {
  decodeLaneQueryRequest,
  encodeCommandBatch,
  encodeLaneQueryAnswer,
  encodeOutcomeRecord,
} from '../../../src/messages/codec/codec.ts';

const partBytes = 20;
const record = {
  sequence: 7,
  timestampMs: 1_700_000_000_000,
  laneHead: new Uint8Array(32).fill(3),
  instances: [],
  outcomes: [],
  events: [],
  work: [],
};
const whole = encodeOutcomeRecord(record);

function ports(lastOutcome: number, madeAfter: number) {
  let asked = 0;
  const bytes = encodeCommandBatch({ batchId: new Uint8Array(16), gateway: 'g', commands: [] });
  return {
    asked: () => asked,
    log: {
      readCommand: async () => ({ lane: 0, sequence: 7, channel: 'batch', timestampMs: 1, bytes }) as const,
      readOutcome: async () => null,
      lastOutcome: async () => lastOutcome,
    },
    bus: {
      request: async (_subject: string, request: Uint8Array) => {
        const { query } = decodeLaneQueryRequest(request);
        if (query.kind !== 'rebuilt_outcome') throw new Error(query.kind);
        asked += 1;
        const part = asked > madeAfter ? whole.subarray(query.offset, query.offset + partBytes) : null;
        return encodeLaneQueryAnswer({ kind: 'rebuilt_outcome', part, totalBytes: whole.length });
      },
    },
    subjects: { query: () => 'query.0' },
  };
}

it('puts a record together that is larger than one answer', async () => {
  const asked = ports(9, 0);
  expect((await recordedMessage(0, 7, asked, 100))?.record).toMatchObject(record);
  expect(asked.asked()).toBe(Math.ceil(whole.length / partBytes));
});

it('asks nobody for what is not stored yet, and has nothing while it is being made', async () => {
  const early = ports(6, 0);
  expect(await recordedMessage(0, 7, early, 100)).toBeNull();
  expect(early.asked()).toBe(0);
  expect(await recordedMessage(0, 7, ports(9, 1), 100)).toBeNull();
});
