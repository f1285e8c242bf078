import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client.ts';
import type { Explanation } from '../api/rows.ts';
import { Rows } from '../parts/list.tsx';
import { winColumns } from '../parts/rows.tsx';
import { Empty, Heading, Loading, Trouble } from '../parts/states.tsx';
import { JackpotLink, Money, Name, PlayerLink, Reason, State, Time } from '../parts/values.tsx';
import { winKey } from '../parts/win-key.ts';

/** What became of a contribution: wager, rate, split, draws, win, payments. */
export default function ContributionScreen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useQuery({
    queryKey: ['contribution', id],
    queryFn: () =>
      bodyOf(
        api.GET('/config/contributions/{contribution_id}', { params: { path: { contribution_id: id } } }),
      ),
    // The draw is published when its epoch is over.
    refetchInterval: ({ state }) => (state.data?.draws.some(({ proof }) => proof === null) ? 10_000 : false),
  });
  return (
    <>
      <Heading title="Contribution">
        <span className="id">{id}</span>
      </Heading>
      {data === undefined ? (
        error === null ? (
          <Loading what="the contribution" />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <Explained explanation={data} />
      )}
    </>
  );
}

function Explained({ explanation }: { readonly explanation: Explanation }) {
  const { contributions, wins, payments, draws } = explanation;
  return (
    <>
      {contributions.length === 0 && (
        <p className="warning">No jackpot took it: it waits for its debit, or was refused after it.</p>
      )}
      {contributions.map((part) => (
        <Part
          key={part.instance_id}
          part={part}
          draw={draws.find(({ instance_id }) => instance_id === part.instance_id)}
        />
      ))}
      <h2>Wins</h2>
      {wins.length === 0 ? (
        <Empty>It won nothing.</Empty>
      ) : (
        <Rows what="wins" rows={wins} columns={winColumns} keyOf={winKey} />
      )}
      <h2>Payments</h2>
      {payments.length === 0 ? (
        <Empty>No wallet was asked.</Empty>
      ) : (
        payments.map((each) => <Payment key={each.transaction_id} payment={each} />)
      )}
    </>
  );
}

type PartOf = Explanation['contributions'][number];

function Part({
  part,
  draw,
}: {
  readonly part: PartOf;
  readonly draw: Explanation['draws'][number] | undefined;
}) {
  const currency = part.jackpot_currency;
  return (
    <section className="card" aria-label={`Contribution to ${part.instance_id}`}>
      <h2>
        {part.is_link ? 'Linked contribution to ' : 'Contribution to '}
        <JackpotLink id={part.instance_id} />
      </h2>
      <ol className="steps">
        <li>
          <strong>Wager</strong> <PlayerLink brand={part.brand_id} player={part.player_id} /> of{' '}
          <Name>{part.brand_id}</Name> played <Money amount={part.base_wager} currency={part.currency} /> on{' '}
          <Time ms={part.timestamp} />
          {part.gameround_id !== null && (
            <>
              , round <Name>{part.gameround_id}</Name>
            </>
          )}
          ; the contribution is <Money amount={part.contribution_amount} currency={part.currency} />, of which
          the wallet was asked for <Money amount={part.debit_amount} currency={part.currency} />.
        </li>
        <li>
          <strong>Rate</strong>{' '}
          {part.rate_version === 0 ? (
            'No exchange was needed.'
          ) : (
            <>
              In the jackpot’s currency, at version {part.rate_version} of the rates, that is{' '}
              <Money amount={part.jackpot_contribution} currency={currency} />.
            </>
          )}
        </li>
        <li>
          <strong>Split</strong> The player’s part is <Money amount={part.player_part} currency={currency} />,
          the operator’s <Money amount={part.operator_part} currency={currency} />.
          <Shares part={part} />
        </li>
        <li>
          <strong>Draw</strong> <Draw draw={draw} currency={currency} />
        </li>
        <li>
          <strong>Result</strong>{' '}
          {part.win_pot_id === null ? (
            'No pot was won.'
          ) : (
            <>
              The pot <Name>{part.win_pot_id}</Name> was won:{' '}
              <Money amount={part.win_amount} currency={currency} />.
            </>
          )}
        </li>
      </ol>
      <p className="quiet">
        In the log: lane {part.lane}, sequence {part.sequence}
      </p>
    </section>
  );
}

function Shares({ part }: { readonly part: PartOf }) {
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Pot</th>
            <th scope="col">Account</th>
            <th scope="col" className="number">
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {part.shares.map(({ pot_id, account, amount }) => (
            <tr key={`${pot_id} ${account}`}>
              <td>
                <Name>{pot_id}</Name>
              </td>
              <td>{account}</td>
              <td className="number">
                <Money amount={amount} currency={part.jackpot_currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Draw({
  draw,
  currency,
}: {
  readonly draw: Explanation['draws'][number] | undefined;
  readonly currency: string;
}) {
  if (draw === undefined) return <>There was no draw.</>;
  const { triggers, proof, epoch, sequence } = draw;
  if (triggers === null || proof === null)
    return (
      <>
        Draw {sequence} of epoch {epoch}: its numbers are secret until the epoch is over. Then they are here,
        with their proof.
      </>
    );
  return (
    <>
      The contribution hits where u is below the numerator.{' '}
      <a href={`/verify?instance=${encodeURIComponent(draw.instance_id)}&epoch=${epoch}&seq=${sequence}`}>
        Verify draw {sequence} of epoch {epoch}
      </a>
      <div className="table">
        <table>
          <thead>
            <tr>
              <th scope="col">Pot</th>
              <th scope="col" className="number">
                Pot before
              </th>
              <th scope="col" className="number">
                u
              </th>
              <th scope="col" className="number">
                Numerator
              </th>
              <th scope="col" className="number">
                Denominator
              </th>
              <th scope="col">Hit</th>
            </tr>
          </thead>
          <tbody>
            {triggers.map((each) => (
              <tr key={`${each.pot_id} ${each.trigger}`}>
                <td>
                  <Name>{each.pot_id}</Name>
                </td>
                <td className="number">
                  <Money amount={each.pot_value_before} currency={currency} />
                </td>
                <td className="number">{each.u}</td>
                <td className="number">{each.numerator}</td>
                <td className="number">{each.denominator}</td>
                <td>
                  {!each.is_evaluated
                    ? 'not drawn'
                    : each.is_void
                      ? 'hit, another pot was paid'
                      : each.is_hit
                        ? 'hit'
                        : 'no'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Payment({ payment }: { readonly payment: Explanation['payments'][number] }) {
  return (
    <section className="card" aria-label={`Payment ${payment.transaction_id}`}>
      <h3>
        {payment.kind} <State>{payment.state}</State>{' '}
        <Money amount={payment.paid_amount} currency={payment.paid_currency} />
      </h3>
      <p className="id">{payment.transaction_id}</p>
      <ol className="steps">
        {payment.changes.map((change) => (
          <li key={`${change.timestamp} ${change.state}`}>
            <Time ms={change.timestamp} /> <State>{change.state}</State>
            {change.reason !== null && (
              <>
                {' '}
                <Reason>{change.reason}</Reason>
              </>
            )}
            {change.changed_by !== null && (
              <>
                , by <Name>{change.changed_by}</Name>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
