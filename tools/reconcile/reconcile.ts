import type { Log } from '../../src/ports.ts';
import { compare, type Difference, type OnBehalf, type Period, type Total } from './compare.ts';
import { readLedger } from './read-ledger.ts';
import { ReconcileStore } from './store.ts';
import type { StatementRow } from './transaction.ts';

export interface ReconcileInput extends Period {
  readonly log: Log;
  readonly lanes: number;
  /** Brand path. */
  readonly brand: string;
  /** The ledger is read from so long before the period, for transactions that were opened before it. */
  readonly lookBackMs: number;
  /** The statements of at least this period. */
  readonly statements: (period: Period) => AsyncIterable<StatementRow>;
}

export interface ReconcileOutput {
  difference(difference: Difference): void;
  onBehalf(item: OnBehalf): void;
}

export interface ReconcileSummary {
  readonly brand: string;
  readonly from: string;
  readonly to: string;
  readonly ledger: { readonly lanes: number; readonly from: string | null; readonly open: number };
  readonly statements: {
    readonly rows: number;
    readonly needed_from: string;
    readonly needed_to: string;
    readonly of_other_brands: number;
  };
  readonly matched: number;
  readonly differences: number;
  /** By kind; without those that did not occur. */
  readonly kinds: Readonly<Record<string, number>>;
  readonly by_hand: number;
  readonly totals: readonly Total[];
}

/** The clocks of wallets and of the log differ by less. */
export const marginMs = 15 * 60_000;

/** Compares the ledger of a brand with its statements. @throws StatementError, LogError */
export async function reconcile(input: ReconcileInput, output: ReconcileOutput): Promise<ReconcileSummary> {
  const store = new ReconcileStore();
  try {
    const beginsMs = await fillLedger(store, input);
    const needed = neededPeriod(store, input);
    const counts = await fillStatements(store, input, needed);
    store.index();
    const kinds: Record<string, number> = {};
    let onBehalf = 0;
    const comparison = compare(store, input, {
      difference(difference) {
        kinds[difference.kind] = (kinds[difference.kind] ?? 0) + 1;
        output.difference(difference);
      },
      onBehalf(item) {
        onBehalf += 1;
        output.onBehalf(item);
      },
    });
    return {
      brand: input.brand,
      from: textOf(input.fromMs),
      to: textOf(input.toMs),
      ledger: {
        lanes: input.lanes,
        from: beginsMs === null ? null : textOf(beginsMs),
        open: countOf(store, "SELECT COUNT(*) AS found FROM ledger WHERE state = 'open'") ?? 0,
      },
      statements: { ...counts, needed_from: textOf(needed.fromMs), needed_to: textOf(needed.toMs) },
      ...{ matched: comparison.matched, differences: comparison.differences },
      ...{ kinds, by_hand: onBehalf, totals: comparison.totals },
    };
  } finally {
    store.close();
  }
}

/** The time of the first message of all lanes that was read. */
async function fillLedger(store: ReconcileStore, input: ReconcileInput): Promise<number | null> {
  let beginsMs: number | null = null;
  for (let lane = 0; lane < input.lanes; lane += 1) {
    const extent = await readLedger(input.log, lane, input.fromMs - input.lookBackMs, input.brand, store);
    if (extent.beginsMs !== null) beginsMs = Math.min(beginsMs ?? extent.beginsMs, extent.beginsMs);
  }
  return beginsMs;
}

/** A transaction that was settled in the period was executed between its opening and then. */
function neededPeriod(store: ReconcileStore, { fromMs, toMs }: Period): Period {
  const oldestMs = countOf(
    store,
    `SELECT MIN(opened_ms) AS found FROM ledger
     WHERE state != 'open' AND settled_ms >= ? AND settled_ms < ?`,
    fromMs,
    toMs,
  );
  return { fromMs: Math.max(0, Math.min(fromMs, oldestMs ?? fromMs) - marginMs), toMs: toMs + marginMs };
}

async function fillStatements(
  store: ReconcileStore,
  { brand, statements }: ReconcileInput,
  needed: Period,
): Promise<{ rows: number; of_other_brands: number }> {
  const bare = brand.slice(brand.indexOf(':') + 1);
  let rows = 0;
  let others = 0;
  for await (const row of statements(needed)) {
    if (row.brand !== null && row.brand !== brand && row.brand !== bare) {
      others += 1;
      continue;
    }
    rows += 1;
    store.addStatement(row);
  }
  return { rows, of_other_brands: others };
}

function countOf({ database }: ReconcileStore, sql: string, ...values: readonly number[]): number | null {
  return (database.prepare(sql).get(...values) as { readonly found: number | null }).found;
}

function textOf(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
