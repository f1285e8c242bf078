import { useState } from 'react';
import { type Settlement, type WaitingState, waitingPayments } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Choice, useFilters } from '../parts/filters.tsx';
import { type Column, isoTime, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { durationText, JackpotLink, Money, Name, PlayerLink, Reason, State, Time } from '../parts/values.tsx';
import { Decision } from './money/decision.tsx';
import { type Verb, verbsOf } from './money/words.ts';

const states = [
  ['withheld', 'Withheld'],
  ['unknown', 'Unknown'],
  ['dead', 'Dead'],
  ['pending', 'Under way'],
] as const;

const meanings: Readonly<Record<WaitingState, string>> = {
  withheld: 'Wins above the limit of their brand. Nobody has asked a wallet to pay them.',
  unknown: 'The wallet did not say whether it has paid, or taken, the money.',
  dead: 'The wallet refused for good, or was asked too often.',
  pending: 'The service is working on these; nobody has to do anything.',
};

/** Payments that are not settled, and what a person decides about them. */
export default function MoneyScreen() {
  const [filters] = useFilters();
  const [deciding, setDeciding] = useState<{ readonly payment: Settlement; readonly verb: Verb } | null>(
    null,
  );
  const state = (states.find(([name]) => name === filters.state)?.[0] ?? 'withheld') as WaitingState;
  const columns: readonly Column<Settlement>[] = [
    {
      head: 'Opened',
      cell: (row) => <Time ms={row.opened_timestamp} />,
      text: (row) => isoTime(row.opened_timestamp),
    },
    { head: 'Age', cell: (row) => durationText(row.age_ms), text: (row) => row.age_ms },
    {
      head: 'Player',
      cell: (row) => <PlayerLink brand={row.brand_id} player={row.player_id} />,
      text: (row) => row.player_id,
    },
    { head: 'Brand', cell: (row) => <Name>{row.brand_id}</Name>, text: (row) => row.brand_id },
    {
      head: 'Amount',
      isNumber: true,
      cell: (row) => <Money amount={row.paid_amount} currency={row.paid_currency} />,
      text: (row) => row.paid_amount,
    },
    {
      head: 'Decide',
      cell: (row) => (
        <span className="actions">
          {verbsOf(row).map((verb) => (
            <Act key={verb} needs="move_money" begin={() => setDeciding({ payment: row, verb })}>
              {verb === 'release' ? 'Release' : verb === 'retry' ? 'Retry' : 'Resolve'}
            </Act>
          ))}
        </span>
      ),
      text: () => '',
    },
    { head: 'Currency', cell: (row) => row.paid_currency, text: (row) => row.paid_currency },
    { head: 'Kind', cell: (row) => row.kind, text: (row) => row.kind },
    { head: 'State', cell: (row) => <State>{row.state}</State>, text: (row) => row.state },
    { head: 'Last answer', cell: (row) => <Reason>{row.reason}</Reason>, text: (row) => row.reason },
    { head: 'Jackpot', cell: (row) => <JackpotLink id={row.instance_id} />, text: (row) => row.instance_id },
    { head: 'Transaction', cell: (row) => <span className="id">{row.id}</span>, text: (row) => row.id },
  ];
  return (
    <>
      <Heading title="Money" />
      <Choice label="State" name="state" options={states} fallback="withheld" />
      <p className="quiet">{meanings[state]}</p>
      <List
        key={state}
        what={`${state} payments`}
        queryKey={['settlements', state]}
        load={waitingPayments(state)}
        columns={columns}
        keyOf={(row) => row.id}
        empty="No payment is in this state."
        refetchMs={10_000}
      />
      {deciding !== null && <Decision {...deciding} close={() => setDeciding(null)} />}
    </>
  );
}
