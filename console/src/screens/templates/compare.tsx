import { useQuery } from '@tanstack/react-query';
import { allRows } from '../../api/pages.ts';
import { type Template, templateQuery, templatesBy } from '../../api/rows.ts';
import { useFilters } from '../../parts/filters.tsx';
import { type Column, Rows } from '../../parts/list.tsx';
import { Empty, Heading, Loading, Trouble } from '../../parts/states.tsx';
import { Name } from '../../parts/values.tsx';
import { comparedMembers, configurationOf } from './document.ts';
import { titleOf } from './faults.ts';
import { sectionsOf } from './members.ts';

const maxOffered = 2_000;

/** Two templates beside each other: the members in which they differ. */
export default function Compare() {
  const [{ one = '', other = '' }, change] = useFilters();
  const { data, error, refetch } = useQuery({
    queryKey: ['templates', 'offered'],
    queryFn: () => allRows(templatesBy({}), maxOffered),
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="templates" />
    ) : (
      <Trouble error={error} again={() => void refetch()} />
    );
  const select = (label: string, name: string, chosen: string) => (
    <label>
      {label}
      <select value={chosen} onChange={(event) => change({ [name]: event.currentTarget.value })}>
        <option value="">Choose…</option>
        {data.rows.map((row) => (
          <option key={nameOf(row)} value={nameOf(row)}>{`${row.name} (${nameOf(row)})`}</option>
        ))}
      </select>
    </label>
  );
  return (
    <>
      <Heading title="Compare two templates" />
      <div className="filters">
        {select('One', 'one', one)}
        {select('The other', 'other', other)}
      </div>
      {one !== '' && other !== '' && <Compared key={`${one} ${other}`} one={one} other={other} />}
    </>
  );
}

function nameOf({ owner_id, id }: Template): string {
  return `${owner_id}/${id}`;
}

function useTemplate(name: string) {
  const [owner = '', id = ''] = name.split('/');
  return useQuery(templateQuery(owner, id));
}

function Compared(names: { readonly one: string; readonly other: string }) {
  const [one, other] = [useTemplate(names.one), useTemplate(names.other)];
  const error = one.error ?? other.error;
  if (error !== null) return <Trouble error={error} />;
  if (one.data === undefined || other.data === undefined) return <Loading what="both templates" />;
  const configurations = [configurationOf(one.data), configurationOf(other.data)] as const;
  const rows = comparedMembers(...configurations);
  const [sections, others] = configurations.map(sectionsOf);
  const title = (path: string) => titleOf(path, sections ?? []) ?? titleOf(path, others ?? []) ?? path;
  if (rows.length === 0) return <Empty>Their configurations are the same.</Empty>;
  const value = (head: string, of: 'one' | 'other'): Column<(typeof rows)[number]> => ({
    head,
    cell: (row) => <code>{textOf(row[of])}</code>,
    text: (row) => textOf(row[of]),
  });
  return (
    <Rows
      what="differences"
      rows={rows}
      columns={[
        { head: 'Field', cell: (row) => <Name>{title(row.path)}</Name>, text: (row) => title(row.path) },
        value(one.data.name, 'one'),
        value(other.data.id === one.data.id ? names.other : other.data.name, 'other'),
      ]}
      keyOf={(row) => row.path}
    />
  );
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '–' : JSON.stringify(value);
}
