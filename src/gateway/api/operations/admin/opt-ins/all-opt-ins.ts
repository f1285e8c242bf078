import type { LaneQueryAnswer } from '../../../../../messages/queries.ts';
import type { OptInStatusRecord } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';

/** Of one answer, where they fit a message. */
const recordsPerAnswer = 500;

/** At most `limit` records, in as many questions as they need. */
export async function allOptIns(
  limit: number,
  ask: (got: number) => Promise<LaneQueryAnswer>,
): Promise<readonly OptInStatusRecord[]> {
  const statuses: OptInStatusRecord[] = [];
  while (statuses.length < limit) {
    const answer = await ask(statuses.length);
    if (answer.kind !== 'opt_ins') throw new PublicError('overloaded');
    statuses.push(...answer.statuses);
    if (!answer.more && answer.statuses.length < recordsPerAnswer) break;
  }
  return statuses;
}
