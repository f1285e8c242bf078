import { expect, it } from 'vitest';
import type { Finding } from '../../../src/reporting/check/finding.ts';
import { NightlyCheck } from '../../../src/reporting/role/nightly-check.ts';
import { ManualClock } from '../../actors/manual-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const midnightMs = Date.parse('2030-01-01T00:00:00Z');

function finding(account: string): Finding {
  const where = { table: 'daily_balances', instance: 'mega', account, day: '2029-12-31' } as const;
  return { ...where, what: 'closing', expected: '1', found: '2' };
}

/** Minute by minute; what a minute began comes to its end in it. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= minuteMs) {
    clock.advance(minuteMs);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

function world(
  check: (lane: number) => AsyncIterable<Finding>,
  { hour = 4, lanes = [0, 2] }: { hour?: number | null; lanes?: number[] } = {},
) {
  const clock = new ManualClock();
  clock.advance(midnightMs);
  const asked: number[] = [];
  const tidied: number[] = [];
  let ended = 0;
  const nightly = new NightlyCheck({
    ...{ clock, hour, lanes: () => lanes },
    check(lane) {
      asked.push(lane);
      return check(lane);
    },
    ended: () => {
      ended += 1;
    },
    tidy: async () => void tidied.push(asked.length),
  });
  return { clock, nightly, asked, tidied, ended: () => ended, lanes };
}

async function* nothing(): AsyncGenerator<Finding> {}

it('checks its lanes once a night, one after the other', async () => {
  const { clock, nightly, asked, ended, tidied } = world(nothing);
  await pass(clock, 4 * hourMs - minuteMs);
  expect(asked).toEqual([]);
  await pass(clock, 2 * minuteMs);
  expect(asked).toEqual([0, 2]);
  await pass(clock, 24 * hourMs);
  expect(asked).toEqual([0, 2, 0, 2]);
  expect(ended()).toBe(4);
  expect(tidied).toEqual([2, 4]);
  expect(nightly.conditions()).toEqual([]);
  expect(nightly.checked().map(({ lane, findings }) => [lane, findings])).toEqual([
    [0, 0],
    [2, 0],
  ]);
});

it('names instance and account of each finding, until a night has none', async () => {
  let isWrong = true;
  const { clock, nightly } = world(async function* (lane) {
    if (isWrong && lane === 2) for (let number = 0; number < 25; number += 1) yield finding(`a${number}`);
  });
  await pass(clock, 5 * hourMs);
  const found = nightly.conditions();
  expect(found).toHaveLength(21);
  expect(found[0]).toMatchObject({ code: 'books_disagree' });
  expect(found[0]?.message).toContain('daily_balances of mega, a0, 2029-12-31: closing is 2, expected 1');
  expect(found[20]?.message).toContain('5 findings more');
  expect(nightly.checked().find(({ lane }) => lane === 2)?.findings).toBe(25);
  isWrong = false;
  await pass(clock, 24 * hourMs);
  expect(nightly.conditions()).toEqual([]);
});

it('says why a lane was not checked, and checks the others', async () => {
  const { clock, nightly, asked } = world((lane) => {
    if (lane === 0) throw new Error('the database is away');
    return nothing();
  });
  await pass(clock, 5 * hourMs);
  expect(asked).toEqual([0, 2]);
  expect(nightly.conditions()).toMatchObject([{ code: 'books_not_checked' }]);
  expect(nightly.conditions()[0]?.message).toContain('the database is away');
  nightly.forget(0);
  expect(nightly.conditions()).toEqual([]);
});

it('ends in the middle of a check, and says nothing of a lane that it lost meanwhile', async () => {
  const { clock, nightly, lanes } = world(async function* () {
    yield finding('house');
    await new Promise(() => {});
  });
  await pass(clock, 5 * hourMs);
  lanes.length = 0;
  await nightly.stop();
  expect(nightly.conditions()).toEqual([]);
});

it('never checks without an hour', async () => {
  const { clock, asked } = world(nothing, { hour: null });
  await pass(clock, 48 * hourMs);
  expect(asked).toEqual([]);
});
