import type { LaneQueryAnswer } from '../../../../messages/queries.ts';
import type { OptInStatusRecord } from '../../../../messages/records.ts';
import { PublicError } from '../../../errors.ts';

/** At most `limit` records, in as many questions as they need: an answer holds those that fit a message. */
export async function allOptIns(
  limit: number,
  ask: (got: number) => Promise<LaneQueryAnswer>,
): Promise<readonly OptInStatusRecord[]> {
  const statuses: OptInStatusRecord[] = [];
  while (statuses.length < limit) {
    const answer = await ask(statuses.length);
    if (answer.kind !== 'opt_ins') throw new PublicError('overloaded');
    statuses.push(...answer.statuses);
    if (!answer.more) break;
  }
  return statuses;
}
