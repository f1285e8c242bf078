import type { Instance } from '../../api/rows.ts';
import type { Amount } from '../../parts/decimals.ts';
import { type Column, isoTime, Rows } from '../../parts/list.tsx';
import { Money, Name, Time } from '../../parts/values.tsx';
import { mustDropsOf } from '../jackpots/must-drop.ts';

/** The pots of a jackpot, now or at an earlier place. */
export function Pots({ instance, atMs }: { readonly instance: Instance; readonly atMs?: number }) {
  return (
    <>
      <h2>Pots</h2>
      <Rows
        what={`pots of ${instance.id}`}
        rows={instance.pots}
        columns={potColumnsOf(instance, atMs)}
        keyOf={(row) => row.id}
      />
    </>
  );
}

interface Held {
  readonly accounts: Readonly<Record<string, Amount>>;
  readonly sum: Amount;
}

/** Where the jackpot's money is: whatever one account has, others lack. */
export function Accounts({
  id,
  currency,
  held: { accounts, sum },
  sequence,
}: {
  readonly id: string;
  readonly currency: string;
  readonly held: Held;
  readonly sequence: number;
}) {
  return (
    <>
      <h2>Accounts</h2>
      <Rows
        what={`accounts of ${id}`}
        rows={Object.entries(accounts).map(([name, amount]) => ({ name, amount }))}
        columns={accountColumnsOf(currency)}
        keyOf={(row) => row.name}
      />
      <p className={isZero(sum) ? 'good' : 'warning'} role="status">
        {isZero(sum) ? 'They sum to zero: ' : 'They do not sum to zero: '}
        <Money amount={sum} currency={currency} />, at sequence {sequence.toLocaleString()}.
      </p>
    </>
  );
}

type Pot = Instance['pots'][number];

function potColumnsOf({ currency }: Instance, atMs: number | undefined): readonly Column<Pot>[] {
  const amount = (head: string, of: (pot: Pot) => string | number | null): Column<Pot> => ({
    head,
    isNumber: true,
    cell: (row) => <Money amount={of(row)} currency={currency} />,
    text: of,
  });
  return [
    { head: 'Pot', cell: (row) => <Name>{row.id}</Name>, text: (row) => row.id },
    amount('Value', (row) => row.current_value),
    { head: 'Currency', cell: () => currency, text: () => currency },
    {
      head: 'Must drop',
      cell: (row) => <MustDrop pot={row} currency={currency} atMs={atMs} />,
      text: (row) =>
        mustDropsOf([row], atMs)
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
      head: 'Cycle',
      isNumber: true,
      cell: (row) => row.instance_count.toLocaleString(),
      text: (row) => row.instance_count,
    },
    { head: 'Takes part', cell: (row) => (row.enabled ? 'yes' : 'no'), text: (row) => String(row.enabled) },
  ];
}

function MustDrop({
  pot,
  currency,
  atMs: thenMs,
}: {
  readonly pot: Pot;
  readonly currency: string;
  readonly atMs: number | undefined;
}) {
  const drops = mustDropsOf([pot], thenMs);
  if (drops.length === 0) return <span className="none">–</span>;
  return drops.map(({ atValue, atMs }) => (
    <span key={`${atValue} ${atMs}`}>
      by {atMs === null ? <Money amount={atValue} currency={currency} /> : <Time ms={atMs} />}{' '}
    </span>
  ));
}

function isZero(amount: Amount): boolean {
  return /^-?0(?:\.0+)?$/.test(String(amount));
}

interface Account {
  readonly name: string;
  readonly amount: Amount;
}

function accountColumnsOf(currency: string): readonly Column<Account>[] {
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
