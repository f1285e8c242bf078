import { expect } from 'vitest';
import type { Engines } from '../../../src/actors/ports/actor-ports.ts';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import type { Hashing } from '../../../src/lib/hashing.ts';
import type { DebitRecord, SettlementRecord } from '../../../src/messages/settlements.ts';
import type { StoredCommand, StoredOutcome } from '../../../src/ports.ts';
import type { BookedMessage, PaymentChange, Posting } from '../../../src/reporting/base/booked-message.ts';
import { LaneBooks } from '../../../src/reporting/books/lane-books.ts';
import { OutcomeGuide } from '../../../src/reporting/books/outcome-guide.ts';

/** The books of an empty lane. */
export function booksOf(lane: number, enginesOn: (hashing: Hashing) => Engines): LaneBooks {
  const guide = new OutcomeGuide();
  const engine = enginesOn(guide.hashing).create();
  return new LaneBooks(new Replica(lane, engine, guide.hashing, firstLaneHead, guide), guide);
}

/** Adds up what the books of a lane say, message by message, and compares it with what the lane has in the end. */
export class BookedTotals {
  readonly books: LaneBooks;
  readonly seen = { commands: 0, contributions: 0, waited: 0, links: 0, wins: 0, raffles: 0, payments: 0 };
  readonly #accounts = new Map<string, Map<string, bigint>>();
  readonly #payments = new Map<string, SettlementRecord>();
  readonly #flushes = new Map<string, bigint>();
  readonly #taken = new Set<string>();

  constructor(lane: number, enginesOn: (hashing: Hashing) => Engines) {
    this.books = booksOf(lane, enginesOn);
  }

  take(command: StoredCommand, outcome: StoredOutcome): BookedMessage {
    const booked = this.books.apply(command, outcome);
    this.#checkPlaces(booked);
    this.#checkContributions(booked);
    for (const posting of booked.postings) this.#post(posting);
    for (const change of booked.payments) this.#change(change);
    for (const { flush, end } of booked.flushes) {
      expect(this.#flushes.has(flush.flushId)).toBe(end !== null);
      if (end === null) this.#flushes.set(flush.flushId, flush.amountAtoms);
      else this.#flushes.delete(flush.flushId);
    }
    this.seen.commands += booked.batch.commands.length;
    return booked;
  }

  /** Postings add up to the accounts; payments and flushes to what is open. */
  check(engine: LaneEngine): void {
    const ids = [...engine.instances()];
    expect([...this.books.instances()]).toEqual(ids);
    for (const id of ids) {
      const accounts = engine.accounts(id)!;
      const booked = this.#accounts.get(id) ?? new Map<string, bigint>();
      for (const [name, atoms] of accounts) expect(booked.get(name) ?? 0n, `${name} of ${id}`).toBe(atoms);
      const names = new Set(accounts.map(([name]) => name));
      expect([...booked.keys()].filter((name) => !names.has(name))).toEqual([]);
      expect(this.books.accounts(id)).toEqual(accounts);
    }
    const open = [...engine.openDebits(0, 1e6), ...engine.openCredits(0, 1e6, [], '')];
    const booked = [...this.#payments.values()].map(recordOf);
    const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;
    expect(booked.toSorted(byNumber)).toEqual(open.toSorted(byNumber));
    expect([...this.books.payments()].map(recordOf).toSorted(byNumber)).toEqual(open.toSorted(byNumber));
    const flushes = engine.openFlushes(0, 1e6).map(({ flushId, amountAtoms }) => [flushId, amountAtoms]);
    expect([...this.#flushes].toSorted()).toEqual(flushes.toSorted());
  }

  /** One posting of a phase for each step; a Contribute that is not a win moves what it contributes, and nothing else. */
  #checkPlaces({ postings, batch }: BookedMessage): void {
    const places = postings.map(
      ({ index, part, instance, phase }) => `${index} ${part} ${instance} ${phase}`,
    );
    expect(new Set(places).size).toBe(places.length);
    for (const { index, phase } of postings) {
      expect(index).toBeGreaterThanOrEqual(-1);
      expect(index).toBeLessThan(batch.commands.length);
      if (batch.commands[index]?.kind === 'Contribute') expect(phase).not.toBe('command');
    }
  }

  #checkContributions({ contributions, outcome, postings, batch, sequence }: BookedMessage): void {
    for (const each of contributions) {
      const { index, part, instance, instanceSequence, playerAtoms, win, made } = each;
      this.#taken.add(`${instance} ${instanceSequence}`);
      const isOf = (posting: Posting) =>
        posting.index === index && posting.part === part && posting.instance === instance;
      const [fed, paid] = ['contribution', 'win'].map((phase) =>
        postings.find((posting) => isOf(posting) && posting.phase === phase),
      );
      const player = fed?.amounts.find(([account]) => account === 'player')?.[1] ?? 0n;
      expect(player).toBe(-playerAtoms);
      // The next cycle may open with what was won: then the pot itself has not moved.
      if (win === null) expect(paid).toBeUndefined();
      else if (win.amountAtoms > 0n) expect(paid).toBeDefined();
      const asked = batch.commands[index]!;
      if (asked.kind === 'Contribute') expect(made).toEqual({ sequence, index });
      else expect(made.sequence).toBeLessThan(sequence);
      this.seen.contributions += 1;
      this.seen.waited += asked.kind === 'Contribute' ? 0 : 1;
      this.seen.links += each.isLink ? 1 : 0;
      this.seen.wins += win === null ? 0 : 1;
    }
    this.seen.raffles += postings.filter(({ index, phase }) => index === -1 && phase === 'win').length;
    // What an answer tells was booked, now or before.
    const results = outcome.outcomes.flatMap((each) => {
      if (each.kind === 'Contributed') return each.results;
      if (each.kind !== 'Settled') return [];
      return each.contributions.flatMap(({ result }) =>
        result.kind === 'Contributed' ? result.results : [],
      );
    });
    for (const { instance, sequence: number } of results)
      expect(this.#taken.has(`${instance} ${number}`), `${instance} ${number}`).toBe(true);
  }

  #post({ instance, amounts }: Posting): void {
    expect(amounts.length).toBeGreaterThan(1);
    expect(amounts.reduce((sum, [, atoms]) => sum + atoms, 0n)).toBe(0n);
    const accounts = this.#accounts.get(instance) ?? new Map<string, bigint>();
    this.#accounts.set(instance, accounts);
    for (const [name, atoms] of amounts) {
      expect(atoms).not.toBe(0n);
      accounts.set(name, (accounts.get(name) ?? 0n) + atoms);
    }
  }

  #change({ before, after }: PaymentChange): void {
    const record = (before ?? after)!;
    const id = `${record.kind} ${recordOf(record).transactionId}`;
    expect(this.#payments.get(id) ?? null).toEqual(before);
    if (after === null) this.#payments.delete(id);
    else this.#payments.set(id, after);
    this.seen.payments += 1;
  }
}

function recordOf(
  record: SettlementRecord,
): DebitRecord | Extract<SettlementRecord, { kind: 'credit' }>['credit'] {
  return record.kind === 'debit' ? record.debit : record.credit;
}
