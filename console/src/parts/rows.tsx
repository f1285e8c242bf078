import { Link } from '@tanstack/react-router';
import type { Contribution, Payment, Win } from '../api/rows.ts';
import { type Column, isoTime } from './list.tsx';
import { ContributionLink, JackpotLink, Money, Name, PlayerLink, Reason, State, Time } from './values.tsx';

/** Columns of the books' lists, which several screens show. */
export const contributionColumns: readonly Column<Contribution>[] = [
  { head: 'Time', cell: (row) => <Time ms={row.timestamp} />, text: (row) => isoTime(row.timestamp) },
  {
    head: 'Contribution',
    cell: (row) => <ContributionLink id={row.contribution_id} />,
    text: (row) => row.contribution_id,
  },
  { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
  {
    head: 'Player',
    cell: (row) => <PlayerLink brand={row.brand_id} player={row.player_id} />,
    text: (row) => row.player_id,
  },
  {
    head: 'Wager',
    isNumber: true,
    cell: (row) => <Money amount={row.base_wager} currency={row.currency} />,
    text: (row) => row.base_wager,
  },
  {
    head: 'Contributed',
    isNumber: true,
    cell: (row) => <Money amount={row.contribution_amount} currency={row.currency} />,
    text: (row) => row.contribution_amount,
  },
  { head: 'Currency', cell: (row) => row.currency, text: (row) => row.currency },
];

export const winColumns: readonly Column<Win>[] = [
  { head: 'Time', cell: (row) => <Time ms={row.timestamp} />, text: (row) => isoTime(row.timestamp) },
  { head: 'Kind', cell: (row) => row.kind, text: (row) => row.kind },
  { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
  { head: 'Pot', cell: (row) => <Name>{row.pot_id}</Name>, text: (row) => row.pot_id },
  {
    head: 'Player',
    cell: (row) => <PlayerLink brand={row.brand_id} player={row.player_id} />,
    text: (row) => row.player_id,
  },
  { head: 'Brand', cell: (row) => <Name>{row.brand_id}</Name>, text: (row) => row.brand_id },
  {
    head: 'Won',
    isNumber: true,
    cell: (row) => <Money amount={row.win_amount} currency={row.jackpot_currency} />,
    text: (row) => row.win_amount,
  },
  { head: 'Currency', cell: (row) => row.jackpot_currency, text: (row) => row.jackpot_currency },
  {
    head: 'In the player’s currency',
    isNumber: true,
    cell: (row) => <Money amount={row.paid_amount} currency={row.paid_currency} />,
    text: (row) => (row.paid_amount === null ? '' : `${row.paid_amount} ${row.paid_currency}`),
  },
  {
    head: 'Why',
    cell: (row) => <ContributionLink id={row.contribution_id} />,
    text: (row) => row.contribution_id,
  },
];

/** What the books and the lanes both know of a payment. */
export type OpenPayment = Pick<
  Payment,
  | 'transaction_id'
  | 'kind'
  | 'state'
  | 'instance_id'
  | 'paid_amount'
  | 'paid_currency'
  | 'reason'
  | 'opened_timestamp'
  | 'changed_timestamp'
>;

export const paymentColumns: readonly Column<OpenPayment>[] = [
  {
    head: 'Opened',
    cell: (row) => <Time ms={row.opened_timestamp} />,
    text: (row) => isoTime(row.opened_timestamp),
  },
  { head: 'Kind', cell: (row) => row.kind, text: (row) => row.kind },
  { head: 'State', cell: (row) => <State>{row.state}</State>, text: (row) => row.state },
  { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
  {
    head: 'Amount',
    isNumber: true,
    cell: (row) => <Money amount={row.paid_amount} currency={row.paid_currency} />,
    text: (row) => row.paid_amount,
  },
  { head: 'Currency', cell: (row) => row.paid_currency, text: (row) => row.paid_currency },
  { head: 'Last answer', cell: (row) => <Reason>{row.reason}</Reason>, text: (row) => row.reason },
  {
    head: 'Changed',
    cell: (row) => <Time ms={row.changed_timestamp} />,
    text: (row) => isoTime(row.changed_timestamp),
  },
  {
    head: 'Transaction',
    cell: (row) => <span className="id">{row.transaction_id}</span>,
    text: (row) => row.transaction_id,
  },
];

/** The state leads to where it is decided about. */
export const openPaymentColumns = paymentColumns.map(
  (column): Column<OpenPayment> =>
    column.head !== 'State'
      ? column
      : {
          ...column,
          cell: ({ state }) => (
            <Link to="/money" search={{ state }}>
              <State>{state}</State>
            </Link>
          ),
        },
);
