import type { ErrorCode } from '../../../../../../contracts/errors/codes.ts';
import { pause } from '../../../../../../lib/pauses.ts';
import type { CommandOutcome, RowError } from '../../../../../../messages/outcomes.ts';
import type { BulkOptInRow } from '../../../../../../messages/player-commands.ts';
import { isErrorCode, PublicError } from '../../../../../base/errors.ts';
import type { GatewayContext } from '../../../../operation/operation.ts';

/** Less than a request may take: rows that are not sent by then are `overloaded`. */
export const bulkDeadlineMs = 7_000;
const firstRetryMs = 50;
const maxRetryMs = 500;
const progressPollMs = 50;

/** Says of a row why it was not done. */
export type Report = (row: SentRow, code: ErrorCode) => void;

/**
 * Sends the rows of a lane, one command after the other. What stops the lane is the error of all rows left; a
 * busy lane is waited for until the deadline.
 */
export async function sendRows(
  context: GatewayContext,
  lane: number,
  chunks: Iterable<readonly SentRow[]>,
  { user, untilMs, report }: { readonly user: string; readonly untilMs: number; readonly report: Report },
): Promise<void> {
  let stopped: ErrorCode | null = null;
  for (const chunk of chunks) {
    const done: Done =
      stopped ??
      (await context.bulkUploads.inTurn(lane, () => sendChunk(context, lane, chunk, user, untilMs)));
    if (typeof done === 'string') {
      if (!passing.has(done)) stopped = done;
      for (const row of chunk) report(row, done);
      continue;
    }
    for (const { row, code } of done.errors) report(chunk[row]!, isErrorCode(code) ? code : 'internal_error');
    for (const row of chunk.slice(chunk.length - done.remaining)) report(row, 'outcome_unknown');
    for (const { brand, player } of chunk) context.optIns.forget(brand, player);
  }
}

/** These stop one command: the next one may fare better. */
const passing: ReadonlySet<ErrorCode> = new Set(['outcome_unknown']);

type Progress = Omit<Extract<CommandOutcome, { kind: 'BulkOptedIn' }>, 'kind'>;
type Done = Progress | ErrorCode;

async function sendChunk(
  context: GatewayContext,
  lane: number,
  chunk: readonly SentRow[],
  user: string,
  untilMs: number,
): Promise<Done> {
  const { lanes, clock, random } = context;
  const job = Buffer.from(random.bytes(24)).toString('base64url');
  const rows = chunk.map(({ key: _, ...row }) => row);
  for (let retryMs = firstRetryMs; clock.elapsedMs() < untilMs; retryMs = Math.min(maxRetryMs, 2 * retryMs)) {
    try {
      const { outcome } = await lanes.send(lane, { kind: 'BulkOptIn', job, rows, user });
      if (outcome.kind === 'BulkOptedIn') return await finished(context, lane, job, outcome, untilMs);
      if (outcome.kind !== 'Refused') throw new Error(`A bulk opt-in was answered with ${outcome.kind}.`);
      if (outcome.code !== 'overloaded') return outcome.code;
    } catch (error) {
      if (!(error instanceof PublicError)) throw error;
      if (error.code !== 'overloaded') return error.code;
    }
    await pause(clock, retryMs);
  }
  return 'overloaded';
}

/** The lane's owner does in further steps what was too much for one message. */
async function finished(
  { lanes, clock }: GatewayContext,
  lane: number,
  job: string,
  begun: Progress,
  untilMs: number,
): Promise<Progress> {
  let { remaining } = begun;
  const errors: RowError[] = [...begun.errors];
  while (remaining > 0 && clock.elapsedMs() < untilMs) {
    await pause(clock, progressPollMs);
    const answer = await lanes
      .query(lane, { kind: 'bulk_opt_in', job, offset: errors.length })
      .catch(unanswered);
    if (answer === null || answer.kind !== 'bulk_opt_in') break;
    remaining = answer.remaining;
    errors.push(...answer.errors);
  }
  return { remaining, errors };
}

function unanswered(error: unknown): null {
  if (error instanceof PublicError) return null;
  throw error;
}

/** A row on its way to its lane, and the key of its error. */
export interface SentRow extends BulkOptInRow {
  readonly key: string;
}

/** A command does no more in the lane than a step of long work (docs/rules/log.md "Work in steps"). */
const chunkRows = 250;
const chunkBytes = 88 * 1024;
const rowBytes = 260;
const potBytes = 96;

/** Rows in parts that one message of the lane can do at once. `pots`: an instance's number of them. */
export function* chunksOf(
  rows: readonly SentRow[],
  pots: (instance: string) => number,
): Iterable<readonly SentRow[]> {
  let chunk: SentRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    if (chunk.length >= chunkRows || bytes >= chunkBytes) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(row);
    bytes += rowBytes + potBytes * pots(row.instance) + 4 * row.player.length;
  }
  if (chunk.length > 0) yield chunk;
}
