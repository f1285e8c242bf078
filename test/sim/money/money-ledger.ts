import { expect } from 'vitest';
import { type AppliedMessage, firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { decodeOutcomeRecord } from '../../../src/messages/codec/codec.ts';
import type { CommandOutcome } from '../../../src/messages/outcomes.ts';
import type { CreditRecord, DebitRecord } from '../../../src/messages/settlements.ts';
import { BookedTotals } from '../../reporting/books/booked-totals.ts';
import { hashing, lane, type SimSystem } from '../sim-system.ts';

export interface LedgerDebit {
  readonly debit: DebitRecord;
  /** null: the lane has it open. */
  readonly result: 'applied' | 'not_applied' | null;
}

export interface LedgerCredit {
  readonly credit: CreditRecord;
  readonly withheldFromMs: number | null;
  readonly releasedMs: number | null;
}

/** What the log says of all money that entered or left, read back from nothing. */
export interface Ledger {
  readonly replica: Replica;
  readonly outcomes: ReadonlyMap<number, readonly CommandOutcome[]>;
  /** Results of contributions by their places. */
  readonly settled: ReadonlyMap<string, CommandOutcome>;
  readonly debits: readonly LedgerDebit[];
  readonly credits: ReadonlyMap<string, LedgerCredit>;
  /** What winners of brands got, by brand and currency, as the events of wins say. */
  readonly won: ReadonlyMap<string, bigint>;
  readonly wins: number;
}

/** Replays the commands; each outcome record must be equal to the byte. `applied` is called behind each message. */
export function readLedger(
  system: SimSystem,
  applied: (replica: Replica, message: AppliedMessage) => void = () => {},
): Ledger {
  const replica = new Replica(lane, system.engines.create(), hashing, firstLaneHead);
  const books = new BookedTotals(lane, system.enginesOn);
  const reader = new Reader();
  const { commands, outcomes } = system.server.lane(lane);
  expect(outcomes.length).toBe(commands.length);
  for (const [index, stored] of commands.entries()) {
    const message = replica.apply(stored);
    const { record } = message;
    if (Buffer.compare(outcomes[index]!.bytes, record) !== 0)
      throw new Error(`record ${index + 1} is not what a replay makes`);
    books.take(stored, outcomes[index]!);
    reader.take(decodeOutcomeRecord(record), replica);
    applied(replica, message);
  }
  books.check(replica.engine);
  return { replica, ...reader.result() };
}

type OutcomeRecord = ReturnType<typeof decodeOutcomeRecord>;

class Reader {
  readonly #outcomes = new Map<number, readonly CommandOutcome[]>();
  readonly #settled = new Map<string, CommandOutcome>();
  readonly #debits: DebitRecord[] = [];
  readonly #credits = new Map<string, LedgerCredit>();
  readonly #won = new Map<string, bigint>();
  #wins = 0;

  take(record: OutcomeRecord, { engine }: Replica): void {
    this.#outcomes.set(record.sequence, record.outcomes);
    for (const [index, outcome] of record.outcomes.entries()) {
      if (outcome.kind === 'Contributed') this.#settled.set(`${record.sequence}:${index}`, outcome);
      if (outcome.kind !== 'Settled') continue;
      for (const { sequence, index: place, result } of outcome.contributions)
        this.#settled.set(`${sequence}:${place}`, result);
    }
    for (const work of record.work) if (work.kind === 'DebitDue') this.#debits.push(work.debit);
    this.#noteCredits(engine.openCredits(0, 100_000, [], ''), record.timestampMs);
    for (const event of record.events) {
      if (event.kind === 'RaffleWon') this.#wins += event.winners.length;
      if (event.kind !== 'Won') continue;
      this.#wins += 1;
      for (const { brand, paidAtoms, paidCurrency } of [event.winner, ...event.community])
        add(this.#won, `${brand} ${paidCurrency}`, paidAtoms);
    }
  }

  /** Not by events: records of batches are nowhere but in the state. */
  #noteCredits(open: readonly CreditRecord[], nowMs: number): void {
    const present = new Map(open.map((credit) => [credit.transactionId, credit]));
    for (const { credit } of this.#credits.values())
      if (credit.state !== 'settled' && !present.has(credit.transactionId))
        present.set(credit.transactionId, { ...credit, state: 'settled' });
    for (const [id, credit] of present) {
      const known = this.#credits.get(id);
      const isWithheld = credit.state === 'withheld';
      const withheldFromMs = known?.withheldFromMs ?? (isWithheld ? nowMs : null);
      const releasedMs = known?.releasedMs ?? (withheldFromMs !== null && !isWithheld ? nowMs : null);
      this.#credits.set(id, { credit, withheldFromMs, releasedMs });
    }
  }

  result(): Omit<Ledger, 'replica'> {
    const debits = this.#debits.map((debit) => ({ debit, result: this.#resultOf(debit) }));
    return {
      outcomes: this.#outcomes,
      settled: this.#settled,
      debits,
      credits: this.#credits,
      won: this.#won,
      wins: this.#wins,
    };
  }

  /** A contribution names every instance that has taken it. */
  #resultOf({ sequence, index, instance }: DebitRecord): LedgerDebit['result'] {
    const settled = this.#settled.get(`${sequence}:${index}`);
    if (settled === undefined) return null;
    if (settled.kind !== 'Contributed') return 'not_applied';
    return settled.results.some((each) => each.instance === instance) ? 'applied' : 'not_applied';
  }
}

export function add(sums: Map<string, bigint>, key: string, atoms: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + atoms);
}
