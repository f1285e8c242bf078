import { usePeriod } from '../api/events.ts';
import { type Instance, instancesBy } from '../api/rows.ts';
import { sumOf } from '../parts/decimals.ts';
import { Choice, Filters, useFilters } from '../parts/filters.tsx';
import { type Column, isoTime, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { JackpotLink, Money, Name, State, Time } from '../parts/values.tsx';
import { mustDropsOf, mustDropText } from './jackpots/must-drop.ts';

const states = [
  ['', 'All'],
  ['Active', 'Active'],
  ['Paused', 'Paused'],
  ['Pending', 'Pending'],
  ['Resolving', 'Resolving'],
  ['Completed', 'Completed'],
  ['Cancelled', 'Cancelled'],
  ['Switched', 'Switched'],
] as const;

/** The jackpots, with what their pots hold now. */
export default function Jackpots() {
  const [{ status = '', name = '' }] = useFilters();
  const chosen = states.find(([value]) => value === status)?.[0] ?? '';
  return (
    <>
      <Heading title="Jackpots" />
      <Choice label="Status" name="status" options={states} fallback="" />
      <Filters fields={[{ name: 'name', label: 'Name' }]} />
      <List
        key={`${chosen} ${name}`}
        what="jackpots"
        queryKey={['instances', chosen, name]}
        load={instancesBy({
          status: chosen === '' ? undefined : chosen,
          name: name === '' ? undefined : name,
        })}
        columns={columns}
        keyOf={(row) => row.id}
        empty="There is no such jackpot that you can see."
        refetchMs={usePeriod(10_000)}
      />
    </>
  );
}

const columns: readonly Column<Instance>[] = [
  { head: 'Name', cell: (row) => <JackpotLink id={row.id} name={row.name} />, text: (row) => row.name },
  { head: 'Status', cell: (row) => <State>{row.status}</State>, text: (row) => row.status },
  {
    head: 'All pots',
    isNumber: true,
    cell: (row) => <Money amount={potsOf(row)} currency={row.currency} />,
    text: potsOf,
  },
  { head: 'Currency', cell: (row) => row.currency, text: (row) => row.currency },
  {
    head: 'Next must-drop',
    cell: (row) => <NextMustDrop instance={row} />,
    text: (row) => {
      const [next] = mustDropsOf(row.pots);
      return next === undefined ? '' : mustDropText(next, row.currency);
    },
  },
  {
    head: 'Seed deficit',
    isNumber: true,
    cell: (row) => <Money amount={row.house_pot.accumulated_seed_deficit} currency={row.currency} />,
    text: (row) => row.house_pot.accumulated_seed_deficit,
  },
  {
    head: 'Contributions',
    isNumber: true,
    cell: (row) => row.total_contributions.toLocaleString(),
    text: (row) => row.total_contributions,
  },
  { head: 'Owner', cell: (row) => <Name>{row.owner_id}</Name>, text: (row) => row.owner_id },
  { head: 'Created', cell: (row) => <Time ms={row.created} />, text: (row) => isoTime(row.created) },
  { head: 'Id', cell: (row) => <span className="id">{row.id}</span>, text: (row) => row.id },
];

function potsOf({ pots }: Instance): string {
  return sumOf(pots.map(({ current_value }) => current_value));
}

function NextMustDrop({ instance: { pots, currency } }: { readonly instance: Instance }) {
  const [next] = mustDropsOf(pots);
  if (next === undefined) return <span className="none">–</span>;
  return (
    <>
      <Name>{next.pot}</Name> by{' '}
      {next.atMs === null ? <Money amount={next.atValue} currency={currency} /> : <Time ms={next.atMs} />}
    </>
  );
}
