import { expect, it } from 'vitest';
import { Replica } from '../../../src/actors/replica/replica.ts';
import { finish } from '../../../src/lib/turns.ts';
import { LaneBooks } from '../../../src/reporting/books/lane-books.ts';
import { OutcomeGuide } from '../../../src/reporting/books/outcome-guide.ts';
import { patienceMs, saw, scaled } from '../../jackpot/checks/scale.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { BookedTotals } from './booked-totals.ts';
import { enginesOn, lane, RecordedLane } from './recorded-lane.ts';

const histories = scaled(6, 400);
const commands = 1_200;
const unbounded = { epochMs: 10_000_000, epochSequences: 60 };

it('a replay without draw keys makes every record and head of random histories, and what it books adds up to the accounts', {
  timeout: patienceMs,
}, () => {
  const seen = {
    histories,
    commands: 0,
    contributions: 0,
    waited: 0,
    links: 0,
    wins: 0,
    raffles: 0,
    payments: 0,
  };
  for (let seed = 1; seed <= histories; seed += 1) {
    try {
      const { totals } = play(seed);
      for (const name of Object.keys(totals.seen) as (keyof typeof totals.seen)[])
        seen[name] += totals.seen[name];
    } catch (error) {
      throw new Error(`history ${seed}: ${(error as Error).message}`, { cause: error });
    }
  }
  for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0);
  saw('the books of random histories', seen);
});

it('books that begin at a snapshot book what those book that were there from the start', {
  timeout: patienceMs,
}, () => {
  for (let seed = 1; seed <= scaled(2, 50); seed += 1) {
    const { recorded, run } = history(seed);
    const half = new RecordedLane();
    const begun = Math.floor(recorded.messages.length / 2);
    const whole = new BookedTotals(lane, enginesOn);
    for (const { commands: each, timestampMs } of run.lane.log.slice(0, begun)) half.apply(each, timestampMs);
    for (const { command, outcome } of half.messages) whole.take(command, outcome);
    const books = restored([...half.replica.engine.snapshot()], half.replica.laneHead);
    expect([books.sequence, books.head, books.timestampMs]).toEqual([
      begun,
      half.replica.laneHead,
      half.replica.engine.timestampMs,
    ]);
    for (const { command, outcome } of recorded.messages.slice(begun)) {
      const { instance, accounts, ...later } = books.apply(command, outcome);
      const { instance: _, accounts: __, ...first } = whole.take(command, outcome);
      expect(later).toEqual(first);
      for (const id of books.instances()) {
        expect(accounts(id)).toEqual(whole.books.accounts(id));
        expect(instance(id)).toEqual(whole.books.instance(id));
      }
    }
  }
});

function history(seed: number) {
  const run = new MixedRun(seed, { settings: unbounded, fenced: seed % 2 === 1 });
  for (let next = run.begin(); run.commands < commands; next = run.next()) run.apply(next);
  const recorded = new RecordedLane();
  for (const { commands: each, timestampMs } of run.lane.log) recorded.apply(each, timestampMs);
  return { run, recorded };
}

function play(seed: number) {
  const { recorded } = history(seed);
  const totals = new BookedTotals(lane, enginesOn);
  let head: Uint8Array = new Uint8Array(0);
  for (const { command, outcome } of recorded.messages) head = totals.take(command, outcome).head;
  expect(head).toEqual(recorded.replica.laneHead);
  totals.check(recorded.replica.engine);
  return { totals };
}

function restored(chunks: readonly Uint8Array[], head: Uint8Array): LaneBooks {
  const guide = new OutcomeGuide();
  const engine = finish(enginesOn(guide.hashing).restore(chunks));
  return new LaneBooks(new Replica(lane, engine, guide.hashing, head, guide), guide);
}
