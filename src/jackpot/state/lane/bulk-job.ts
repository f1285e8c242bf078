import type { RowError } from '../../../messages/outcomes.ts';
import type { BulkOptInRow } from '../../../messages/player-commands.ts';

/** A bulk opt-in. Its list of rows is never changed, but forgotten once all are done; errors are only ever appended. */
export interface BulkJob {
  readonly job: string;
  rows: readonly BulkOptInRow[];
  readonly user: string;
  nextRow: number;
  step: number;
  readonly errors: RowError[];
}
