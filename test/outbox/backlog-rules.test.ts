import { expect, it } from 'vitest';
import {
  backlogIdOf,
  decodeBacklog,
  encodeBacklog,
  hasDelivery,
  wholeLane,
} from '../../src/outbox/store/entries.ts';
import { EntryCounts } from '../../src/outbox/stored/entry-counts.ts';
import { afterBacklogFailure, type FailedTry, mayBeStored } from '../../src/outbox/stored/progress.ts';

const random = { bytes: (count: number) => new Uint8Array(count) };
const minuteMs = 60_000;
const dayMs = 86_400_000;
const receiver = { operator: 'op', origin: 'https://hooks.example.com' };
const failed = (changes: Partial<FailedTry> = {}): FailedTry => ({
  kind: 'failed',
  error: 'no_answer',
  final: false,
  status: null,
  refused: false,
  ...changes,
});
const backlog = {
  ...wholeLane,
  ...receiver,
  subscription: '',
  id: backlogIdOf(3, receiver, ''),
  from: 7,
  next: 9,
  oldestMs: 5,
  waiting: 12,
  state: 'pending' as const,
  tries: 2,
  nextMs: 8,
  lastError: 'no_answer',
  lastTryMs: 6,
  acceptedMs: 4,
};

it('pauses as the schedule says, and ten minutes from then on', () => {
  const pauses = [0, 1, 2, 3, 4, 8, 500].map(
    (tries) => afterBacklogFailure({ tries, acceptedMs: 0 }, failed(), { nowMs: 100, random }).nextMs - 100,
  );
  expect(pauses).toEqual([5_000, 30_000, 2 * minuteMs, ...Array(4).fill(10 * minuteMs)]);
});

it('is dead after 35 days without an accepted callback, or at once where it may not be sent', () => {
  const after = (nowMs: number, result: FailedTry) =>
    afterBacklogFailure({ tries: 99, acceptedMs: 1_000 }, result, { nowMs, random });
  expect(after(1_000 + 35 * dayMs - 1, failed()).state).toBe('pending');
  expect(after(1_000 + 35 * dayMs, failed())).toMatchObject({ state: 'dead', nextMs: 1_000 + 35 * dayMs });
  expect(after(1_001, failed({ error: 'origin_not_registered', final: true })).state).toBe('dead');
});

it('a refused callback leaves the backlog where there is room, or after its last try', () => {
  const refused = failed({ error: 'status_500', status: 500 });
  expect(mayBeStored({ tries: 0 }, refused, true)).toBe(true);
  expect(mayBeStored({ tries: 7 }, refused, false)).toBe(false);
  expect(mayBeStored({ tries: 8 }, refused, false)).toBe(true);
  expect(mayBeStored({ tries: 99 }, failed(), true)).toBe(false);
});

it('is read as it was written, and each lane, receiver and replay has an id', () => {
  expect(decodeBacklog(encodeBacklog(backlog, 1), 'callbacks')).toEqual(backlog);
  const ofEvents = { ...backlog, subscription: 'subscription' };
  expect(decodeBacklog(encodeBacklog(ofEvents, 1), 'events')).toEqual(ofEvents);
  const ids = [
    backlogIdOf(3, receiver, ''),
    backlogIdOf(4, receiver, ''),
    backlogIdOf(3, { ...receiver, operator: 'other' }, ''),
    backlogIdOf(3, { ...receiver, origin: 'https://other.example.com' }, ''),
    backlogIdOf(3, receiver, 'replay'),
    backlogIdOf(3, receiver, '', 'subscription'),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

it('has the callbacks of its receiver, owners and times', () => {
  const result = { kind: 'Contributed', results: [] } as const;
  const content = {
    kind: 'ContributionResult',
    gameround: '',
    currency: 'EUR',
    metadata: null,
    result,
  } as const;
  const callback = { owner: 'op:main', createdMs: 50, url: 'https://hooks.example.com/a?b=1', content };
  expect(hasDelivery(backlog, callback)).toBe(true);
  expect(hasDelivery(backlog, { ...callback, owner: 'rival:main' })).toBe(false);
  expect(hasDelivery(backlog, { ...callback, url: 'https://hooks.example.com:444/a' })).toBe(false);
  const narrow = { ...backlog, fromMs: 50, toMs: 50, owners: ['op:main'] };
  expect(hasDelivery(narrow, callback)).toBe(true);
  expect(hasDelivery(narrow, { ...callback, owner: 'op:other' })).toBe(false);
  expect(hasDelivery(narrow, { ...callback, createdMs: 51 })).toBe(false);
  expect(hasDelivery({ ...narrow, owners: ['op'] }, callback)).toBe(true);
  const event = { kind: 'Event', subscription: 's', type: '', instance: 'i', index: 0, body: '' } as const;
  const ofEvents = { ...backlog, subscription: 's', origin: 'https://former.example.com' };
  expect(hasDelivery(ofEvents, { ...callback, content: event })).toBe(true);
  expect(hasDelivery(ofEvents, callback)).toBe(false);
  expect(hasDelivery(backlog, { ...callback, content: event })).toBe(false);
});

it('room is counted for a receiver and for its operator', () => {
  const room = new EntryCounts({ storedPerReceiver: 2, storedPerOperator: 3 });
  const other = { ...receiver, origin: 'https://other.example.com' };
  room.add(receiver);
  room.add(receiver);
  expect([
    room.hasRoom(receiver),
    room.hasRoom(other),
    room.hasRoom({ ...receiver, operator: 'rival' }),
  ]).toEqual([false, true, true]);
  room.add(other);
  expect(room.hasRoom(other)).toBe(false);
  room.remove(receiver);
  expect([room.hasRoom(receiver), room.hasRoom(other)]).toEqual([true, true]);
});
