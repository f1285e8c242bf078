import { assert } from '../../lib/assert.ts';
import { toHex } from '../../lib/bytes.ts';
import type { BookedContribution, BookedMessage, Posting } from '../base/booked-message.ts';
import type { LaneBatch, WrittenTable } from '../base/lane-batch.ts';
import { reportingLimits } from '../base/limits.ts';
import type { RowOf } from '../base/tables.ts';
import { contributionRow } from './contributions.ts';
import { DailySums } from './daily.ts';
import { entryRow, type PaidWinner } from './entries.ts';
import { eventRows } from './events.ts';
import type { LaneFacts } from './facts.ts';
import { parameterChangeRows } from './parameter-changes.ts';
import { paymentRows } from './payments.ts';
import { RowPlaces } from './row-places.ts';
import { winRows } from './wins.ts';

type Rows = { [T in WrittenTable]: RowOf<T>[] };

/**
 * The rows and sums of messages in a row: a function of these messages, whatever came before, so that a
 * process that continues at any of them writes the same as one that never stopped.
 */
export class Projection {
  readonly #facts: LaneFacts;
  readonly #sums: DailySums;
  readonly #rows: Rows = {
    instances: [],
    contributions: [],
    wins: [],
    payments: [],
    payment_changes: [],
    entries: [],
    statuses: [],
    parameter_changes: [],
    opt_ins: [],
    opt_in_changes: [],
    tickets: [],
  };
  #last: BookedMessage | null = null;
  #messages = 0;
  #rowCount = 0;

  /** `facts`: those of the lane, which may be kept from batch to batch. */
  constructor(facts: LaneFacts) {
    this.#facts = facts;
    this.#sums = new DailySums(facts);
  }

  get isEmpty(): boolean {
    return this.#last === null;
  }

  /** As much as one transaction should write. */
  get isFull(): boolean {
    const { batchRows, batchMessages } = reportingLimits;
    return this.#rowCount >= batchRows || this.#messages >= batchMessages;
  }

  get rowCount(): number {
    return this.#rowCount;
  }

  /** Takes the next message, while its state is that of the lane. */
  add(message: BookedMessage): void {
    this.#last = message;
    this.#messages += 1;
    const wins = winRows(message, new RowPlaces(message));
    this.#contributions(message);
    this.#put('wins', wins);
    for (const win of wins) this.#sums.win(message, win);
    this.#entries(message, wins);
    this.#payments(message);
    const events = eventRows(message, this.#facts);
    this.#put('instances', events.instances);
    this.#put('statuses', events.statuses);
    this.#put('opt_ins', events.opt_ins);
    this.#put('opt_in_changes', events.opt_in_changes);
    this.#put('tickets', events.tickets);
    this.#put('parameter_changes', parameterChangeRows(message, new RowPlaces(message), this.#facts));
  }

  /** What one transaction writes. `after`: the sequence of the position that it goes on from. */
  batch(after: number, systemId: string): LaneBatch {
    assert(this.#last !== null, 'a batch has messages');
    const { lane, sequence, timestampMs, head } = this.#last;
    return {
      lane,
      after,
      position: { lane, sequence, timestampMs, head: toHex(head), systemId },
      rows: this.#rows,
      dailyTotals: this.#sums.totals,
      players: this.#sums.players,
      movements: this.#sums.movements,
      openings: [],
    };
  }

  #contributions(message: BookedMessage): void {
    const fed = new Map<string, Posting>();
    for (const posting of message.postings) {
      this.#sums.moved(message, posting);
      if (posting.phase === 'contribution') fed.set(keyOf(posting), posting);
    }
    const places = new RowPlaces(message);
    for (const booked of message.contributions) {
      const posting = fed.get(keyOf(booked));
      this.#put('contributions', [contributionRow(message, booked, posting, places, this.#facts)]);
      this.#sums.contribution(message, booked, posting);
    }
  }

  #entries(message: BookedMessage, wins: readonly RowOf<'wins'>[]): void {
    const winners = new Map<string, PaidWinner>();
    for (const { index, part, instance, command, contributionId } of message.contributions)
      winners.set(keyOf({ index, part, instance }), {
        ...{ brand: command.brand, player: command.player, contribution_id: contributionId },
      });
    for (const win of wins)
      if (win.kind === 'external')
        winners.set(keyOf({ index: win.command_index, part: 0, instance: win.instance }), win);
    const places = new RowPlaces(message);
    for (const posting of message.postings) {
      if (posting.phase === 'contribution') continue;
      const winner = (posting.phase === 'win' ? winners.get(keyOf(posting)) : null) ?? null;
      this.#put('entries', [entryRow(message, posting, winner, places, this.#facts)]);
      this.#sums.entry(message, posting, winner?.brand ?? '');
    }
  }

  #payments(message: BookedMessage): void {
    const { payments, payment_changes } = paymentRows(message, new RowPlaces(message), this.#facts);
    this.#put('payments', payments);
    this.#put('payment_changes', payment_changes);
    for (const { before, after } of message.payments) {
      if (before !== null || after?.kind !== 'credit' || after.credit.state !== 'withheld') continue;
      const row = payments.find((each) => each.transaction_id === after.credit.transactionId);
      if (row !== undefined) this.#sums.withheld(message, row);
    }
  }

  #put<T extends WrittenTable>(table: T, rows: readonly RowOf<T>[]): void {
    for (const row of rows) (this.#rows[table] as RowOf<T>[]).push(row);
    this.#rowCount += rows.length;
  }
}

function keyOf({ index, part, instance }: Pick<Posting & BookedContribution, 'index' | 'part' | 'instance'>) {
  return `${index} ${part} ${instance}`;
}
