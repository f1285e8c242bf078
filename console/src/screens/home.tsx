import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answerOf, api, bodyOf } from '../api/client.ts';
import { usePeriod } from '../api/events.ts';
import { allRows } from '../api/pages.ts';
import { instancesBy, openApprovals, waitingPayments } from '../api/rows.ts';
import { type Amount, sumOf } from '../parts/decimals.ts';
import { Empty, Heading, Loading, Trouble } from '../parts/states.tsx';
import { durationText, JackpotLink, Money, State } from '../parts/values.tsx';
import { useMe } from '../session/session.tsx';
import { groupsOf } from './home/waiting.ts';
import { utcDay } from './reports/days.ts';

const refetchInterval = 10_000;
const maxCounted = 5_000;
const states = ['withheld', 'unknown', 'dead'] as const;

/** Is money safe now? */
export default function Home() {
  return (
    <>
      <Heading title="Home" />
      <div className="cards">
        <WaitingPayments />
        <Approvals />
        <Deliveries />
        <Pots />
        <Liability />
      </div>
    </>
  );
}

function WaitingPayments() {
  const { data, error, refetch } = useQuery({
    queryKey: ['settlements', 'home'],
    queryFn: () => Promise.all(states.map((state) => allRows(waitingPayments(state), maxCounted))),
    refetchInterval,
  });
  if (data === undefined)
    return <Card title="Payments that wait">{shown('payments', error, () => void refetch())}</Card>;
  const groups = data.flatMap(({ rows }) => groupsOf(rows));
  const isWhole = data.every((each) => each.isWhole);
  return (
    <Card title="Payments that wait" isBad={groups.length > 0}>
      {groups.length === 0 ? (
        <p className="good">No payment waits for a person.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Money</th>
              <th scope="col" className="number">
                Payments
              </th>
              <th scope="col" className="number">
                Amount
              </th>
              <th scope="col">Oldest</th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <tr key={group.key}>
                <td>
                  <Link to="/money" search={{ state: group.state }}>
                    <State>{group.state}</State>
                  </Link>
                </td>
                <td>{group.side}</td>
                <td className="number">{group.count.toLocaleString()}</td>
                <td className="number">
                  <Money amount={group.amount} currency={group.currency} />
                </td>
                <td>{durationText(group.oldestMs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {!isWhole && <p className="warning">There are more: the first {maxCounted} of a state are counted.</p>}
    </Card>
  );
}

function Approvals() {
  const me = useMe();
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'home'],
    queryFn: openApprovals,
    refetchInterval: usePeriod(refetchInterval),
  });
  if (data === undefined)
    return <Card title="Approvals">{shown('approvals', error, () => void refetch())}</Card>;
  const others = data.filter(({ proposed_by }) => proposed_by !== me.username);
  const own = data.length - others.length;
  return (
    <Card title="Approvals" isBad={others.length > 0}>
      <p>
        {others.length === 0
          ? 'Nothing waits for you.'
          : `${counted(others.length, 'change waits', 'changes wait')} for you.`}{' '}
        {own > 0 &&
          `${counted(own, 'change', 'changes')} of yours ${own === 1 ? 'waits' : 'wait'} for somebody else.`}
      </p>
      <ul>
        {others.slice(0, 5).map((each) => (
          <li key={each.id}>
            <Link to="/approvals">{each.name}</Link>, by <bdi>{each.proposed_by}</bdi>, for{' '}
            {durationText(each.expires_timestamp - Date.now())} more
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Deliveries() {
  const { data, error, refetch } = useQuery({
    queryKey: ['deliveries', 'home'],
    queryFn: async () => {
      const query = { state: 'dead', limit: 1 } as const;
      const { body, response } = await answerOf(api.GET('/config/deliveries', { params: { query } }));
      return response.headers.get('x-total-count') ?? (body.length === 0 ? '0' : '1+');
    },
    refetchInterval,
  });
  if (data === undefined)
    return <Card title="Deliveries">{shown('deliveries', error, () => void refetch())}</Card>;
  return (
    <Card title="Deliveries" isBad={data !== '0'}>
      {data === '0' ? (
        <p className="good">No delivery has given up.</p>
      ) : (
        <p>
          <Link to="/deliveries">
            {data} {data === '1' ? 'delivery has' : 'deliveries have'} given up
          </Link>
          .
        </p>
      )}
    </Card>
  );
}

function Pots() {
  const { data, error, refetch } = useQuery({
    queryKey: ['instances', 'home'],
    queryFn: () => allRows(instancesBy({}), maxCounted),
    refetchInterval: usePeriod(refetchInterval),
  });
  if (data === undefined) return <Card title="Pots now">{shown('pots', error, () => void refetch())}</Card>;
  const live = data.rows.filter(({ status }) => status === 'Active' || status === 'Paused');
  const totals = new Map<string, Amount[]>();
  for (const { currency, pots } of live)
    totals.set(currency, [...(totals.get(currency) ?? []), ...pots.map((pot) => pot.current_value)]);
  return (
    <Card title="Pots now">
      {live.length === 0 && <Empty>No jackpot runs.</Empty>}
      <dl className="figures">
        {[...totals].map(([currency, amounts]) => (
          <div key={currency}>
            <dt>{currency}, all pots</dt>
            <dd>
              <Money amount={sumOf(amounts)} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      <ul>
        {live.slice(0, 8).map((instance) => (
          <li key={instance.id}>
            <JackpotLink id={instance.id} name={instance.name} />{' '}
            {instance.status !== 'Active' && <State>{instance.status}</State>}{' '}
            <Money
              amount={sumOf(instance.pots.map((pot) => pot.current_value))}
              currency={instance.currency}
            />
          </li>
        ))}
      </ul>
      {live.length > 8 && <p className="quiet">and {(live.length - 8).toLocaleString()} more</p>}
    </Card>
  );
}

/** The last day of each currency that has one. */
function Liability() {
  const { data, error, refetch } = useQuery({
    queryKey: ['reports', 'liability'],
    queryFn: async () => {
      const query = { from: utcDay(30), to: utcDay(0), group_by: 'day', limit: 500 };
      const rows = await bodyOf(api.GET('/config/reports/daily', { params: { query } }));
      return [
        ...new Map(
          rows.filter(({ liability }) => liability !== null).map((row) => [row.currency, row]),
        ).values(),
      ];
    },
    refetchInterval: 30_000,
  });
  if (data === undefined)
    return <Card title="Liability">{shown('liability', error, () => void refetch())}</Card>;
  return (
    <Card title="Liability">
      {data.length === 0 && <Empty>The books have no jackpot yet.</Empty>}
      <dl className="figures">
        {data.map((row) => (
          <div key={row.currency}>
            <dt>{row.currency}, all that the pots hold and wins that are not paid</dt>
            <dd>
              <Money amount={row.liability} currency={row.currency} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="quiet">From the books, which follow a moment behind.</p>
    </Card>
  );
}

function Card(props: {
  readonly title: string;
  readonly isBad?: boolean;
  readonly children: React.ReactNode;
}) {
  return (
    <section className={props.isBad === true ? 'card is-bad' : 'card'} aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

function shown(what: string, error: unknown, again: () => void) {
  return error === null ? <Loading what={what} /> : <Trouble error={error} again={again} />;
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
