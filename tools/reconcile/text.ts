import { timeText } from '../../src/cli/terminal/table.ts';
import type { Difference, DifferenceKind, OnBehalf, Total } from './compare.ts';
import type { ReconcileSummary } from './reconcile.ts';

/** What a person does about each kind (docs/reconcile.md "Differences"). */
export const whatToDo: Readonly<Record<DifferenceKind, string>> = {
  missing_at_wallet:
    'The wallet confirmed it and has no such transaction. Ask its operator; a player may lack money. Check that the statement reaches back far enough.',
  unknown_to_us:
    'No lane has this transaction. Ask who made it with our credentials. Check the brand, and that the log reaches back far enough (--look-back).',
  content_differs:
    'Both sides have it, with other content. Ask the operator to correct the booking; its wallet fails the conformance kit.',
  done_here_cancelled_there:
    'We count it as done, the wallet cancelled it. Of a debit, the player paid nothing for a contribution that counts. Ask the operator.',
  done_there_cancelled_here:
    'The contribution was refused, and the wallet kept the money. The operator gives it back to the player.',
  done_there_open_here:
    'Wait: the service repeats it with the same id. If it stays, look at "potstream settlements list", and resolve it.',
  doubled:
    'The statement has this id more than once. If the wallet moved the money twice, the operator corrects it; its wallet fails the conformance kit.',
};

/** One line for a difference. */
export function differenceLine(one: Difference): string {
  return `${one.kind}  ${transaction(one)}  ${printable(one.detail)}\n`;
}

/** One line for a payment that a person resolved. */
export function handLine(one: OnBehalf): string {
  const where = one.atWallet
    ? 'the wallet has it too: make sure that the player did not get it twice'
    : 'not at the wallet';
  return `by_hand  ${transaction(one)}  ${where}; ${printable(one.note)}\n`;
}

/** The end of the report: sums, what was read, what to do, the verdict. */
export function summaryText(summary: ReconcileSummary): string {
  const { brand, from, to, ledger, statements, matched, differences, by_hand, totals, kinds } = summary;
  const lines = [
    '',
    `brand        ${brand}`,
    `period       ${from} to ${to}`,
    `ledger       ${ledger.from ?? 'nothing'} on, ${ledger.lanes} lanes, ${ledger.open} still open`,
    `statements   ${statements.rows} rows, needed from ${statements.needed_from} to ${statements.needed_to}`,
    ...totals.map(totalLine),
    `matched      ${matched}`,
    `by hand      ${by_hand}`,
    `differences  ${differences}`,
    ...Object.keys(kinds).map((kind) => `  ${kind}: ${kinds[kind]}. ${whatToDo[kind as DifferenceKind]}`),
    differences === 0 ? 'RECONCILED' : 'NOT RECONCILED',
  ];
  return `${lines.join('\n')}\n`;
}

function totalLine({ currency, type, ledger, wallet }: Total): string {
  const sides = `ledger ${ledger.amount} (${ledger.count}), wallet ${wallet.amount} (${wallet.count})`;
  return `total        ${currency} ${type}: ${sides}`;
}

function transaction(one: Omit<OnBehalf, 'note' | 'atWallet'>): string {
  const amount = one.amount === null ? '' : ` ${one.amount} ${printable(one.currency ?? '')}`;
  const when = timeText(one.timestampMs);
  return `${printable(one.id)}  ${one.type}${amount}  ${printable(one.player)}  ${when}`;
}

/** Control characters of a wallet are no commands to the terminal. */
function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}/gu, '?');
}
