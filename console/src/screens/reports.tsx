import { answerOf, api } from '../api/client.ts';
import { cursorPages } from '../api/pages.ts';
import type { DailyRow } from '../api/rows.ts';
import { Choice, Filters, useFilters } from '../parts/filters.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { JackpotLink, Money, Name } from '../parts/values.tsx';
import { dayMs, percentText, utcDay, utcStartOf } from './reports/days.ts';

const groups = [
  ['day', 'By day'],
  ['day,brand', 'By day and brand'],
  ['brand', 'By brand'],
  ['instance', 'By jackpot'],
] as const;

const fields = [
  { name: 'from', label: 'From (UTC)', type: 'date' },
  { name: 'to', label: 'To (UTC)', type: 'date' },
  { name: 'brand', label: 'Brand' },
  { name: 'jackpot', label: 'Jackpot (id)' },
] as const;

const tables = ['contributions', 'wins', 'payments', 'payment_changes', 'daily_totals', 'entries'] as const;

/** What was contributed, won and owed, by day, brand or jackpot, and the rows behind it. */
export default function Reports() {
  const [filters] = useFilters();
  const group = groups.find(([name]) => name === filters.group)?.[0] ?? 'day';
  const query = {
    from: filters.from ?? utcDay(30),
    to: filters.to ?? utcDay(0),
    brand_id: filters.brand,
    instance_id: filters.jackpot,
    group_by: group,
  };
  const key = JSON.stringify(query);
  const limits = [filters.brand, filters.jackpot].map((of) => (of === undefined ? '' : ` of ${of}`)).join('');
  return (
    <>
      <Heading title="Reports" />
      <Choice label="Rows" name="group" options={groups} fallback="day" />
      <Filters fields={fields} />
      <p className="quiet">
        From {query.from} to {query.to}, days of UTC, by currency.
        {group.includes('brand') &&
          ' Liability and what is in pots are not of one brand: pots are shared by brands, see By jackpot.'}
      </p>
      <List
        key={key}
        what={`report ${group.replace(',', ' and ')}${limits} from ${query.from} to ${query.to}`}
        queryKey={['reports', key]}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/reports/daily', { params: { query: { ...page, ...query } } })),
        )}
        columns={columnsOf(group)}
        keyOf={(row) => `${row.day} ${row.brand_id} ${row.instance_id} ${row.currency}`}
        empty="Nothing was booked within these limits."
      />
      <h2>The rows behind it</h2>
      <p className="quiet">Whole tables of the books within these days, as CSV for spreadsheets.</p>
      <ul>
        {tables.map((table) => (
          <li key={table}>
            <a href={exportAddress(table, query)} download>
              {table.replace('_', ' ')}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

interface Limits {
  readonly from: string;
  readonly to: string;
  readonly brand_id: string | undefined;
  readonly instance_id: string | undefined;
}

function exportAddress(table: string, { from, to, brand_id, instance_id }: Limits): string {
  const times = { from: String(utcStartOf(from)), to: String(utcStartOf(to) + dayMs) };
  const query = new URLSearchParams({ format: 'csv', ...times });
  if (brand_id !== undefined) query.set('brand_id', brand_id);
  if (instance_id !== undefined) query.set('instance_id', instance_id);
  return `/config/exports/${table}?${query}`;
}

const amounts = [
  ['Wagered', 'wagered'],
  ['Contributed', 'contributed'],
  ['By players', 'player_part'],
  ['By the operator', 'operator_part'],
  ['Bonus', 'bonus'],
  ['Won', 'won'],
  ['Community wins', 'community'],
  ['Raffle wins', 'raffle'],
  ['Withheld', 'withheld'],
  ['Fees', 'fees'],
  ['Diverted', 'diverted'],
  ['Adjusted', 'adjusted'],
  ['Operator’s cost', 'operator_cost'],
  ['Liability', 'liability'],
  ['In pots', 'pot_values'],
] as const;

function columnsOf(group: string): readonly Column<DailyRow>[] {
  const by = group.split(',');
  const keys: Column<DailyRow>[] = [
    { head: 'Day', cell: (row) => row.day, text: (row) => row.day },
    { head: 'Brand', cell: (row) => <Name>{row.brand_id}</Name>, text: (row) => row.brand_id },
    {
      head: 'Jackpot',
      cell: (row) => (row.instance_id === undefined ? null : <JackpotLink id={row.instance_id} />),
      text: (row) => row.instance_id,
    },
  ];
  return [
    ...keys.filter(({ head }) => by.includes(head === 'Jackpot' ? 'instance' : head.toLowerCase())),
    { head: 'Currency', cell: (row) => row.currency, text: (row) => row.currency },
    {
      head: 'Contributions',
      isNumber: true,
      cell: (row) => row.contributions.toLocaleString(),
      text: (row) => row.contributions,
    },
    { head: 'Wins', isNumber: true, cell: (row) => row.wins.toLocaleString(), text: (row) => row.wins },
    ...amounts.map(
      ([head, name]): Column<DailyRow> => ({
        head,
        isNumber: true,
        cell: (row) => <Money amount={row[name]} currency={row.currency} />,
        text: (row) => row[name],
      }),
    ),
    {
      head: 'Won ÷ contributed',
      isNumber: true,
      cell: (row) => percentText(row.actual_return),
      text: (row) => row.actual_return,
    },
    {
      head: 'Return as configured',
      isNumber: true,
      cell: (row) => percentText(row.configured_return),
      text: (row) => row.configured_return,
    },
  ];
}
