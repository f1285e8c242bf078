/**
 * Who has run this long has recovered: its next failure is a first one. A role that works and is killed every
 * few seconds must be back as soon as after the first time (docs/rules/operating.md "Restarts").
 */
export const stableAfterMs = 2000;
export const windowMs = 60_000;
/** Who recovers each time stays below it. */
export const restartsPerWindow = 30;
/** A child that never worked in this number of starts will not in the next. */
export const fruitlessStartsInARow = 10;

export const firstDelayMs = 100;
export const maxDelayMs = 5000;

/** What to do with a child that has ended. */
type Directive =
  | { readonly kind: 'restart'; readonly afterMs: number }
  /** Restarting does not help: the whole tree drains and ends. */
  | { readonly kind: 'escalate'; readonly reason: string };

/** How one run of a child went. */
type Ended = {
  /** From its start to its end. */
  readonly ranMs: number;
  /** Did it ever say that it works. */
  readonly wasReady: boolean;
  readonly nowMs: number;
};

/** The failures of one child so far. */
export type RestartHistory = {
  readonly failuresInARow: number;
  readonly fruitlessStarts: number;
  /** Times of the restarts in the window, oldest first. */
  readonly restartsAtMs: readonly number[];
};

export const noFailures: RestartHistory = { failuresInARow: 0, fruitlessStarts: 0, restartsAtMs: [] };

/** One for one: restarts each ended child alone, after a growing wait, up to its limit. */
export function decide(
  history: RestartHistory,
  ended: Ended,
): { readonly directive: Directive; readonly history: RestartHistory } {
  const recovered = ended.wasReady && ended.ranMs >= stableAfterMs;
  const failuresInARow = (recovered ? 0 : history.failuresInARow) + 1;
  const fruitlessStarts = ended.wasReady ? 0 : history.fruitlessStarts + 1;
  const recent = history.restartsAtMs.filter((atMs) => atMs > ended.nowMs - windowMs);
  const next = { failuresInARow, fruitlessStarts, restartsAtMs: [...recent, ended.nowMs] };
  if (fruitlessStarts >= fruitlessStartsInARow) {
    return { directive: escalate(`did not come up in ${fruitlessStarts} starts`), history: next };
  }
  if (recent.length >= restartsPerWindow) {
    return {
      directive: escalate(`was restarted ${recent.length} times in ${windowMs / 1000} s`),
      history: next,
    };
  }
  // The first failure of a child that worked says nothing against its next start.
  const afterMs = recovered ? 0 : backOffMs(failuresInARow);
  return { directive: { kind: 'restart', afterMs }, history: next };
}

/** The wait before a restart of a child that did not recover: doubles from 100 ms up to 5 s. */
export function backOffMs(failuresInARow: number): number {
  return Math.min(firstDelayMs * 2 ** Math.min(Math.max(failuresInARow - 1, 0), 16), maxDelayMs);
}

function escalate(reason: string): Directive {
  return { kind: 'escalate', reason };
}
