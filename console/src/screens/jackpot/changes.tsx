import { answerOf, api } from '../../api/client.ts';
import { cursorPages } from '../../api/pages.ts';
import type { SignificantEvent } from '../../api/rows.ts';
import { type Column, isoTime, List } from '../../parts/list.tsx';
import { Money, Name, Time } from '../../parts/values.tsx';

const kinds = ['adjustment', 'status', 'parameters'] as const;

/** What people, and time, have changed of it. */
export function Changes({ id }: { readonly id: string }) {
  return kinds.map((kind) => (
    <section key={kind}>
      <h2>{headings[kind]}</h2>
      <List
        what={`${headings[kind].toLowerCase()} of ${id}`}
        queryKey={['significant', kind, id]}
        load={cursorPages((page) =>
          answerOf(
            api.GET('/config/reports/significant-events', {
              params: { query: { ...page, kind, instance_id: id } },
            }),
          ),
        )}
        columns={changeColumns}
        keyOf={(row) => `${row.lane} ${row.sequence} ${row.pot_id} ${row.action}`}
        empty="None."
      />
    </section>
  ));
}

const headings: Readonly<Record<(typeof kinds)[number], string>> = {
  adjustment: 'Adjustments and switches',
  status: 'Statuses',
  parameters: 'Changes of parameters',
};

const changeColumns: readonly Column<SignificantEvent>[] = [
  { head: 'Time', cell: (row) => <Time ms={row.timestamp} />, text: (row) => isoTime(row.timestamp) },
  {
    head: 'What',
    cell: (row) => <Name>{row.action ?? row.state}</Name>,
    text: (row) => row.action ?? row.state,
  },
  { head: 'Pot', cell: (row) => <Name>{row.pot_id}</Name>, text: (row) => row.pot_id },
  {
    head: 'Amount',
    isNumber: true,
    cell: (row) => <Money amount={row.amount} currency={row.currency} />,
    text: (row) => row.amount,
  },
  { head: 'Currency', cell: (row) => <Name>{row.currency}</Name>, text: (row) => row.currency },
  { head: 'By', cell: (row) => <Name>{row.changed_by}</Name>, text: (row) => row.changed_by },
  { head: 'Reason', cell: (row) => <Name>{row.reason}</Name>, text: (row) => row.reason },
  { head: 'Lane', isNumber: true, cell: (row) => row.lane, text: (row) => row.lane },
  {
    head: 'Sequence',
    isNumber: true,
    cell: (row) => row.sequence.toLocaleString(),
    text: (row) => row.sequence,
  },
];
