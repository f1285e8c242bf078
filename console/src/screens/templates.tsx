import { Link, useNavigate } from '@tanstack/react-router';
import { type Template, templatesBy } from '../api/rows.ts';
import { Act } from '../parts/act.tsx';
import { Choice, Filters, useFilters } from '../parts/filters.tsx';
import { type Column, List } from '../parts/list.tsx';
import { Heading } from '../parts/states.tsx';
import { Name, State } from '../parts/values.tsx';

const states = [
  ['', 'All'],
  ['false', 'In use'],
  ['true', 'Retired'],
] as const;

/** What jackpots are made from. */
export default function Templates() {
  const navigate = useNavigate();
  const [{ name = '', retired = '' }] = useFilters();
  const chosen = states.find(([value]) => value === retired)?.[0] ?? '';
  return (
    <>
      <Heading title="Templates">
        <Act needs="configure" begin={() => void navigate({ to: '/templates/new' })}>
          New template
        </Act>
        <Link to="/templates/compare">Compare two</Link>
      </Heading>
      <Choice label="State" name="retired" options={states} fallback="" />
      <Filters fields={[{ name: 'name', label: 'Name' }]} />
      <List
        key={`${chosen} ${name}`}
        what="templates"
        queryKey={['templates', chosen, name]}
        load={templatesBy({
          name: name === '' ? undefined : name,
          retired: chosen === '' ? undefined : chosen === 'true',
        })}
        columns={columns}
        keyOf={(row) => `${row.owner_id} ${row.id}`}
        empty="There is no such template that you can see."
      />
    </>
  );
}

const columns: readonly Column<Template>[] = [
  {
    head: 'Name',
    cell: (row) => (
      <Link to="/templates/$owner/$id" params={{ owner: row.owner_id, id: row.id }}>
        <Name>{row.name}</Name>
      </Link>
    ),
    text: (row) => row.name,
  },
  {
    head: 'State',
    cell: (row) => <State>{stateOf(row)}</State>,
    text: stateOf,
  },
  { head: 'Type', cell: (row) => row.jackpot_type, text: (row) => row.jackpot_type },
  { head: 'Currency', cell: (row) => row.currency, text: (row) => row.currency },
  {
    head: 'Pots',
    cell: (row) => <Name>{row.pots.map(({ id }) => id).join(', ')}</Name>,
    text: (row) => row.pots.map(({ id }) => id).join(' '),
  },
  { head: 'Owner', cell: (row) => <Name>{row.owner_id}</Name>, text: (row) => row.owner_id },
  { head: 'Description', cell: (row) => <Name>{row.description}</Name>, text: (row) => row.description },
  { head: 'Id', cell: (row) => <span className="id">{row.id}</span>, text: (row) => row.id },
];

function stateOf({ retired }: Template): string {
  return retired ? 'retired' : 'in use';
}
