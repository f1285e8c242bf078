import { expect, it } from 'vitest';
import type { KnownDelivery } from '../../../src/outbox/stored/stored-deliveries.ts';
import { DeliveryWatch } from '../../../src/outbox/watch/delivery-watch.ts';
import { LogError } from '../../../src/ports.ts';

const limits = {
  pendingAgeMs: 900_000,
  deadAgeMs: 86_400_000,
  perOperator: 100,
  sumsAtoms: new Map([['EUR', 1_000n]]),
};
const hourMs = 3_600_000;

function known(changes: Partial<KnownDelivery>): KnownDelivery {
  return {
    id: 'id',
    kind: 'ContributionResult',
    owner: 'op:main',
    instance: '',
    receiver: { operator: 'op', origin: 'https://hooks.example.com' },
    createdMs: 0,
    flush: null,
    state: 'pending',
    tries: 1,
    nextMs: 0,
    lastError: 'no_answer',
    lastTryMs: 0,
    mayHaveArrived: false,
    outcome: '',
    ...changes,
  };
}

function flush(amountAtoms: bigint): KnownDelivery {
  const record = { flushId: 'f', instance: 'i', endpoint: '', accountId: '', currency: 'EUR', openedMs: 0 };
  return known({ kind: 'DiversionFlush', flush: { ...record, amountAtoms } });
}

function watched(deliveries: readonly KnownDelivery[], nowMs: number) {
  const alarms: string[] = [];
  const world = {
    deliveries,
    nowMs,
    last: 50,
    cursor: 41 as number | null,
    unsupported: null as number | null,
  };
  const watch = new DeliveryWatch(
    {
      clock: { nowMs: () => world.nowMs, elapsedMs: () => world.nowMs, after: () => () => {} },
      log: {
        lastOutcome: async () => {
          if (world.last < 0) throw new LogError('unavailable', 'down');
          return world.last;
        },
      },
      lanes: () =>
        new Map([
          [
            3,
            {
              known: () => world.deliveries,
              cursor: world.cursor,
              oldestMs: world.nowMs - 7_000,
              unsupported: world.unsupported,
            },
          ],
        ]),
      alarm: (code) => void alarms.push(code),
    },
    limits,
  );
  return { alarms, world, watch };
}

it.each([
  ['deliveries_old', [known({})], 900_001],
  ['deliveries_wait', [known({ state: 'dead' })], 86_400_001],
  ['deliveries_many', [known({ kind: 'ReceiverBacklog', deliveries: 101 })], 1],
  ['flushes_sum_high', [flush(600n), flush(401n)], 1],
] as const)(
  '%s is raised beyond its limit, once an hour, and again after its reason was gone',
  async (code, deliveries, nowMs) => {
    const { alarms, world, watch } = watched(deliveries, nowMs);
    await watch.count();
    await watch.count();
    expect(alarms.filter((each) => each === code)).toHaveLength(1);
    world.nowMs += hourMs;
    await watch.count();
    expect(alarms.filter((each) => each === code)).toHaveLength(2);
    world.deliveries = [];
    await watch.count();
    world.deliveries = deliveries;
    await watch.count();
    expect(alarms.filter((each) => each === code)).toHaveLength(3);
  },
);

it('at their limits nothing is raised', async () => {
  const { alarms, watch } = watched(
    [
      known({ createdMs: 1 }),
      known({ kind: 'ReceiverBacklog', createdMs: 1, deliveries: 98 }),
      flush(1_000n),
    ],
    900_000,
  );
  await watch.count();
  expect(alarms).toEqual([]);
});

it('a lane that waits for a newer release is named at once, and shown', async () => {
  const { alarms, world, watch } = watched([], 1);
  world.unsupported = 45;
  await watch.count();
  expect(alarms).toEqual(['deliveries_unsupported']);
  expect(watch.lags).toMatchObject([{ lane: 3, isUnsupported: true }]);
});

it('says how far behind a lane is, also while the log is out', async () => {
  const { world, watch } = watched([], 10_000);
  await watch.count();
  expect(watch.lags).toEqual([{ lane: 3, records: 10, ageMs: 7_000, isUnsupported: false }]);
  world.last = -1;
  await watch.count();
  expect(watch.lags).toMatchObject([{ records: 10 }]);
});
