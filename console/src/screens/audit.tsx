import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { cursorPages } from '../api/pages.ts';
import type { AuditEntry } from '../api/rows.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Filters, useFilters } from '../parts/filters.tsx';
import { type Column, isoTime, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { Json, Name, State, Time } from '../parts/values.tsx';
import { operationText } from './audit/operations.ts';
import { dayEndOf, dayStartOf } from './reports/days.ts';

const fields = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
  { name: 'user', label: 'User' },
  { name: 'operation', label: 'Operation (id, such as settlements.resolve)' },
  { name: 'owner', label: 'Owner' },
] as const;

/** Who changed what, and what it was before. */
export default function Audit() {
  const [filters] = useFilters();
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const query = {
    timestamp_start: dayStartOf(filters.from),
    timestamp_end: dayEndOf(filters.to),
    user: filters.user,
    operation: filters.operation,
    owner_id: filters.owner,
  };
  const key = JSON.stringify(query);
  const columns: readonly Column<AuditEntry>[] = [
    { head: 'Time', cell: (row) => <Time ms={row.timestamp} />, text: (row) => isoTime(row.timestamp) },
    { head: 'Who', cell: (row) => <Name>{row.user}</Name>, text: (row) => row.user },
    {
      head: 'Operation',
      cell: (row) => (
        <span title={row.operation}>
          <Name>{operationText(row.operation)}</Name>
        </span>
      ),
      text: (row) => row.operation,
    },
    {
      head: 'Changes',
      cell: (row) => (
        <button type="button" onClick={() => setShown(row)}>
          Show
        </button>
      ),
      text: (row) => JSON.stringify(row.changes),
    },
    { head: 'Reason', cell: (row) => <Name>{row.reason}</Name>, text: (row) => row.reason },
    {
      head: 'Request',
      cell: (row) => <Name>{`${row.method} ${row.path}`}</Name>,
      text: (row) => `${row.method} ${row.path}`,
    },
    { head: 'Outcome', cell: (row) => <State>{row.outcome}</State>, text: (row) => row.outcome },
    { head: 'Code', cell: (row) => <Name>{row.code}</Name>, text: (row) => row.code },
    { head: 'Times', isNumber: true, cell: (row) => row.count.toLocaleString(), text: (row) => row.count },
    {
      head: 'Approved by',
      cell: (row) => <Name>{row.approval?.approved_by}</Name>,
      text: (row) => row.approval?.approved_by,
    },
    {
      head: 'Owners',
      cell: (row) => <Name>{row.owners.join(', ')}</Name>,
      text: (row) => row.owners.join(', '),
    },
    { head: 'From', cell: (row) => <Name>{row.address}</Name>, text: (row) => row.address },
    {
      head: 'Request id',
      cell: (row) => <span className="id">{row.request_id}</span>,
      text: (row) => row.request_id,
    },
  ];
  return (
    <>
      <Heading title="Audit" />
      <Filters fields={fields} />
      <List
        key={key}
        what="audit entries"
        queryKey={['audit', key]}
        load={cursorPages((page) =>
          answerOf(
            api.GET('/config/audit', { params: { query: { ...page, ...query, sort_direction: -1 } } }),
          ),
        )}
        columns={columns}
        keyOf={(row) => row.id}
        empty="Nothing was changed within these limits."
      />
      {shown !== null && <Entry entry={shown} close={() => setShown(null)} />}
    </>
  );
}

function Entry({ entry, close }: { readonly entry: AuditEntry; readonly close: () => void }) {
  return (
    <Dialog title="Entry of the audit trail" close={close}>
      <h2>
        <Name>{entry.user}</Name>: {operationText(entry.operation)}
      </h2>
      <p>
        <span className="id">{entry.operation}</span> <Time ms={entry.timestamp} />{' '}
        <State>{entry.outcome}</State>
      </p>
      <h3>Input</h3>
      <Json of={entry.input} label="Input" />
      {entry.changes.map((change) => (
        <section key={change.object}>
          <h3>
            <Name>{change.object}</Name>
          </h3>
          <p>Before</p>
          <Json of={change.before} label={`${change.object} before`} />
          <p>After</p>
          <Json of={change.after} label={`${change.object} after`} />
        </section>
      ))}
      <button type="button" className="primary" onClick={close}>
        Close
      </button>
    </Dialog>
  );
}
