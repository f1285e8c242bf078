import { type Amount, moneyText } from '../../parts/decimals.ts';

interface Payment {
  readonly kind: string;
  readonly state: string;
  readonly transaction_id: string;
  readonly instance_id: string;
  readonly paid_amount: Amount;
  readonly paid_currency: string;
  readonly opened_timestamp: number;
}

interface Ended extends Payment {
  readonly changed_timestamp: number;
  readonly closed_timestamp: number | null;
}

/** The part of a player's record that the answer is made of. */
interface Money {
  readonly open: readonly Payment[];
  /** Settled since the books, which say no more of it yet. */
  readonly settled: readonly Payment[];
  readonly payments: readonly Ended[];
  readonly wins: readonly unknown[];
}

interface Texts {
  readonly timeText: (ms: number) => string;
  readonly jackpotText: (id: string) => string;
}

/** What to answer a player who asks where the money is. */
export function whereIsTheMoney({ open, settled, payments, wins }: Money, texts: Texts): string {
  const waiting = open.filter(isOfWin);
  if (waiting.length > 0) return waiting.map((each) => openText(each, texts)).join(' ');
  const justPaid = settled.filter(isOfWin);
  if (justPaid.length > 0)
    return `No win is waiting to be paid. ${justPaid
      .map((each) => `${winText(each, texts)} has just been booked as paid ${transactionText(each)}.`)
      .join(' ')}`;
  const paid = payments.find((each) => isOfWin(each) && each.state === 'settled');
  if (paid !== undefined) {
    const when = texts.timeText(paid.closed_timestamp ?? paid.changed_timestamp);
    const jackpot = texts.jackpotText(paid.instance_id);
    return `No win is waiting to be paid. The last one, ${money(paid)} of the jackpot ${jackpot}, was paid on ${when} ${transactionText(paid)}.`;
  }
  return wins.length === 0
    ? 'There is no win on record for this player.'
    : 'No win is waiting to be paid, and none of the newest was paid through a wallet.';
}

/** Not what a wager costs, nor the message of no money that ends a game round. */
function isOfWin({ kind }: Payment): boolean {
  return kind !== 'debit' && kind !== 'close';
}

function openText(payment: Payment, texts: Texts): string {
  const won = winText(payment, texts);
  const transaction = transactionText(payment);
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

function winText(payment: Payment, { timeText, jackpotText }: Texts): string {
  const jackpot = jackpotText(payment.instance_id);
  return `The win of ${money(payment)} from ${timeText(payment.opened_timestamp)}, of the jackpot ${jackpot},`;
}

function transactionText({ transaction_id: id }: Payment): string {
  return `(transaction ${id})`;
}

function money({ paid_amount: amount, paid_currency: currency }: Payment): string {
  return moneyText(amount, currency);
}
