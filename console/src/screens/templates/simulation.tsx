import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { answerOf, api, bodyOf } from '../../api/client.ts';
import type { Simulation as SimulationView } from '../../api/rows.ts';
import { Field, textOf } from '../../parts/fields.tsx';
import { useFilters } from '../../parts/filters.tsx';
import { type Column, Rows } from '../../parts/list.tsx';
import { Trouble } from '../../parts/states.tsx';
import { Money, Name, State } from '../../parts/values.tsx';
import type { Configuration } from './document.ts';
import { type Fault, faultsOf, inLabelsOf } from './faults.ts';
import { excessOf, findingOf } from './findings.ts';
import { sectionsOf } from './members.ts';
import { SelectOwner } from './select-owner.tsx';

const refetchMs = 1_000;

interface SimulationProps {
  /** null: nobody's yet, so the person says in whose place it is played. */
  readonly owner: string | null;
  readonly configuration: Configuration;
  readonly found: (faults: readonly Fault[]) => void;
}

/** Plays what the form has, before it is live. The address names it: it goes on where the person does not look. */
export function Simulation({ owner, configuration, found }: SimulationProps) {
  const [{ simulation: id }, change] = useFilters();
  const begin = useMutation({
    mutationFn: async (fields: FormData) => {
      const wager = textOf(fields, 'wager');
      const body = {
        owner_id: owner ?? String(fields.get('owner')),
        configuration,
        contributions: Number(fields.get('contributions')),
        seed: textOf(fields, 'seed') ?? '1',
        ...(wager === undefined ? {} : { contribution_amount: wager }),
      };
      return answerOf(api.POST('/config/simulations', { body: body as never }));
    },
    onSuccess: ({ body }) => {
      found([]);
      change({ simulation: body.id });
    },
    onError: (error) => found(faultsOf(error)),
  });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    begin.mutate(new FormData(event.currentTarget));
  }
  return (
    <section className="card" aria-label="Simulation">
      <h2>Simulation</h2>
      <p className="quiet">
        What is in the form, played on the engine with players who are made up. Nothing changes. Another one
        ends the one before.
      </p>
      <form className="filters" onSubmit={submit}>
        {owner === null && <SelectOwner />}
        <Field
          label="Contributions"
          name="contributions"
          type="number"
          min={1}
          max={1_000_000}
          required
          defaultValue={100_000}
        />
        <Field label="Wager of each (empty: a usual mix)" name="wager" inputMode="decimal" />
        <Field label="Seed" name="seed" defaultValue="1" maxLength={128} required />
        <button type="submit" disabled={begin.isPending}>
          Simulate
        </button>
      </form>
      {begin.error !== null && <Trouble error={inLabelsOf(begin.error, sectionsOf(configuration))} />}
      {id !== undefined && <Played key={id} id={id} forget={() => change({ simulation: undefined })} />}
    </section>
  );
}

/** How far it is, and what it found. */
function Played({ id, forget }: { readonly id: string; readonly forget: () => void }) {
  const params = { path: { simulation_id: id } };
  const { data, error, refetch } = useQuery({
    queryKey: ['simulation', id],
    queryFn: () => bodyOf(api.GET('/config/simulations/{simulation_id}', { params })),
    refetchInterval: ({ state }) =>
      state.data?.state === 'waiting' || state.data?.state === 'running' ? refetchMs : false,
  });
  const end = useMutation({
    mutationFn: () => answerOf(api.DELETE('/config/simulations/{simulation_id}', { params })),
    onSuccess: forget,
  });
  if (data === undefined)
    return error === null ? null : <Trouble error={error} again={() => void refetch()} />;
  const isUnderWay = data.state === 'waiting' || data.state === 'running';
  return (
    <>
      <p role="status">
        <State>{data.state}</State>{' '}
        {isUnderWay && <progress aria-label="Progress" value={Number(data.progress)} max={1} />}{' '}
        {data.message}
      </p>
      {error !== null && <Trouble error={error} />}
      {end.error !== null && <Trouble error={end.error} />}
      <button type="button" disabled={end.isPending} onClick={() => end.mutate()}>
        {isUnderWay ? 'End it' : 'Forget it'}
      </button>
      {data.report !== null && <Report report={data.report} />}
    </>
  );
}

type ReportOf = NonNullable<SimulationView['report']>;
type Pot = ReportOf['pots'][number];

function Report({ report }: { readonly report: ReportOf }) {
  const { currency, operator, return_to_players: returned } = report;
  const excess = excessOf(report);
  const refused = Object.entries(report.refused).map(([code, count]) => `${count} ${code}`);
  const amounts = [
    ['Wagered', report.wagered],
    ['Contributed', report.contributed],
    ['Paid to players', report.paid_to_players],
    ['In pots at the end', report.in_pots],
    ['In the house pot at the end', report.house.at_end],
    ['Operator’s cost', operator.cost],
    ['Initial seeds', operator.initial_seeds],
    ['Seeds that the operator fronted', operator.fronted],
    ['Given back of them', operator.repaid],
    ['Deepest deficit: the risk', operator.deepest_deficit],
    ['Deficit at the end', operator.deficit_at_end],
    ['Fees', operator.fees],
    ['Diverted', operator.diverted],
  ] as const;
  return (
    <>
      <p>
        <strong>{findingOf(report)}</strong>
      </p>
      {excess !== null && <p className="warning">{excess}</p>}
      <dl className="facts">
        <dt>Contributions</dt>
        <dd>
          {report.contributions.toLocaleString()} of {report.players.toLocaleString()} players
          {refused.length > 0 && `; refused: ${refused.join(', ')}`}
        </dd>
        <dt>Return to players, of contributions</dt>
        <dd>
          {returned.simulated ?? '–'}; as configured {returned.configured ?? '–'}
        </dd>
        <dt>Return, of wagers</dt>
        <dd>{report.return_of_wagers ?? '–'}</dd>
        {amounts.map(([label, amount]) => (
          <div key={label} className="fact">
            <dt>{label}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      <Rows
        what="simulated pots"
        rows={report.pots}
        columns={columnsOf(currency)}
        keyOf={(row) => row.pot_id}
      />
    </>
  );
}

function columnsOf(currency: string): readonly Column<Pot>[] {
  const amount = (head: string, of: (pot: Pot) => string | number | null): Column<Pot> => ({
    head,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} currency={currency} />,
    text: of,
  });
  const plain = (head: string, of: (pot: Pot) => string | number | null): Column<Pot> => ({
    head,
    isNumber: true,
    cell: (row) => of(row) ?? '–',
    text: of,
  });
  return [
    { head: 'Pot', cell: (row) => <Name>{row.pot_id}</Name>, text: (row) => row.pot_id },
    plain('Wins', (row) => row.wins),
    amount('Largest win', (row) => row.largest_win),
    plain('Chance of the first contribution', (row) => row.first_contribution_win_chance),
    plain('Return', (row) => row.return_to_players.simulated),
    plain('Return as configured', (row) => row.return_to_players.configured),
    amount('Contributed', (row) => row.contributed),
    amount('Paid', (row) => row.paid),
    plain('Reseeds', (row) => row.reseeds),
    plain('Short reseeds', (row) => row.short_reseeds),
    amount('Fronted', (row) => row.fronted),
    amount('At the end', (row) => row.at_end),
  ];
}
