import { writeContributionResult } from '../../../contracts/contributions/contribution-result.ts';
import { formatAmount } from '../../../lib/money.ts';
import { uuidText } from '../../../lib/uuid.ts';
import type { ContributionOutcome } from '../../../messages/outcomes.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { Reply } from '../../base/reply.ts';
import type { AnswerForm, Applied, InstanceCurrencies } from './answer-form.ts';
import type { ResultShape } from './request.ts';

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
