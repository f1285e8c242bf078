import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { answerOf, api, bodyOf } from '../api/client.ts';
import { cursorPages } from '../api/pages.ts';
import type { Conservation, Instance, SignificantEvent } from '../api/rows.ts';
import { type Column, isoTime, List, Rows } from '../parts/list.tsx';
import { winColumns } from '../parts/rows.tsx';
import { Heading, Loading, Trouble } from '../parts/states.tsx';
import { JackpotLink, Money, Name, State, Time } from '../parts/values.tsx';
import { mustDropsOf } from './jackpots/must-drop.ts';
import { StatusMoves } from './jackpots/status.tsx';

const refetchInterval = 5_000;

/** One jackpot: its pots, where all money of it is, what was changed of it, and its wins. */
export default function JackpotScreen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useQuery({
    queryKey: ['instance', id],
    queryFn: () =>
      bodyOf(api.GET('/config/instances/{instance_id}', { params: { path: { instance_id: id } } })),
    refetchInterval,
  });
  if (data === undefined)
    return (
      <>
        <Heading title="Jackpot" />
        {error === null ? (
          <Loading what="the jackpot" />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )}
      </>
    );
  return (
    <>
      <Heading title={<Name>{data.name}</Name>}>
        <State>{data.status}</State>
        <StatusMoves instance={data} />
      </Heading>
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      <Facts instance={data} />
      <h2>Pots</h2>
      <Rows
        what={`pots of ${data.id}`}
        rows={data.pots}
        columns={potColumnsOf(data)}
        keyOf={(row) => row.id}
      />
      <Accounts id={data.id} />
      <h2>Wins</h2>
      <List
        what={`wins of ${data.id}`}
        queryKey={['wins', data.id]}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/wins', { params: { query: { ...page, instance_id: data.id } } })),
        )}
        columns={winColumns}
        keyOf={(row) => `${row.lane} ${row.sequence} ${row.pot_id} ${row.player_id} ${row.ticket}`}
        empty="Nobody has won it yet."
      />
      <Changes id={data.id} />
    </>
  );
}

function Facts({ instance }: { readonly instance: Instance }) {
  const { currency, house_pot: house } = instance;
  const change = instance.switch;
  return (
    <section className="card" aria-label="Facts">
      <dl className="facts">
        <dt>Id</dt>
        <dd className="id">{instance.id}</dd>
        {instance.description !== '' && (
          <>
            <dt>Description</dt>
            <dd>
              <Name>{instance.description}</Name>
            </dd>
          </>
        )}
        <dt>Owner</dt>
        <dd>
          <Name>{instance.owner_id}</Name>
        </dd>
        <dt>Template</dt>
        <dd>
          <Link
            to="/templates/$owner/$id"
            params={{ owner: instance.template_owner_id, id: instance.template_id }}
          >
            <Name>{instance.template_id}</Name>
          </Link>{' '}
          of <Name>{instance.template_owner_id}</Name>, version {instance.version}
        </dd>
        <dt>Started</dt>
        <dd>
          <Time ms={instance.timestamp_start} />
        </dd>
        {instance.timestamp_end !== null && (
          <>
            <dt>Ends</dt>
            <dd>
              <Time ms={instance.timestamp_end} />
            </dd>
          </>
        )}
        <dt>Contributions</dt>
        <dd>{instance.total_contributions.toLocaleString()}</dd>
        <dt>House pot</dt>
        <dd>
          <Money amount={house.current_value} currency={currency} />
        </dd>
        <dt>Seed deficit</dt>
        <dd>
          <Money amount={house.accumulated_seed_deficit} currency={currency} />
        </dd>
        {instance.links.length > 0 && (
          <>
            <dt>Links to</dt>
            <dd>
              {instance.links.map((each) => (
                <span key={each}>
                  <JackpotLink id={each} />{' '}
                </span>
              ))}
            </dd>
          </>
        )}
        {instance.switched_to !== null && (
          <>
            <dt>Switched to</dt>
            <dd>
              <JackpotLink id={instance.switched_to} />
            </dd>
          </>
        )}
      </dl>
      {change !== null && (
        <p className="warning" role="status">
          A switch to <JackpotLink id={change.target} /> is {change.state}: {change.copied.toLocaleString()}{' '}
          of {change.total.toLocaleString()} players{change.message === null ? '' : `. ${change.message}`}
        </p>
      )}
    </section>
  );
}

