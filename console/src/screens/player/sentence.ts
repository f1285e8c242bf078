import { type Amount, amountText } from '../../parts/decimals.ts';

interface Payment {
  readonly kind: string;
  readonly state: string;
  readonly transaction_id: string;
  readonly paid_amount: Amount;
  readonly paid_currency: string;
  readonly opened_timestamp: number;
  readonly changed_timestamp: number;
  readonly closed_timestamp: number | null;
}

/** The part of a player's record that the answer is made of. */
interface Money {
  readonly open_payments: readonly Payment[];
  readonly payments: readonly Payment[];
  readonly wins: readonly unknown[];
}

/** What to answer a player who asks where the money is. */
export function whereIsTheMoney(
  { open_payments: open, payments, wins }: Money,
  timeText: (ms: number) => string,
): string {
  const credits = open.filter(({ kind }) => kind !== 'debit');
  if (credits.length > 0) return credits.map((each) => openText(each, timeText)).join(' ');
  const paid = payments.find(({ kind, state }) => kind !== 'debit' && state === 'settled');
  if (paid !== undefined) {
    const when = timeText(paid.closed_timestamp ?? paid.changed_timestamp);
    return `No win is waiting to be paid. The last one, ${money(paid)}, was paid on ${when} (transaction ${paid.transaction_id}).`;
  }
  return wins.length === 0
    ? 'There is no win on record for this player.'
    : 'No win is waiting to be paid, and none of the newest was paid through a wallet.';
}

function openText(payment: Payment, timeText: (ms: number) => string): string {
  const won = `The win of ${money(payment)} from ${timeText(payment.opened_timestamp)}`;
  const transaction = `(transaction ${payment.transaction_id})`;
  switch (payment.state) {
    case 'withheld':
      return `${won} is being checked by a person before it is paid ${transaction}.`;
    case 'unknown':
      return `${won} was sent to the wallet, which has not yet confirmed it ${transaction}.`;
    case 'dead':
      return `${won} could not be paid by the wallet; a person is deciding what to do ${transaction}.`;
    default:
      return `${won} is on its way to the wallet ${transaction}.`;
  }
}

function money({ paid_amount: amount, paid_currency: currency }: Payment): string {
  return `${amountText(amount, currency)} ${currency}`;
}
