import { formatAmount } from '../../src/lib/money.ts';
import type { ReconcileStore } from './store.ts';
import type { LedgerState, TransactionType } from './transaction.ts';

/** Kinds of differences, each with what to do (docs/reconcile.md "Differences"). */
export const differenceKinds = [
  'missing_at_wallet',
  'unknown_to_us',
  'content_differs',
  'done_here_cancelled_there',
  'done_there_cancelled_here',
  'done_there_open_here',
  'doubled',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

export interface Difference {
  readonly kind: DifferenceKind;
  readonly id: string;
  readonly type: TransactionType;
  readonly player: string;
  readonly amount: string | null;
  readonly currency: string | null;
  /** The wallet's time, or that of our settlement where the wallet has none. */
  readonly timestampMs: number;
  readonly detail: string;
}

/**
 * A payment that a person resolved: no difference, but the operator should know whether the wallet paid it
 * too.
 */
export interface OnBehalf {
  readonly id: string;
  readonly type: TransactionType;
  readonly player: string;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly timestampMs: number;
  /** Who decided, and why. */
  readonly note: string;
  readonly atWallet: boolean;
}

/** Sums over the transactions that count in the period. */
export interface Total {
  readonly currency: string;
  readonly type: TransactionType;
  readonly ledger: { readonly count: number; readonly amount: string };
  readonly wallet: { readonly count: number; readonly amount: string };
}

export interface Comparison {
  readonly matched: number;
  readonly differences: number;
  readonly totals: readonly Total[];
}

export interface Period {
  readonly fromMs: number;
  /** Not included. */
  readonly toMs: number;
}

export interface ComparisonSink {
  difference(difference: Difference): void;
  onBehalf(item: OnBehalf): void;
}

interface StatementJoined {
  readonly number: number;
  readonly id: string;
  readonly type: TransactionType;
  readonly player: string;
  readonly atoms: string;
  readonly currency: string;
  readonly at_ms: number;
  readonly state: 'done' | 'cancelled';
  readonly copies: number;
  readonly first: number;
  readonly in_batch: number;
  readonly ledger_state: LedgerState | null;
  readonly ledger_type: TransactionType | null;
  readonly ledger_player: string | null;
  readonly ledger_atoms: string | null;
  readonly ledger_currency: string | null;
  readonly note: string | null;
}

interface LedgerOnly {
  readonly id: string;
  readonly type: TransactionType;
  readonly player: string;
  readonly atoms: string | null;
  readonly currency: string | null;
  readonly state: LedgerState;
  readonly settled_ms: number;
  readonly note: string | null;
}

/**
 * Compares each statement whose time is in the period with the ledger, and each ledger transaction that was
 * settled in the period with all statements that were read. Every transaction therefore counts in exactly one
 * of consecutive periods.
 */
export function compare(store: ReconcileStore, period: Period, sink: ComparisonSink): Comparison {
  const totals = new Totals();
  let matched = 0;
  let differences = 0;
  const report = (difference: Difference | null): void => {
    if (difference === null) matched += 1;
    else {
      differences += 1;
      sink.difference(difference);
    }
  };
  for (const row of statementsOf(store, period)) {
    if (row.state === 'done') totals.add('wallet', row.type, row.currency, BigInt(row.atoms));
    const isFirst = row.number === row.first;
    if (isFirst && row.ledger_state === 'done')
      totals.add(
        'ledger',
        row.ledger_type ?? row.type,
        row.ledger_currency ?? row.currency,
        BigInt(row.ledger_atoms ?? row.atoms),
      );
    if (isFirst && isOnBehalf(row.ledger_state)) sink.onBehalf(handOf(row));
    report(isFirst ? judge(row) : differenceOf('doubled', row, `${row.copies} rows have this id`));
  }
  for (const row of ledgerOnly(store, period)) {
    const { id, type, player, currency, settled_ms: timestampMs, note } = row;
    const amount = row.atoms === null ? null : formatAmount(BigInt(row.atoms));
    const common = { id, type, player, amount, currency, timestampMs };
    if (isOnBehalf(row.state)) {
      sink.onBehalf({ ...common, note: note ?? '', atWallet: false });
      continue;
    }
    totals.add('ledger', type, currency ?? '', BigInt(row.atoms ?? '0'));
    report({ kind: 'missing_at_wallet', ...common, detail: 'the wallet reported it as done' });
  }
  return { matched, differences, totals: totals.rows() };
}

function isOnBehalf(state: LedgerState | null): boolean {
  return state === 'by_hand' || state === 'booked';
}

/** null: both sides agree. */
function judge(row: StatementJoined): Difference | null {
  const { state, ledger_state: ours } = row;
  if (ours === null) {
    if (row.in_batch !== 0 && state === 'done')
      return differenceOf('done_there_open_here', row, 'its batch is not settled here');
    return state === 'cancelled' ? null : differenceOf('unknown_to_us', row, 'no lane has asked for it');
  }
  if (ours === 'cancelled')
    return state === 'cancelled'
      ? null
      : differenceOf('done_there_cancelled_here', row, row.note ?? 'the contribution was refused');
  if (ours === 'open')
    return state === 'cancelled' ? null : differenceOf('done_there_open_here', row, 'it is not settled here');
  if (state === 'cancelled')
    return isOnBehalf(ours) ? null : differenceOf('done_here_cancelled_there', row, 'we count it as done');
  const faults = [
    ['type', row.type, row.ledger_type],
    ['player', row.player, row.ledger_player],
    ['currency', row.currency, row.ledger_currency],
    ['amount', formatted(row.atoms), formatted(row.ledger_atoms)],
  ].filter(([, theirs, own]) => own !== null && theirs !== own);
  if (faults.length === 0) return null;
  const detail = faults.map(([name, theirs, own]) => `${name} is ${theirs} there, ${own} here`).join('; ');
  return differenceOf('content_differs', row, detail);
}

function formatted(atoms: string | null): string | null {
  return atoms === null ? null : formatAmount(BigInt(atoms));
}

function differenceOf(kind: DifferenceKind, row: StatementJoined, detail: string): Difference {
  const { id, type, player, currency, at_ms: timestampMs } = row;
  return { kind, id, type, player, amount: formatted(row.atoms), currency, timestampMs, detail };
}

function handOf(row: StatementJoined): OnBehalf {
  const { id, type, player, currency, at_ms: timestampMs, note, state } = row;
  const amount = formatted(row.atoms);
  return { id, type, player, amount, currency, timestampMs, note: note ?? '', atWallet: state === 'done' };
}

const page = 1_000;

/** In the order of the statements. */
function* statementsOf({ database }: ReconcileStore, { fromMs, toMs }: Period): Generator<StatementJoined> {
  const query = database.prepare(`
    SELECT s.number, s.id, s.type, s.player, s.atoms, s.currency, s.at_ms, s.state,
      (SELECT COUNT(*) FROM statements WHERE id = s.id) AS copies,
      (SELECT MIN(number) FROM statements WHERE id = s.id) AS first,
      (s.batch IS NOT NULL AND EXISTS (SELECT 1 FROM batches WHERE id = s.batch)) AS in_batch,
      l.state AS ledger_state, l.type AS ledger_type, l.player AS ledger_player, l.atoms AS ledger_atoms,
      l.currency AS ledger_currency, l.note
    FROM statements s LEFT JOIN ledger l ON l.id = s.id
    WHERE s.number > ? AND s.at_ms >= ? AND s.at_ms < ? ORDER BY s.number LIMIT ?`);
  for (let after = 0; ; ) {
    const rows = query.all(after, fromMs, toMs, page) as StatementJoined[];
    yield* rows;
    if (rows.length < page) return;
    after = rows.at(-1)!.number;
  }
}

/** Settled in the period, and in no statement. */
function* ledgerOnly({ database }: ReconcileStore, { fromMs, toMs }: Period): Generator<LedgerOnly> {
  const query = database.prepare(`
    SELECT id, type, player, atoms, currency, state, settled_ms, note FROM ledger l
    WHERE id > ? AND state IN ('done', 'by_hand', 'booked') AND settled_ms >= ? AND settled_ms < ?
      AND NOT EXISTS (SELECT 1 FROM statements WHERE id = l.id) ORDER BY id LIMIT ?`);
  for (let after = ''; ; ) {
    const rows = query.all(after, fromMs, toMs, page) as LedgerOnly[];
    yield* rows;
    if (rows.length < page) return;
    after = rows.at(-1)!.id;
  }
}

class Totals {
  readonly #sums = new Map<string, { ledger: Sum; wallet: Sum; type: TransactionType; currency: string }>();

  add(side: 'ledger' | 'wallet', type: TransactionType, currency: string, atoms: bigint): void {
    const key = `${currency} ${type}`;
    let sums = this.#sums.get(key);
    if (sums === undefined) {
      sums = { type, currency, ledger: { count: 0, atoms: 0n }, wallet: { count: 0, atoms: 0n } };
      this.#sums.set(key, sums);
    }
    sums[side].count += 1;
    sums[side].atoms += atoms;
  }

  rows(): readonly Total[] {
    const shown = ({ count, atoms }: Sum) => ({ count, amount: formatAmount(atoms) });
    return [...this.#sums.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { currency, type, ledger, wallet }]) => ({
        ...{ currency, type },
        ...{ ledger: shown(ledger), wallet: shown(wallet) },
      }));
  }
}

interface Sum {
  count: number;
  atoms: bigint;
}
