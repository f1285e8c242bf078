export type Verb = 'release' | 'retry' | 'resolve';

/** What counts of a payment here. */
interface Payment {
  readonly state: string;
  readonly kind: string;
}

/** What a person can decide about a payment (docs/rules/settlements.md "Decisions of people"). */
export function verbsOf({ state, kind }: Payment): readonly Verb[] {
  if (state === 'withheld') return ['release', 'resolve'];
  if (state === 'dead') return ['retry', 'resolve'];
  if (state === 'unknown') return kind === 'debit' ? ['resolve'] : ['retry', 'resolve'];
  return [];
}

/** What the decision does, as the name of its button. */
export function titleOf(verb: Verb, { kind }: Pick<Payment, 'kind'>): string {
  switch (verb) {
    case 'release':
      return 'Release this win';
    case 'retry':
      return 'Ask the wallet again';
    case 'resolve':
      return kind === 'debit' ? 'Cancel this debit' : 'Book as paid';
  }
}

/** What has happened; `state` is what the payment is in now, where the answer says so. */
export function doneText(verb: Verb, { kind }: Pick<Payment, 'kind'>, state: string | undefined): string {
  switch (verb) {
    case 'release':
      return state === 'settled'
        ? 'Booked as paid: the brand has no wallet.'
        : 'The wallet will be asked to pay now; the list shows its answer.';
    case 'retry':
      return 'The wallet will be asked again now; the list shows its answer.';
    case 'resolve':
      return kind === 'debit' ? 'The debit is cancelled.' : 'Booked as paid.';
  }
}

/** What will happen, before it does. */
export function consequenceOf(verb: Verb, { kind }: Pick<Payment, 'kind'>): string {
  switch (verb) {
    case 'release':
      return 'The wallet is asked to pay this win. Without a wallet, it is booked as paid.';
    case 'retry':
      return 'The wallet is asked again, with the same transaction id. This is safe: one that has paid already says so, and does not pay twice.';
    case 'resolve':
      return kind === 'debit'
        ? 'The debit is cancelled and the contribution refused. The service never asks about this transaction again.'
        : 'The win is booked as paid. The service does not ask the wallet any more.';
  }
}

/** What the person has to know to be true; null: nothing. */
export function conditionOf(verb: Verb, { kind }: Pick<Payment, 'kind'>): string | null {
  if (verb !== 'resolve') return null;
  return kind === 'debit'
    ? "The wallet's operator says that it took nothing, or has given it back."
    : 'The player has the money: the wallet’s operator says so, or it was paid in another way.';
}

/** How money could be paid twice; null: it cannot. */
export function dangerOf(verb: Verb, { kind, state }: Payment): string | null {
  if (verb !== 'resolve' || state !== 'unknown' || kind === 'debit') return null;
  return (
    'This can be paid twice. If you pay in another way, a request that is on its way to the wallet now may still pay, too. ' +
    "It is safe where the wallet's operator says that this transaction id is paid, or refuses it from now on. " +
    'Retry is safe as well: a wallet pays a transaction id once. Reconcile the period afterwards.'
  );
}
