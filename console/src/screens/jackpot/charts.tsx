import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import type { InstanceHistory } from '../../api/rows.ts';
import { Choice, useFilters } from '../../parts/filters.tsx';
import { type Column, isoTime, Rows } from '../../parts/list.tsx';
import { Loading, Trouble } from '../../parts/states.tsx';
import { durationText, Money, Name, Time } from '../../parts/values.tsx';

/** Loaded with the first chart: the library is of no use elsewhere. */
const Chart = lazy(() => import('./chart.tsx'));

const refetchInterval = 30_000;
const points = 120;
const hourMs = 3_600_000;
const ranges = {
  hour: ['Last hour', hourMs],
  day: ['Last day', 24 * hourMs],
  month: ['Last 30 days', 30 * 24 * hourMs],
  year: ['Last year', 365 * 24 * hourMs],
} as const;
const fallback = 'day';

/** How the pots have grown and fallen, and what came and was won. */
export function Charts({ id, currency }: { readonly id: string; readonly currency: string }) {
  const [{ range = fallback }] = useFilters();
  const [, lengthMs] = ranges[range as keyof typeof ranges] ?? ranges[fallback];
  const { data, error, refetch } = useQuery({
    queryKey: ['history', id, lengthMs],
    queryFn: () =>
      bodyOf(
        api.GET('/config/jackpot_instances/{instance_id}/history', {
          params: {
            path: { instance_id: id },
            query: { from: Math.max(0, Date.now() - lengthMs), points },
          },
        }),
      ),
    refetchInterval,
  });
  return (
    <section aria-label="Charts">
      <h2>Over time</h2>
      <Choice
        label="Range"
        name="range"
        fallback={fallback}
        options={Object.entries(ranges).map(([name, [label]]) => [name, label] as const)}
      />
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Loading what="the charts" />
      ) : (
        <Drawn history={data} currency={currency} id={id} />
      )}
    </section>
  );
}

function Drawn({
  history,
  currency,
  id,
}: {
  readonly history: InstanceHistory;
  readonly currency: string;
  readonly id: string;
}) {
  const { times, pots, flows } = useMemo(() => linesOf(history), [history]);
  const length = durationText(history.resolution);
  return (
    <>
      <Suspense fallback={<Loading what="the charts" />}>
        <div className="cards">
          {pots.map(({ name, lines }) => (
            <div key={name}>
              <h3>
                Value of <Name>{name}</Name>, {currency}
              </h3>
              <Chart label={`Value of ${name} in ${currency}`} times={times} lines={lines} />
            </div>
          ))}
        </div>
        <h3>
          Contributed and won in each {length}, {currency}
        </h3>
        <Chart label={`Contributed and won in each ${length}, ${currency}`} times={times} lines={flows} />
      </Suspense>
      <details>
        <summary>The values as a table</summary>
        <Rows
          what={`history of ${id}`}
          rows={history.ends.map((end, index) => ({ end, index }))}
          columns={columnsOf(history, currency)}
          keyOf={(row) => String(row.end)}
        />
      </details>
    </>
  );
}

function currentOf({ accounts }: InstanceHistory) {
  return Object.entries(accounts)
    .filter(([account]) => account.endsWith('.current'))
    .map(([account, values]) => ({ name: account.slice(0, -'.current'.length), values }));
}

/** As numbers of the screen, which need not be exact. */
function linesOf(history: InstanceHistory) {
  const numbers = (values: readonly (string | null)[]) =>
    values.map((value) => (value === null ? null : Number(value)));
  return {
    times: history.ends.map((end) => end / 1000),
    // Each by itself: a small pot would be flat beside a large one.
    pots: currentOf(history).map(({ name, values }) => ({
      name,
      lines: [{ name, values: numbers(values) }],
    })),
    flows: [
      { name: 'contributed', values: numbers(history.contributed) },
      { name: 'won', values: numbers(history.won) },
    ],
  };
}

interface Row {
  readonly end: number;
  readonly index: number;
}

function columnsOf(history: InstanceHistory, currency: string): readonly Column<Row>[] {
  const amount = (head: string, values: readonly (string | null)[]): Column<Row> => ({
    head,
    isNumber: true,
    cell: ({ index }) => <Money amount={values[index] ?? null} currency={currency} />,
    text: ({ index }) => values[index],
  });
  const count = (head: string, values: readonly number[]): Column<Row> => ({
    head,
    isNumber: true,
    cell: ({ index }) => (values[index] ?? 0).toLocaleString(),
    text: ({ index }) => values[index],
  });
  return [
    { head: 'Until', cell: ({ end }) => <Time ms={end} />, text: ({ end }) => isoTime(end) },
    ...currentOf(history).map(({ name, values }) => amount(name, values)),
    count('Contributions', history.contributions),
    amount('Contributed', history.contributed),
    count('Wins', history.wins),
    amount('Won', history.won),
    { head: 'Currency', cell: () => currency, text: () => currency },
  ];
}
