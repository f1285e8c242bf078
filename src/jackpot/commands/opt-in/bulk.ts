import type { CommandOutcome, RowError } from '../../../messages/outcomes.ts';
import type { BulkOptIn } from '../../../messages/player-commands.ts';
import { refused } from '../../../messages/refusals.ts';
import { Budget, type Job } from '../../rules/steps/steps.ts';
import type { BulkJob, LaneState } from '../../state/lane/lane-state.ts';
import { moveOptIn } from './opt-in.ts';

const maxBulkRows = 50_000;
/** Jobs that are under way at a time, and finished ones whose errors may still be asked for. */
const maxBulkJobs = 128;
const finishedJobsRetained = 64;
/** Errors that one answer holds. */
const errorsPerAnswer = 500;
const maxJobNameLength = 64;
/** Bytes of an opt-in event beside the player's id and the pots. */
const eventBytes = 260;
const potBytes = 96;

/** Opts many players in and out, in order of the rows; a repeat returns the progress of its job. */
export function bulkOptIn(state: LaneState, command: BulkOptIn): CommandOutcome {
  const known = state.bulk.get(command.job);
  if (known !== undefined) return outcomeOf(known, 0);
  const { job, rows, user } = command;
  if (job.length === 0 || job.length > maxJobNameLength)
    return refused('invalid_parameter', 'the job needs a name');
  if (rows.length > maxBulkRows) {
    return refused('invalid_parameter', `at most ${maxBulkRows} rows are taken at a time`);
  }
  if (bulkJobs(state).length >= maxBulkJobs)
    return refused('overloaded', 'too many bulk opt-ins are under way');
  const begun: BulkJob = { job, rows, user, nextRow: 0, step: 0, errors: [] };
  state.bulk.set(job, begun);
  workOnBulk(state, begun);
  return outcomeOf(begun, 0);
}

/** One step; returns what came of it. */
export function continueBulk(state: LaneState, job: BulkJob): CommandOutcome {
  const from = job.errors.length;
  workOnBulk(state, job);
  return outcomeOf(job, from);
}

/** null: no such job, or it was finished long ago. */
export function bulkStatus(
  state: LaneState,
  job: string,
  offset: number,
): { readonly remaining: number; readonly errors: readonly RowError[] } | null {
  const known = state.bulk.get(job);
  if (known === undefined) return null;
  return {
    remaining: known.rows.length - known.nextRow,
    errors: known.errors.slice(offset, offset + errorsPerAnswer),
  };
}

export function bulkJobs(state: LaneState): readonly Job[] {
  return [...state.bulk.values()]
    .filter((each) => each.nextRow < each.rows.length)
    .map(({ job, step }) => ({ job: bulkJobOf(job), step, stepsPerMessage: 1 }));
}

function bulkJobOf(job: string): string {
  return `bulk/${job}`;
}

function workOnBulk(state: LaneState, job: BulkJob): void {
  const budget = new Budget();
  while (job.nextRow < job.rows.length && !budget.isSpent) {
    const row = job.rows[job.nextRow]!;
    const refusal = moveOptIn(state, row);
    if (refusal !== null) job.errors.push({ row: job.nextRow, code: refusal.code, message: refusal.message });
    const pots = state.instances.get(row.instance)?.pots.length ?? 0;
    budget.spend(eventBytes + potBytes * pots + 4 * row.player.length);
    job.nextRow += 1;
  }
  job.step += 1;
  if (job.nextRow < job.rows.length) return;
  job.rows = [];
  job.nextRow = 0;
  forgetFinished(state);
}

function forgetFinished(state: LaneState): void {
  const finished = [...state.bulk.values()].filter((each) => each.nextRow >= each.rows.length);
  for (const { job } of finished.slice(0, Math.max(0, finished.length - finishedJobsRetained)))
    state.bulk.delete(job);
}

function outcomeOf(job: BulkJob, fromError: number): CommandOutcome {
  return {
    kind: 'BulkOptedIn',
    remaining: job.rows.length - job.nextRow,
    errors: job.errors.slice(fromError, fromError + errorsPerAnswer),
  };
}