type Pot = Instance['pots'][number];

function potColumnsOf({ currency }: Instance): readonly Column<Pot>[] {
  const amount = (head: string, of: (pot: Pot) => string | number | null): Column<Pot> => ({
    head,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} currency={currency} />,
    text: of,
  });
  return [
    { head: 'Pot', cell: (row) => <Name>{row.id}</Name>, text: (row) => row.id },
    amount('Now', (row) => row.current_value),
    { head: 'Currency', cell: () => currency, text: () => currency },
    {
      head: 'Must drop',
      cell: (row) => <MustDrop pot={row} currency={currency} />,
      text: (row) =>
        mustDropsOf([row])
          .map(({ atValue, atMs }) => (atMs === null ? String(atValue) : isoTime(atMs)))
          .join(' '),
    },
    amount('Seed', (row) => row.seed_value),
    amount('Surplus seed', (row) => row.surplus_seed),
    amount('Contributed', (row) => row.contributed_amount),
    amount('To the seed', (row) => row.contributed_seed),
    amount('Above its maximum', (row) => row.overflow_amount),
    {
      head: 'Contributions',
      isNumber: true,
      cell: (row) => row.total_contributions.toLocaleString(),
      text: (row) => row.total_contributions,
    },
    {
      head: 'Times won',
      isNumber: true,
      cell: (row) => row.instance_count.toLocaleString(),
      text: (row) => row.instance_count,
    },
    { head: 'Takes part', cell: (row) => (row.enabled ? 'yes' : 'no'), text: (row) => String(row.enabled) },
  ];
}

function MustDrop({ pot, currency }: { readonly pot: Pot; readonly currency: string }) {
  const drops = mustDropsOf([pot]);
  if (drops.length === 0) return <span className="none">–</span>;
  return drops.map(({ atValue, atMs }) => (
    <span key={`${atValue} ${atMs}`}>
      by {atMs === null ? <Money amount={atValue} currency={currency} /> : <Time ms={atMs} />}{' '}
    </span>
  ));
}

/** Where the jackpot's money is: whatever one account has, others lack. */
function Accounts({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['accounts', id],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/fairness/instances/{instance_id}/conservation', {
          params: { path: { instance_id: id } },
        }),
      ),
    refetchInterval,
  });
  return (
    <section>
      <h2>Accounts</h2>
      {data === undefined ? (
        error === null ? (
          <Loading what="accounts" />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <>
          <Rows
            what={`accounts of ${id}`}
            rows={Object.entries(data.accounts).map(([name, amount]) => ({ name, amount }))}
            columns={accountColumnsOf(data)}
            keyOf={(row) => row.name}
          />
          <p className={isZero(data.sum) ? 'good' : 'warning'} role="status">
            {isZero(data.sum) ? 'They sum to zero: ' : 'They do not sum to zero: '}
            <Money amount={data.sum} currency={data.currency} />, at sequence {data.sequence.toLocaleString()}
            .
          </p>
        </>
      )}
    </section>
  );
}

function isZero(amount: string | number): boolean {
  return /^-?0(?:\.0+)?$/.test(String(amount));
}

interface Account {
  readonly name: string;
  readonly amount: string | number;
}

function accountColumnsOf({ currency }: Conservation): readonly Column<Account>[] {
  return [
    { head: 'Account', cell: (row) => <Name>{row.name}</Name>, text: (row) => row.name },
    {
      head: 'Amount',
      isNumber: true,
      cell: (row) => <Money amount={row.amount} currency={currency} />,
      text: (row) => row.amount,
    },
    { head: 'Currency', cell: () => currency, text: () => currency },
  ];
}

const kinds = ['adjustment', 'status', 'parameters'] as const;

/** What people, and time, have changed of it. */
function Changes({ id }: { readonly id: string }) {
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
