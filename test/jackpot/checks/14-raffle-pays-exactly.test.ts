import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  setBrand,
  setRates,
  setStatus,
} from '../support/commands.ts';
import { startMs, TestLane } from '../support/lane.ts';
import { drive, minuteMs, raffle } from '../support/raffle.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const prizes = fc
  .array(
    fc.record({
      prize_percentage: fc.constantFrom('0', '0.1', '0.333333333', '0.25', '0.05'),
      number_of_winners: fc.integer({ min: 1, max: 7 }),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((tiers) => tiers as readonly unknown[]);

const rules = fc.record({
  cost_per_ticket: fc.constantFrom('0.01', '0.3', '1', '2.5'),
  cost_source: fc.constantFrom('Contribution', 'BaseWager'),
  allocation_mode: fc.constantFrom('Instant', 'Deferred'),
  duration: fc.constantFrom(
    { Minutes: 1 },
    { Seconds: 60 },
    { Scheduled: { timestamps_end: [1, 2, 3, 4].map((minute) => startMs + minute * minuteMs) } },
  ),
  prize_distribution: prizes,
});

const played = fc.record({
  player: fc.constantFrom('p1', 'p2', 'p3', 'a player with a very long name'),
  wager: fc.constantFrom('0', '0.5', '1', '7.77777777'),
  currency: fc.constantFrom('EUR', 'JPY', 'USD'),
});

/** Rounds with few tickets, or none, beside rounds with many. */
const rounds = fc.array(
  fc.oneof(fc.array(played, { maxLength: 8 }), fc.array(played, { maxLength: 200, size: 'max' })),
  { minLength: 1, maxLength: 5 },
);

const pots = fc.record({
  seed_contribution: fc.constantFrom({ Percentage: '0.2' }, { Percentage: '0' }),
  seed_strategy: fc.constantFrom({}, { initial_seed_value: '10', min_reseed_value: '3' }),
  maximum_pot_value: fc.constantFrom('', '12'),
});

interface Round {
  readonly type: string;
  readonly tickets: number;
  readonly value: string;
  readonly carry: string;
  readonly prizes: readonly {
    readonly ticket: number;
    readonly amount: string;
    readonly range_first: number;
    readonly range_count: number;
  }[];
  readonly paid: readonly { readonly amount: string }[];
}

/** Raffles of one round of fast-check; their number follows from the contributions that the check is asked for. */
const runs = 20;

/**
 * Proves: a raffle pays out neither more nor less than its pot, and no ticket number is left out or given twice.
 * In whole: a million contributions, of which the rounds go through restarts and the fold of the log as well.
 */
it('check 14: Σ prizes + carry = V, ticket ranges have no gap; replay and restart agree', {
  timeout: patienceMs,
}, () => {
  const commands = scaled(3_000, 1_000_000);
  const seen = { contributions: 0, raffles: 0, rounds: 0, prizes: 0 };
  for (let seed = 1; seen.contributions < commands; seed++) {
    fc.assert(
      fc.property(rules, rounds, pots, fc.boolean(), (raffleRules, history, pot, ends) => {
        const lane = started(raffleRules, pot, ends);
        const groups: DrawGroup[] = [];
        lane.recorder = { group: (group) => void groups.push(group) };
        playRounds(lane, history);
        const records = groups
          .flatMap((group) => group.details as unknown as Round[])
          .filter(({ type }) => type === 'round');
        records.forEach(expectPaidInFull);
        const replayed = lane.replayed();
        expect(replayed.liveValues('jackpot')).toEqual(lane.engine.liveValues('jackpot'));
        expect(Buffer.concat([...replayed.snapshot()])).toEqual(Buffer.concat([...lane.engine.snapshot()]));
        seen.contributions += history.reduce((sum, { length }) => sum + length, 0);
        seen.raffles += 1;
        seen.rounds += records.length;
        seen.prizes += records.reduce((sum, record) => sum + record.prizes.length, 0);
      }),
      { numRuns: runs, seed },
    );
  }
  saw('check 14', seen);
  expect(seen.rounds).toBeGreaterThan(50);
});

function started(raffleRules: object, pot: object, ends: boolean): TestLane {
  const lane = new TestLane();
  const contributionRules = {
    contribution_type: { Percentage: '0.5' },
    operator_contribution_percentage: '0.3',
  };
  const configuration = raffle({ ...raffleRules }, { contribution_rules: contributionRules }, { ...pot });
  lane.apply(
    setBrand(),
    setRates([
      ['JPY', '163.2', null],
      ['USD', '1.08', null],
    ]),
    createInstance(configuration, { timestampEndMs: ends ? startMs + 3 * minuteMs : null }),
    openEpoch('jackpot', 0, [0, 1, 2]),
    setStatus('Active'),
  );
  return lane;
}

interface Played {
  readonly player: string;
  readonly wager: string;
  readonly currency: string;
}

/** One round behind the other, with a restart before each end; every ticket's number follows the last one's. */
function playRounds(lane: TestLane, history: readonly (readonly Played[])[]): void {
  let next = 1;
  for (const contributions of history) {
    const { events: first } = lane.apply(
      ...contributions.map(({ player, wager, currency }) =>
        contribution({ player, currency, baseWagerAtoms: atoms(wager) }),
      ),
    );
    lane.restart();
    lane.nowMs += minuteMs;
    const events = [...first, ...drive(lane)];
    const awarded = events.filter((event) => event.kind === 'TicketsAwarded');
    const from = awarded[0]?.first;
    if (from !== undefined) expect(from === 1 || from === next).toBe(true);
    for (const { first: number, count } of awarded) {
      if (number === 1) next = 1;
      if (number !== next) expect(number).toBe(next);
      if (count <= 0) expect(count).toBeGreaterThan(0);
      next += count;
    }
    expect(lane.total()).toBe(0n);
    expect(lane.engine.jobs()).toEqual([]);
  }
}

function expectPaidInFull(record: Round): void {
  const paid = total(record.prizes);
  expect(paid + BigInt(record.carry)).toBe(BigInt(record.value));
  expect(total(record.paid)).toBe(paid);
  expect(new Set(record.prizes.map((each) => each.ticket)).size).toBe(record.prizes.length);
  for (const { ticket, range_first, range_count } of record.prizes) {
    const isInRange = ticket >= range_first && ticket < range_first + range_count;
    expect(isInRange && ticket <= record.tickets).toBe(true);
  }
}

function total(parts: readonly { readonly amount: string }[]): bigint {
  return parts.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}
