import type { LoggedBatch, LoggedCommand } from '../../src/messages/commands.ts';
import type { LaneEvent } from '../../src/messages/events.ts';
import type { OutcomeRecord } from '../../src/messages/outcomes.ts';
import type { CreditBatch, CreditRecord, LaneWork } from '../../src/messages/settlements.ts';
import { creditId } from '../../src/messages/transaction-ids.ts';
import type { LedgerState, LedgerTransaction } from './transaction.ts';

/** Where the ledger's transactions go. */
export interface LedgerSink {
  opened(transaction: LedgerTransaction): void;
  ended(id: string, state: Exclude<LedgerState, 'open'>, settledMs: number, note: string | null): void;
  addBatch(id: string): void;
}

type Decision = { readonly user: string; readonly reason: string };

/**
 * The debits and credits of a brand's players from the messages of a lane in order: opened by records, ended
 * by commands whose outcome is no refusal (docs/rules/settlements.md "Debits", "Credits").
 */
export class LaneLedger {
  readonly #brand: string;
  readonly #sink: LedgerSink;

  constructor(brand: string, sink: LedgerSink) {
    this.#brand = brand;
    this.#sink = sink;
  }

  /** Whether the commands of a message matter for its record. */
  static needsCommands({ events, outcomes }: OutcomeRecord, isSettlement: boolean): boolean {
    // Quarantined messages are refused whole, and need not be readable.
    if (outcomes.every(({ kind }) => kind === 'Refused')) return false;
    return (
      isSettlement ||
      events.some(({ kind }) => kind === 'PayoutChanged') ||
      outcomes.some(({ kind }) => kind === 'Settled' || kind === 'Done')
    );
  }

  take(record: OutcomeRecord, batch: LoggedBatch | null): void {
    const applied = (batch?.commands ?? []).filter(
      (_, index) => record.outcomes[index] !== undefined && record.outcomes[index].kind !== 'Refused',
    );
    this.#announced(record);
    for (const work of record.work) this.#due(work);
    const decisions = new Map<string, Decision>();
    for (const command of applied) this.#settled(command, record.timestampMs, decisions);
    for (const event of record.events)
      if (event.kind === 'PayoutChanged') this.#changed(event.credit, record.timestampMs, decisions);
  }

  #due(work: LaneWork): void {
    if (work.kind === 'CreditsDue' && work.batch.brand === this.#brand)
      this.#sink.addBatch(work.batch.batchId);
    if (work.kind === 'CreditDue' && work.credit.brand === this.#brand) this.#openCredit(work.credit);
    if (work.kind !== 'DebitDue' || work.debit.brand !== this.#brand) return;
    const { transactionId: id, player, amountAtoms, currency, openedMs } = work.debit;
    this.#sink.opened({ id, type: 'Debit', player, amountAtoms, currency, openedMs });
  }

  /** The shares of a batch are alone in the record only once one of them changes. */
  #announced({ work, events, timestampMs }: OutcomeRecord): void {
    for (const each of work) {
      if (each.kind !== 'CreditsDue' || each.batch.brand !== this.#brand) continue;
      for (const player of playersOf(each.batch, events)) {
        const { instance, pot, instanceCount, brand, kind, currency } = each.batch;
        if (kind === 'close') continue;
        const id = creditId(instance, pot, instanceCount, brand, player, kind);
        this.#sink.opened({ id, type: 'Credit', player, amountAtoms: null, currency, openedMs: timestampMs });
      }
    }
  }

  #openCredit({ transactionId: id, player, paidAtoms, paidCurrency, openedMs }: CreditRecord): void {
    this.#sink.opened({
      ...{ id, type: 'Credit', player },
      ...{ amountAtoms: paidAtoms, currency: paidCurrency, openedMs },
    });
  }

  #settled(command: LoggedCommand, nowMs: number, decisions: Map<string, Decision>): void {
    switch (command.kind) {
      case 'DebitSettled': {
        const { transactionId, result, expiresMs } = command;
        if (expiresMs !== undefined && nowMs > expiresMs) return;
        this.#sink.ended(transactionId, result === 'debited' ? 'done' : 'cancelled', nowMs, null);
        return;
      }
      case 'CancelDebit':
        this.#sink.ended(command.transactionId, 'cancelled', nowMs, noteOf(command));
        return;
      case 'CreditSettled':
        // For other kinds the changed records say it. The record of a closing credit has no event.
        if (command.result === 'accepted')
          for (const id of command.transactionIds) this.#sink.ended(id, 'done', nowMs, null);
        return;
      case 'ResolveCredit':
        decisions.set(command.transactionId, command);
        this.#sink.ended(command.transactionId, 'by_hand', nowMs, noteOf(command));
        return;
      case 'ReleaseCredit':
        decisions.set(command.transactionId, command);
    }
  }

  /** The whole record: also of a credit that was opened long before, or withheld. */
  #changed(credit: CreditRecord, nowMs: number, decisions: ReadonlyMap<string, Decision>): void {
    if (credit.brand !== this.#brand) return;
    this.#openCredit(credit);
    if (credit.state !== 'settled') return;
    const decision = decisions.get(credit.transactionId);
    if (decision === undefined) this.#sink.ended(credit.transactionId, 'done', nowMs, null);
    else {
      const state = credit.wallet ? 'by_hand' : 'booked';
      this.#sink.ended(credit.transactionId, state, nowMs, noteOf(decision));
    }
  }
}

/** Players of the batch's brand among those whom its win or round has paid in the same record. */
function* playersOf(batch: CreditBatch, events: readonly LaneEvent[]): Generator<string> {
  for (const event of events) {
    if (event.kind !== 'Won' && event.kind !== 'RaffleWon') continue;
    const { instance, pot, instanceCount } = event;
    if (instance !== batch.instance || pot !== batch.pot || instanceCount !== batch.instanceCount) continue;
    const shares = event.kind === 'Won' ? event.community : event.winners;
    for (const { brand, player } of shares) if (brand === batch.brand) yield player;
  }
}

function noteOf({ user, reason }: Decision): string {
  return `${user}: ${reason}`;
}
