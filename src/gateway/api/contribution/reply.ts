import { writeContributionResult } from '../../../contracts/contributions/contribution-result.ts';
import type { ReadModel } from '../../../directory/read-model.ts';
import { formatAmount } from '../../../lib/money.ts';
import { uuidText } from '../../../lib/uuid.ts';
import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { Reply } from '../../base/reply.ts';
import type { ResultShape } from './request.ts';

/** Where the currency of a jackpot is looked up. */
type InstanceCurrencies = Pick<ReadModel, 'known'>;

/** A contribution that was applied: to the instances of its results, the main one first. */
interface Applied {
  readonly results: readonly ContributionOutcome[];
  readonly command: Contribute;
  /** The lane's time of the outcome; results that waited for others have their own. */
  readonly timestampMs: number;
  /** As the request gave it, in JSON. */
  readonly metadata: string | null;
}

/** How callers are told what became of a contribution: in an answer, or in a line of a stream. */
export interface AnswerForm<Answer> {
  contributed(applied: Applied, directory: InstanceCurrencies): Answer;
  /** A repeated idempotency key: the first contribution, with the metadata of the repeat. */
  repeated(first: Applied, directory: InstanceCurrencies): Answer;
  /** The contribution is stored, and its callback gets the outcome. */
  accepted(command: Contribute, timestampMs: number, isRepeated: boolean): Answer;
}

/** Replies of the operations by what their bodies hold. */
export const replyForms: Readonly<Record<ResultShape, AnswerForm<Reply>>> = {
  one: replyForm('one'),
  list: replyForm('list'),
  without_bonus: replyForm('without_bonus'),
};

function replyForm(shape: ResultShape): AnswerForm<Reply> {
  return {
    contributed: (applied, directory) => ({
      status: 200,
      headers: contributionHeaders(applied, directory),
      text: resultText(applied, shape),
    }),
    repeated: (first, directory) => ({ status: 204, headers: contributionHeaders(first, directory) }),
    accepted: (command, timestampMs, isRepeated) => ({
      status: isRepeated ? 204 : 200,
      headers: acceptedHeaders(command, timestampMs),
    }),
  };
}

function resultText(applied: Applied, shape: ResultShape): string {
  if (shape === 'list') return resultList(applied);
  const { command, timestampMs, metadata } = applied;
  return writeContributionResult(mainOf(applied), command, timestampMs, metadata, shape === 'one');
}

/** One result for each instance that received the contribution, as a JSON array. */
export function resultList({ results, command, timestampMs, metadata }: Applied): string {
  let text = '';
  for (let index = 0; index < results.length; index += 1) {
    if (index > 0) text += ',';
    text += writeContributionResult(results[index]!, command, timestampMs, metadata, true);
  }
  return `[${text}]`;
}

function mainOf({ results }: Applied): ContributionOutcome {
  const main = results[0];
  if (main === undefined) throw new Error('A contribution has no result.');
  return main;
}

/** The headers of an accepted asynchronous contribution and its repeats. */
function acceptedHeaders(command: Contribute, timestampMs: number): string[] {
  return ['X-Contribution-Id', uuidText(command.contributionId), 'X-Timestamp', String(timestampMs)];
}

/** Headers that repeats get, too; of several results, those of the main one. */
function contributionHeaders(applied: Applied, directory: InstanceCurrencies): string[] {
  const { command } = applied;
  const main = mainOf(applied);
  const headers = [
    'X-Contribution-Id',
    uuidText(command.contributionId),
    'X-Instance-Id',
    main.instance,
    'X-Timestamp',
    String(main.timestampMs ?? applied.timestampMs),
    'X-Tickets-Awarded',
    String(main.tickets),
    'X-Win-Amount',
    main.win === null ? '0' : formatAmount(main.win.amountAtoms),
    'X-Win-Currency',
    main.win?.currency ?? directory.known(main.instance)?.configuration.currency ?? '',
  ];
  if (main.win !== null) headers.push('X-Win-Pot-Id', main.win.pot);
  return headers;
}
