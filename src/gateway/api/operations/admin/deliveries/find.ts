import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { DeliveryRow } from '../../../../../contracts/payments/delivery-questions.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

/** A stored delivery, and the lane that has it. */
interface FoundDelivery {
  readonly lane: number;
  readonly row: DeliveryRow;
}

type Context = Pick<GatewayContext, 'lanes' | 'deliveries'>;

/** Every lane: an outbox answers for a lane that does not serve, too. */
export function allLanes({ lanes }: Pick<GatewayContext, 'lanes'>): number[] {
  return Array.from({ length: lanes.lanes }, (_, lane) => lane);
}

/**
 * A delivery that the caller may decide about.
 * @throws PublicError route_not_found where it is missing or foreign; overloaded where a lane has no outbox
 */
export async function findDelivery(
  context: Context,
  principal: AdministratorPrincipal,
  id: string,
): Promise<FoundDelivery> {
  const found = await Promise.all(
    allLanes(context).map(async (lane) => {
      const [row] = await deliveryRows(context, lane, { kind: 'read', id });
      return row === undefined ? null : { lane, row };
    }),
  );
  const one = found.find((each) => each !== null);
  if (one === undefined) throw missingDelivery();
  const decision = authorize(principal, 'move_money', one.row.owner);
  if (decision === 'foreign') throw missingDelivery();
  if (decision === 'forbidden') throw new PublicError('forbidden');
  return one;
}

/** @throws PublicError overloaded; invalid_transition where the delivery is in another state */
export async function deliveryRows(
  { deliveries }: Context,
  ...[lane, question]: Parameters<GatewayContext['deliveries']>
): Promise<readonly DeliveryRow[]> {
  const answer = await deliveries(lane, question);
  if (answer.kind === 'rows') return answer.rows;
  if (answer.kind === 'wrong_state')
    throw new PublicError('invalid_transition', `The delivery is ${answer.state}.`);
  throw new PublicError('overloaded');
}

export function missingDelivery(): PublicError {
  return new PublicError('route_not_found', 'There is no such stored delivery.');
}
