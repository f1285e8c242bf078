import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { cursorPages } from '../api/pages.ts';
import type { Delivery } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Decide, reasonOf } from '../parts/decide.tsx';
import { Choice, useFilters } from '../parts/filters.tsx';
import { type Column, isoTime, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { durationText, JackpotLink, Money, Name, State, Time } from '../parts/values.tsx';
import { whyNot } from '../session/rights.ts';
import { useMe } from '../session/session.tsx';

const states = [
  ['dead', 'Given up'],
  ['pending', 'Under way'],
] as const;

const kinds = [
  ['', 'All'],
  ['callback', 'Callbacks'],
  ['event', 'Events'],
  ['flush', 'Flushes'],
  ['backlog', 'Backlogs'],
] as const;

interface Deciding {
  readonly delivery: Delivery;
  readonly verb: 'replay' | 'resolve';
}

/** What operators' servers have not accepted. */
export default function Deliveries() {
  const [filters] = useFilters();
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const state = states.find(([name]) => name === filters.state)?.[0] ?? 'dead';
  const chosen = kinds.find(([name]) => name === filters.kind)?.[0] ?? '';
  const kind = chosen === '' ? undefined : chosen;
  const columns: readonly Column<Delivery>[] = [
    {
      head: 'Created',
      cell: (row) => <Time ms={row.created_timestamp} />,
      text: (row) => isoTime(row.created_timestamp),
    },
    { head: 'Age', cell: (row) => durationText(row.age_ms), text: (row) => row.age_ms },
    { head: 'Kind', cell: (row) => row.kind, text: (row) => row.kind },
    { head: 'Event', cell: (row) => <Name>{row.event_type}</Name>, text: (row) => row.event_type },
    { head: 'To', cell: (row) => <Name>{row.origin}</Name>, text: (row) => row.origin },
    { head: 'Owner', cell: (row) => <Name>{row.owner_id}</Name>, text: (row) => row.owner_id },
    {
      head: 'Jackpot',
      cell: (row) => (row.instance_id === null ? <Name>{null}</Name> : <JackpotLink id={row.instance_id} />),
      text: (row) => row.instance_id,
    },
    {
      head: 'Amount',
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={row.currency} />,
      text: (row) => (row.amount === null ? '' : `${row.amount} ${row.currency}`),
    },
    { head: 'State', cell: (row) => <State>{row.state}</State>, text: (row) => row.state },
    {
      head: 'Tries',
      isNumber: true,
      cell: (row) => row.attempts.toLocaleString(),
      text: (row) => row.attempts,
    },
    { head: 'Last error', cell: (row) => <Name>{row.last_error}</Name>, text: (row) => row.last_error },
    {
      head: 'Next try',
      cell: (row) => <Time ms={row.next_try_timestamp} />,
      text: (row) => isoTime(row.next_try_timestamp),
    },
    { head: 'Id', cell: (row) => <span className="id">{row.id}</span>, text: (row) => row.id },
    {
      head: 'Decide',
      cell: (row) => (
        <span className="actions">
          <Act needs="move_money" begin={() => setDeciding({ delivery: row, verb: 'replay' })}>
            Send again
          </Act>
          {row.state === 'dead' && (
            <Act needs="move_money" begin={() => setDeciding({ delivery: row, verb: 'resolve' })}>
              Resolve
            </Act>
          )}
        </span>
      ),
      text: () => '',
    },
  ];
  const key = `${state} ${chosen}`;
  return (
    <>
      <Heading title="Deliveries" />
      <Choice label="State" name="state" options={states} fallback="dead" />
      <Choice label="Kind" name="kind" options={kinds} fallback="" />
      <List
        key={key}
        what={`${state} deliveries`}
        queryKey={['deliveries', key]}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/deliveries', { params: { query: { ...page, state, kind } } })),
        )}
        columns={columns}
        keyOf={(row) => row.id}
        empty={state === 'dead' ? 'No delivery has given up.' : 'No delivery is under way.'}
        refetchMs={10_000}
      />
      {deciding !== null && <Decision {...deciding} close={() => setDeciding(null)} />}
    </>
  );
}

function Decision({ delivery, verb, close }: Deciding & { readonly close: () => void }) {
  const forbidden = whyNot(useMe(), 'move_money');
  const { id, kind } = delivery;
  const common = { facts: <Facts delivery={delivery} />, forbidden, stale: ['deliveries'], close };
  const params = { path: { id } };
  if (verb === 'replay')
    return (
      <Decide
        {...common}
        title="Send this again"
        consequence={
          kind === 'backlog'
            ? 'The backlog goes on where it is.'
            : 'It is sent now, with the same id and body: a receiver that has it can tell. If that fails, it is tried by the whole schedule again.'
        }
        reason="none"
        send={() => answerOf<unknown>(api.POST('/config/deliveries/{id}/replay', { params }))}
      />
    );
  return (
    <Decide
      {...common}
      title="Resolve this delivery"
      consequence={
        kind === 'flush'
          ? 'It is not sent any more. Confirmed moves the money out of the pool, failed moves it back.'
          : 'It is not sent any more: the receiver never has it, unless it is replayed by its time.'
      }
      danger={
        kind === 'flush'
          ? 'Ask the receiver first whether it has booked this flush: it is its id that counts.'
          : null
      }
      fields={
        <label>
          The receiver
          <select name="result" required defaultValue="">
            <option value="" disabled>
              Choose…
            </option>
            <option value="confirmed">has it (confirmed)</option>
            <option value="failed">does not have it (failed)</option>
          </select>
        </label>
      }
      reason="required"
      send={(fields) => {
        const result = fields.get('result') === 'confirmed' ? 'confirmed' : 'failed';
        const body = { result, reason: reasonOf(fields) } as const;
        return answerOf<unknown>(api.POST('/config/deliveries/{id}/resolve', { params, body }));
      }}
    />
  );
}

function Facts({ delivery }: { readonly delivery: Delivery }) {
  return (
    <dl className="facts">
      <dt>What</dt>
      <dd>
        {delivery.kind} {delivery.event_type}
      </dd>
      <dt>To</dt>
      <dd>
        <Name>{delivery.origin}</Name>
      </dd>
      {delivery.amount !== null && (
        <>
          <dt>Amount</dt>
          <dd>
            <Money amount={delivery.amount} currency={delivery.currency} />
          </dd>
        </>
      )}
      <dt>Tries</dt>
      <dd>
        {delivery.attempts.toLocaleString()}, the last one <Time ms={delivery.last_try_timestamp} />
      </dd>
      <dt>Last error</dt>
      <dd>
        <Name>{delivery.last_error}</Name>
      </dd>
      <dt>Id</dt>
      <dd className="id">{delivery.id}</dd>
    </dl>
  );
}
