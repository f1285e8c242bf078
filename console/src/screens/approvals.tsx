import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { usePeriod } from '../api/events.ts';
import { cursorPages } from '../api/pages.ts';
import { type Approval, operatorsQuery } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Choice, useFilters } from '../parts/filters.tsx';
import { type Column, isoTime, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { durationText, Name, State, Time } from '../parts/values.tsx';
import { useMe } from '../session/session.tsx';
import { Approve, Reject } from './approvals/decision.tsx';
import { rightToDecide, whereOff, whyNotApprove } from './approvals/words.ts';

const states = [
  ['open', 'Open'],
  ['approved', 'Approved'],
  ['executed', 'Executed'],
  ['refused', 'Refused'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired'],
] as const;

/** Changes that need a second administrator. */
export default function Approvals() {
  const me = useMe();
  const [filters] = useFilters();
  const [deciding, setDeciding] = useState<{
    readonly approval: Approval;
    readonly approves: boolean;
  } | null>(null);
  const state = states.find(([name]) => name === filters.state)?.[0] ?? 'open';
  const columns: readonly Column<Approval>[] = [
    {
      head: 'Proposed',
      cell: (row) => <Time ms={row.created_timestamp} />,
      text: (row) => isoTime(row.created_timestamp),
    },
    { head: 'By', cell: (row) => <Name>{row.proposed_by}</Name>, text: (row) => row.proposed_by },
    { head: 'What', cell: (row) => <Name>{row.name}</Name>, text: (row) => row.name },
    {
      head: 'Request',
      cell: (row) => <Name>{`${row.method} ${row.path}`}</Name>,
      text: (row) => `${row.method} ${row.path}`,
    },
    { head: 'Owner', cell: (row) => <Name>{row.owner_id}</Name>, text: (row) => row.owner_id },
    { head: 'Reason', cell: (row) => <Name>{row.reason}</Name>, text: (row) => row.reason },
    { head: 'State', cell: (row) => <State>{row.state}</State>, text: (row) => row.state },
    {
      head: 'Until',
      cell: (row) =>
        row.state === 'open' ? (
          <>
            <Time ms={row.expires_timestamp} /> ({durationText(row.expires_timestamp - Date.now())})
          </>
        ) : (
          <Time ms={row.expires_timestamp} />
        ),
      text: (row) => isoTime(row.expires_timestamp),
    },
    { head: 'Decided by', cell: (row) => <Name>{row.decided_by}</Name>, text: (row) => row.decided_by },
    {
      head: 'Decide',
      cell: (row) =>
        row.state !== 'open' ? null : (
          <span className="actions">
            <Act
              needs={rightToDecide(row, me.username)}
              forbidden={whyNotApprove(row, me.username)}
              begin={() => setDeciding({ approval: row, approves: true })}
            >
              Approve
            </Act>
            <Act
              needs={rightToDecide(row, me.username)}
              begin={() => setDeciding({ approval: row, approves: false })}
            >
              {row.proposed_by === me.username ? 'Withdraw' : 'Reject'}
            </Act>
            <span className="quiet">{whyNotApprove(row, me.username)}</span>
          </span>
        ),
      text: () => '',
    },
  ];
  const close = () => setDeciding(null);
  const off = whereOff(useQuery(operatorsQuery).data ?? []);
  return (
    <>
      <Heading title="Approvals" />
      {off !== null && <p className="warning">{off}</p>}
      <Choice label="State" name="state" options={states} fallback="open" />
      <List
        key={state}
        what={`${state} approvals`}
        queryKey={['approvals', state]}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/approvals', { params: { query: { ...page, state } } })),
        )}
        columns={columns}
        keyOf={(row) => row.id}
        empty={state === 'open' ? 'No change waits for approval.' : 'None is kept.'}
        refetchMs={usePeriod(10_000)}
      />
      {deciding?.approves === true && <Approve approval={deciding.approval} close={close} />}
      {deciding?.approves === false && <Reject approval={deciding.approval} close={close} />}
    </>
  );
}
