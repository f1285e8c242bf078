import type { Instance } from '../../jackpot/state/instance/instance.ts';
import type { Recorder, TakenContribution } from '../../jackpot/state/lane/recorder.ts';
import { instanceAccounts, potAccounts, potAt } from '../../jackpot/state/money/accounts.ts';
import type { OpenDebit } from '../../jackpot/state/settlements/open-debits.ts';
import { assert } from '../../lib/assert.ts';
import { readWide } from '../../lib/wide.ts';
import type { CreditRecord, FlushRecord, SettlementRecord } from '../../messages/settlements.ts';
import { contributionIdOf } from '../../messages/transaction-ids.ts';
import type { BookedContribution, PaymentChange, Posting } from '../base/booked-message.ts';

/** An instance as it was before the step at hand. */
interface Shadow {
  readonly instance: Instance;
  readonly balances: Float64Array;
  flush: FlushRecord | null;
  /** The command at hand has touched it. */
  isTouched: boolean;
  /** Once a contribution that hit was fed, and once a pot was paid. */
  fed: Float64Array | null;
  paid: Float64Array | null;
}

interface ChangedFlush {
  readonly index: number;
  readonly before: FlushRecord | null;
  readonly after: FlushRecord | null;
}

/** What one message does to the books. */
export class BookRecorder implements Recorder {
  postings: Posting[] = [];
  contributions: BookedContribution[] = [];
  payments: PaymentChange[] = [];
  flushes: ChangedFlush[] = [];
  readonly #shadows = new WeakMap<Instance, Shadow>();
  readonly #touched: Shadow[] = [];
  #sequence = 0;
  #index = 0;
  #part = 0;

  begin(sequence: number): void {
    this.postings = [];
    this.contributions = [];
    this.payments = [];
    this.flushes = [];
    this.#sequence = sequence;
  }

  command(index: number): void {
    this.end();
    this.#index = index;
    this.#part = 0;
  }

  touched(instance: Instance): void {
    let shadow = this.#shadows.get(instance);
    if (shadow?.isTouched === true) return;
    if (shadow === undefined) {
      const balances = new Float64Array(instance.balances.length);
      shadow = { instance, balances, flush: null, isTouched: true, fed: null, paid: null };
      this.#shadows.set(instance, shadow);
    }
    shadow.balances.set(instance.balances);
    shadow.flush = instance.flush;
    shadow.isTouched = true;
    this.#touched.push(shadow);
  }

  fed(instance: Instance): void {
    this.#shadowOf(instance).fed = instance.balances.slice();
  }

  paid(instance: Instance): void {
    this.#shadowOf(instance).paid = instance.balances.slice();
  }

  taken(contribution: TakenContribution): void {
    const { instance } = contribution.entry;
    const shadow = this.#shadowOf(instance);
    const { fed, paid } = shadow;
    this.#post(shadow, 'contribution', (paid === null ? null : fed) ?? instance.balances);
    if (paid !== null) this.#post(shadow, 'win', paid);
    shadow.fed = null;
    shadow.paid = null;
    this.contributions.push(this.#booked(contribution));
    this.#part += 1;
  }

  readonly debit = (before: OpenDebit | null, after: OpenDebit | null): void => {
    this.#paymentChanged(
      before === null ? null : { kind: 'debit', debit: before },
      after === null ? null : { kind: 'debit', debit: after },
    );
  };

  readonly credit = (before: CreditRecord | null, after: CreditRecord | null): void => {
    this.#paymentChanged(
      before === null ? null : { kind: 'credit', credit: before },
      after === null ? null : { kind: 'credit', credit: after },
    );
  };

  /** The work of a command is done. */
  end(): void {
    this.#part = 0;
    for (const shadow of this.#touched) {
      const { instance, paid, flush } = shadow;
      if (paid !== null) this.#post(shadow, 'win', paid);
      this.#post(shadow, 'command', instance.balances);
      if (flush !== instance.flush)
        this.flushes.push({ index: this.#index, before: flush, after: instance.flush });
      shadow.isTouched = false;
      shadow.fed = null;
      shadow.paid = null;
    }
    this.#touched.length = 0;
  }

  #shadowOf(instance: Instance): Shadow {
    const shadow = this.#shadows.get(instance);
    assert(shadow?.isTouched === true, 'an instance is touched before it changes');
    return shadow;
  }

  #paymentChanged(before: SettlementRecord | null, after: SettlementRecord | null): void {
    this.payments.push({ index: this.#index, before, after });
  }

  #booked({ entry, command, quote, debit, outcome }: TakenContribution): BookedContribution {
    const { price, wagerAtoms } = quote;
    const { instance, isLink } = entry;
    const { from, to, table } = price.exchange;
    return {
      index: this.#index,
      part: this.#part,
      instance: instance.id,
      instanceSequence: outcome.sequence,
      epoch: instance.epochs.current,
      command,
      contributionId: debit?.contributionId ?? contributionIdOf(command.contributionId, instance.id, isLink),
      isLink,
      made: this.#placeOf(command, debit),
      debitAtoms: price.debitAtoms,
      requestAtoms: price.requestAtoms,
      bonusAtoms: price.bonusAtoms,
      contributionAtoms: price.contributionAtoms,
      playerAtoms: price.playerAtoms,
      wagerAtoms,
      rateVersion: from === to ? 0 : (table?.version ?? 0),
      win: outcome.win,
      tickets: outcome.tickets,
    };
  }

  /** Links come after the main part, and have its place. */
  #placeOf(command: TakenContribution['command'], debit: OpenDebit | null): BookedContribution['made'] {
    if (debit !== null) return { sequence: debit.sequence, index: debit.index };
    const main = this.contributions.at(-1);
    return main?.command === command ? main.made : { sequence: this.#sequence, index: this.#index };
  }

  /** What has changed from the shadow to `after`, which the shadow then is. */
  #post(shadow: Shadow, phase: Posting['phase'], after: Float64Array): void {
    const { instance, balances } = shadow;
    const amounts = movedAmounts(instance, balances, after);
    balances.set(after);
    if (amounts.length === 0) return;
    const sum = amounts.reduce((total, [, atoms]) => total + atoms, 0n);
    assert(sum === 0n, 'what a step moves between accounts sums to zero');
    this.postings.push({ index: this.#index, part: this.#part, instance: instance.id, phase, amounts });
  }
}

function movedAmounts(
  { pots }: Instance,
  before: Float64Array,
  after: Float64Array,
): readonly (readonly [account: string, atoms: bigint])[] {
  const amounts: [string, bigint][] = [];
  const isMoved = (at: number) => before[at] !== after[at] || before[at + 1] !== after[at + 1];
  const moved = (at: number) => readWide(after, at) - readWide(before, at);
  for (const [name, at] of instanceAccounts) if (isMoved(at)) amounts.push([name, moved(at)]);
  for (const { index, effective } of pots)
    for (const [name, offset] of potAccounts) {
      const at = potAt(index) + offset;
      if (isMoved(at)) amounts.push([`${effective.id}.${name}`, moved(at)]);
    }
  return amounts;
}
