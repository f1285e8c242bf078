import type { KnownInstance } from '../../../../directory/lane-view.ts';
import type { EpochRecord } from '../../../../messages/records.ts';
import { PublicError } from '../../../base/errors.ts';
import type { GatewayContext } from '../../operation/operation.ts';

/** The epochs that the instance's actor keeps, by number; older ones are revealed and in the archive. */
export async function keptEpochs(
  { lanes }: Pick<GatewayContext, 'lanes'>,
  { lane, description: { instance } }: KnownInstance,
): Promise<readonly EpochRecord[]> {
  const records: EpochRecord[] = [];
  for (let after = -1; ; after = records.at(-1)!.epoch) {
    const answer = await lanes.query(lane, { kind: 'epochs', instance, after });
    if (answer.kind !== 'epochs') throw new PublicError('overloaded');
    records.push(...answer.epochs);
    if (!answer.more || answer.epochs.length === 0) return records;
  }
}
