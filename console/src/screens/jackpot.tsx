import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { answerOf, api, bodyOf } from '../api/client.ts';
import { usePeriod } from '../api/events.ts';
import { cursorPages } from '../api/pages.ts';
import type { Instance } from '../api/rows.ts';
import { useFilters } from '../parts/filters.tsx';
import { List } from '../parts/list.tsx';
import { winColumns } from '../parts/rows.tsx';
import { Heading, Loading, Trouble } from '../parts/states.tsx';
import { Name, State } from '../parts/values.tsx';
import { winKey } from '../parts/win-key.ts';
import { Changes } from './jackpot/changes.tsx';
import { Charts } from './jackpot/charts.tsx';
import { Facts } from './jackpot/facts.tsx';
import { Accounts, Pots } from './jackpot/holdings.tsx';
import { Rules } from './jackpot/rules.tsx';
import { ThroughTime } from './jackpot/through-time.tsx';
import { StatusMoves } from './jackpots/status.tsx';

const refetchMs = 5_000;

/** One jackpot: its pots, where all money of it is, now and at any time, what was changed of it, and its wins. */
export default function JackpotScreen() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [{ at, message }] = useFilters();
  const { data, error, refetch } = useQuery({
    queryKey: ['instance', id],
    queryFn: () =>
      bodyOf(api.GET('/config/instances/{instance_id}', { params: { path: { instance_id: id } } })),
    refetchInterval: usePeriod(refetchMs),
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
      <Facts instance={data} isThen={at !== undefined || message !== undefined} />
      <Rules instance={data} />
      <ThroughTime instance={data}>
        <Now instance={data} />
      </ThroughTime>
      <Charts id={data.id} currency={data.currency} />
      <h2>Wins</h2>
      <List
        what={`wins of ${data.id}`}
        queryKey={['wins', data.id]}
        load={cursorPages((page) =>
          answerOf(api.GET('/config/wins', { params: { query: { ...page, instance_id: data.id } } })),
        )}
        columns={winColumns}
        keyOf={winKey}
        empty="Nobody has won it yet."
      />
      <Changes id={data.id} />
    </>
  );
}

/** What it holds, followed while it changes. */
function Now({ instance }: { readonly instance: Instance }) {
  const { id } = instance;
  const { data, error, refetch } = useQuery({
    queryKey: ['accounts', id],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/fairness/instances/{instance_id}/conservation', {
          params: { path: { instance_id: id } },
        }),
      ),
    refetchInterval: usePeriod(refetchMs),
  });
  return (
    <>
      <Pots instance={instance} />
      {data !== undefined ? (
        <Accounts id={id} currency={data.currency} held={data} sequence={data.sequence} />
      ) : error === null ? (
        <Loading what="accounts" />
      ) : (
        <Trouble error={error} again={() => void refetch()} />
      )}
    </>
  );
}
