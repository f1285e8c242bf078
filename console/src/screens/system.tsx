import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api, bodyOf } from '../api/client.ts';
import type { LoadPage } from '../api/pages.ts';
import type { Failover, Host, Lane } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { type Column, isoTime, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { durationText, Name, State, Time } from '../parts/values.tsx';
import { DrainHost, MoveLane } from './system/orders.tsx';

const refetchMs = 2_000;

/** Which host owns and follows which lane, and what changed. */
export default function System() {
  const [moving, setMoving] = useState<Lane | null>(null);
  const [draining, setDraining] = useState<Host | null>(null);
  const { data: hosts = [] } = useQuery({
    queryKey: ['hosts', 'ids'],
    queryFn: () => bodyOf(api.GET('/config/hosts')),
  });
  const moveColumn: Column<Lane> = {
    head: 'Order',
    cell: (row) => (
      <Act needs="run" begin={() => setMoving(row)}>
        Move
      </Act>
    ),
    text: () => '',
  };
  const drainColumn: Column<Host> = {
    head: 'Order',
    cell: (row) => (
      <Act needs="run" begin={() => setDraining(row)}>
        {row.is_drained ? 'Take back' : 'Drain'}
      </Act>
    ),
    text: () => '',
  };
  return (
    <>
      <Heading title="System" />
      <h2>Lanes</h2>
      <List
        what="lanes"
        queryKey={['lanes']}
        load={whole(() => answerOf(api.GET('/config/lanes')))}
        columns={[...laneColumns, moveColumn]}
        keyOf={(row) => String(row.lane)}
        empty="There is no lane."
        refetchMs={refetchMs}
      />
      <h2>Hosts</h2>
      <List
        what="hosts"
        queryKey={['hosts']}
        load={whole(() => answerOf(api.GET('/config/hosts')))}
        columns={[...hostColumns, drainColumn]}
        keyOf={(row) => row.id}
        empty="No host has renewed its record."
        refetchMs={refetchMs}
      />
      <h2>Changes of owners</h2>
      <p className="quiet">Moves that were planned are among them. Hosts remember them since they started.</p>
      <List
        what="failovers"
        queryKey={['failovers']}
        load={whole(() => answerOf(api.GET('/config/failovers')))}
        columns={failoverColumns}
        keyOf={(row) => `${row.lane} ${row.term}`}
        empty="None."
        refetchMs={refetchMs}
      />
      {moving !== null && (
        <MoveLane lane={moving} hosts={hosts.map(({ id }) => id)} close={() => setMoving(null)} />
      )}
      {draining !== null && (
        <DrainHost host={draining} isAlone={hosts.length === 1} close={() => setDraining(null)} />
      )}
    </>
  );
}

/** A list that comes at once. */
function whole<Row>(ask: () => Promise<{ readonly body: readonly Row[] }>): LoadPage<Row> {
  return async () => ({ rows: (await ask()).body, next: null, total: null, incomplete: null });
}

const number = (value: number | null): string => (value === null ? '–' : value.toLocaleString());

const noStandby = 'none: if this host dies, the lane waits until it is back';

const laneColumns: readonly Column<Lane>[] = [
  { head: 'Lane', isNumber: true, cell: (row) => row.lane, text: (row) => row.lane },
  { head: 'Condition', cell: (row) => <State>{row.condition}</State>, text: (row) => row.condition },
  { head: 'Why', cell: (row) => <Name>{row.code}</Name>, text: (row) => row.code },
  { head: 'Owner', cell: (row) => <Name>{row.owner}</Name>, text: (row) => row.owner },
  {
    head: 'Standby',
    cell: (row) => (
      <>
        {row.standby === null ? noStandby : <Name>{row.standby}</Name>}{' '}
        {row.standby !== null && !row.is_standby_warm && 'not warm'}
      </>
    ),
    text: (row) => row.standby ?? noStandby,
  },
  { head: 'Term', isNumber: true, cell: (row) => number(row.term), text: (row) => row.term },
  { head: 'Sequence', isNumber: true, cell: (row) => number(row.sequence), text: (row) => row.sequence },
  { head: 'Lag', isNumber: true, cell: (row) => number(row.lag), text: (row) => row.lag },
  {
    head: 'Standby’s lag',
    isNumber: true,
    cell: (row) => number(row.standby_lag),
    text: (row) => row.standby_lag,
  },
  {
    head: 'Engine',
    isNumber: true,
    cell: (row) => number(row.engine_version),
    text: (row) => row.engine_version,
  },
  { head: 'Belongs to', cell: (row) => <Name>{row.placed_owner}</Name>, text: (row) => row.placed_owner },
  { head: 'Pinned to', cell: (row) => <Name>{row.pinned_to}</Name>, text: (row) => row.pinned_to },
];

const hostColumns: readonly Column<Host>[] = [
  { head: 'Host', cell: (row) => <Name>{row.id}</Name>, text: (row) => row.id },
  { head: 'Condition', cell: (row) => conditionOf(row), text: conditionOf },
  { head: 'Owns', cell: (row) => lanesText(row.owned_lanes), text: (row) => lanesText(row.owned_lanes) },
  {
    head: 'Follows',
    cell: (row) => lanesText(row.followed_lanes),
    text: (row) => lanesText(row.followed_lanes),
  },
  { head: 'Halted', cell: (row) => lanesText(row.halted_lanes), text: (row) => lanesText(row.halted_lanes) },
  { head: 'Failures', isNumber: true, cell: (row) => number(row.failures), text: (row) => row.failures },
  {
    head: 'Engines',
    cell: ({ engine }) => `${engine.oldest} to ${engine.newest}`,
    text: ({ engine }) => `${engine.oldest} to ${engine.newest}`,
  },
];

function conditionOf({ is_settled, is_leaving, is_drained }: Host): string {
  if (is_leaving) return 'leaving';
  if (is_drained) return 'drained';
  return is_settled ? 'settled' : 'starting';
}

function lanesText(lanes: readonly number[]): string {
  return lanes.length === 0 ? '–' : lanes.join(', ');
}

const failoverColumns: readonly Column<Failover>[] = [
  { head: 'Time', cell: (row) => <Time ms={row.timestamp} />, text: (row) => isoTime(row.timestamp) },
  { head: 'Lane', isNumber: true, cell: (row) => row.lane, text: (row) => row.lane },
  { head: 'Term', isNumber: true, cell: (row) => number(row.term), text: (row) => row.term },
  { head: 'From', cell: (row) => <Name>{row.from}</Name>, text: (row) => row.from },
  { head: 'To', cell: (row) => <Name>{row.to}</Name>, text: (row) => row.to },
  {
    head: 'Silent for',
    isNumber: true,
    cell: (row) => (row.silent_ms < 1_000 ? `${row.silent_ms} ms` : durationText(row.silent_ms)),
    text: (row) => row.silent_ms,
  },
];
