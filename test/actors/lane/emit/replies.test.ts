import { expect, it } from 'vitest';
import { replyTo } from '../../../../src/actors/lane/emit/replies.ts';
import type { AppliedMessage, Replica } from '../../../../src/actors/replica/replica.ts';
import type { LaneEvent } from '../../../../src/messages/events.ts';

const lane = { lane: 3, engine: { writeLiveValues: () => {} } } as unknown as Replica;

function applied(events: readonly LaneEvent[], recordBytes = 1): AppliedMessage {
  const outcome = { timestampMs: 1, outcomes: [{ kind: 'Pending' }], instances: [], events };
  const record = new Uint8Array(recordBytes);
  return {
    outcome,
    record,
    sequence: 5,
    batch: { batchId: new Uint8Array(16) },
  } as unknown as AppliedMessage;
}

const share = (player: string) => ({ brand: 'acme:main', player, amountAtoms: 1n, paidAtoms: 1n });
const won = {
  kind: 'Won',
  gameround: 'round',
  eventMetadata: '{"a":1}',
  winner: share('ada'),
  community: [share('grace'), share('𝕡')],
} as unknown as LaneEvent;
const paused = { kind: 'StatusChanged', instance: 'one', counter: 1, status: 'Paused', reason: '' } as const;

it('a reply has the changes that gateways take in, and of a win its size alone', () => {
  const { events, wins } = replyTo(applied([won, paused]), lane);
  expect(events).toEqual([paused]);
  // 256, gameround and metadata; 96, brand and player of each share.
  expect(wins).toEqual([{ brand: 'acme:main', bytes: 256 + 5 + 7 + 3 * (96 + 9) + 3 + 5 + 4 }]);
});

it('a reply to a message with a large record leaves everything to the log', () => {
  const { events, wins, outcomes } = replyTo(applied([won, paused], 512 * 1024 + 1), lane);
  expect({ events, wins, outcomes }).toEqual({ events: [], wins: [], outcomes: [] });
});
