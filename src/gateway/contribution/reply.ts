import { writeContributionResult } from '../../contracts/contribution-result.ts';
import type { ReadModel } from '../../directory/read-model.ts';
import { formatAmount } from '../../lib/money.ts';
import { uuidText } from '../../lib/uuid.ts';
import type { ContributionOutcome } from '../../messages/outcomes.ts';
import type { Contribute } from '../../messages/player-commands.ts';
import type { Reply } from '../operation.ts';
import type { ResultShape } from './request.ts';

/** Where the currency of a jackpot is looked up. */
export type InstanceCurrencies = Pick<ReadModel, 'known'>;

/** The answer to O8, O9 and O16: one result for each instance that received the contribution. */
export function contributionReply(
  results: readonly ContributionOutcome[],
  command: Contribute,
  timestampMs: number,
  metadata: string | null,
  shape: ResultShape,
  directory: InstanceCurrencies,
): Reply {
  const main = results[0];
  if (main === undefined) throw new Error('A contribution has no result.');
  const withBonus = shape !== 'without_bonus';
  let text = writeContributionResult(main, command, timestampMs, metadata, withBonus);
  if (shape === 'list') {
    for (let index = 1; index < results.length; index += 1) {
      text += `,${writeContributionResult(results[index]!, command, timestampMs, metadata, withBonus)}`;
    }
    text = `[${text}]`;
  }
  return { status: 200, headers: contributionHeaders(main, command, timestampMs, directory), text };
}

/** The headers of an accepted asynchronous contribution and its repeats. */
export function acceptedHeaders(command: Contribute, timestampMs: number): string[] {
  return ['X-Contribution-Id', uuidText(command.contributionId), 'X-Timestamp', String(timestampMs)];
}

/** Headers that repeats get, too; of several results, those of the main one. */
export function contributionHeaders(
  main: ContributionOutcome,
  command: Contribute,
  timestampMs: number,
  directory: InstanceCurrencies,
): string[] {
  const headers = [
    'X-Contribution-Id',
    uuidText(command.contributionId),
    'X-Instance-Id',
    main.instance,
    'X-Timestamp',
    String(timestampMs),
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
