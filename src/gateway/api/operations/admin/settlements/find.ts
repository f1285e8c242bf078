import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { SettlementRecord } from '../../../../../messages/settlements.ts';
import { PublicError } from '../../../../base/errors.ts';
import { servingLanes } from '../../../directory/serving-lanes.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** An open debit or credit, and the lane that has it. */
export interface FoundSettlement {
  readonly lane: number;
  readonly record: SettlementRecord;
  readonly brand: string;
  readonly instance: string;
  /** The instance's owner. */
  readonly owner: string;
}

/**
 * An open debit or credit that the caller may see; null: no serving lane has it. A transaction id does not
 * name its lane, so all are asked.
 */
export async function findSettlement(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  transactionId: string,
): Promise<FoundSettlement | null> {
  const found = await Promise.all(
    servingLanes(context).map(async (lane) => {
      const answer = await context.lanes.query(lane, { kind: 'open_settlement', transactionId });
      if (answer.kind !== 'settlements') throw new PublicError('overloaded');
      const [record] = answer.settlements;
      return record === undefined ? null : { lane, record };
    }),
  );
  const one = found.find((each) => each !== null);
  if (one === undefined) return null;
  const { brand, instance } = one.record.kind === 'debit' ? one.record.debit : one.record.credit;
  if (authorize(principal, 'read', brand) !== 'allowed') return null;
  const owner = context.directory.known(instance)?.description.owner;
  if (owner === undefined) throw new PublicError('overloaded');
  return { ...one, brand, instance, owner };
}

/** instance_unavailable where a lane that does not serve may have it, else route_not_found */
export function missingSettlement({ directory }: GatewayContext): PublicError {
  return directory.conditions.missing().length > 0
    ? new PublicError('instance_unavailable')
    : new PublicError('route_not_found', 'There is no such open settlement.');
}
