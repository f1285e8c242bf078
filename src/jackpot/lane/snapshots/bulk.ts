import type { RowError } from '../../../messages/outcomes.ts';
import type { BulkOptInRow } from '../../../messages/player-commands.ts';
import type { BulkJob, LaneState } from '../../state/lane/lane-state.ts';

/** Rows, or errors, that one chunk holds. */
const rowsPerChunk = 2000;

/** A part of a bulk opt-in: the parts of a job come in order. */
export interface StoredBulk {
  readonly type: 'bulk';
  readonly job: string;
  readonly user: string;
  readonly nextRow: number;
  readonly step: number;
  readonly rows: readonly BulkOptInRow[];
  readonly errors: readonly RowError[];
}

/** Rows never change and errors are only appended, so both may be read later. */
export function copyBulk(state: LaneState): readonly BulkJob[] {
  return [...state.bulk.values()].map((job) => ({ ...job, errors: job.errors.slice() }));
}

export function* bulkChunks(jobs: readonly BulkJob[]): Iterable<StoredBulk> {
  for (const { rows, errors, ...facts } of jobs) {
    let from = 0;
    do {
      const to = from + rowsPerChunk;
      yield { type: 'bulk', ...facts, rows: rows.slice(from, to), errors: errors.slice(from, to) };
      from = to;
    } while (from < rows.length);
  }
}

export function restoreBulk(state: LaneState, { type: _, rows, errors, ...facts }: StoredBulk): void {
  const known = state.bulk.get(facts.job);
  state.bulk.set(facts.job, {
    ...facts,
    rows: [...(known?.rows ?? []), ...rows],
    errors: [...(known?.errors ?? []), ...errors],
  });
}
