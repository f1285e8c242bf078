import * as z from 'zod';
import { authorize, visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { defaultLimit, offsetOf } from '../../../../../contracts/fields/lists.ts';
import {
  type DeliveryView,
  deliveriesQuery,
  deliveryEventType,
  deliveryIdField,
  deliveryResolution,
  deliveryShape,
} from '../../../../../contracts/payments/delivery.ts';
import type {
  DeliveryAnswer,
  DeliveryFilter,
  DeliveryRow,
} from '../../../../../contracts/payments/delivery-questions.ts';
import { type FourEyesRule, isAboveLimit } from '../../../../../directory/four-eyes/rule.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import {
  defineChange,
  defineRead,
  type GatewayContext,
  type OperationRequest,
} from '../../../operation/operation.ts';
import { partyOf } from '../../../services/readers.ts';
import { integerIn, listedBy, listHeaders } from '../../lists.ts';
import { requireReason } from '../shared/expected-version.ts';
import { requireListed } from '../shared/owner-access.ts';
import { deliveryPlace, firstRows } from './merged-rows.ts';

/** A page lies within this number of rows: each is asked for from the first one on. */
const maxRows = 10_000;

/** Deliveries that are not accepted yet or were given up, in pages, the oldest first. */
export const listDeliveriesOperation = defineRead('read', {
  id: 'deliveries.list',
  name: 'List deliveries',
  route: 'GET /config/deliveries',
  refusals: [404],
  input: { query: deliveriesQuery },
  output: z.array(deliveryShape),
  answerHeaders: listHeaders,
  async handle({ principal, query }, context) {
    const filter = filterOf(context, principal, query);
    const limit = query.limit ?? defaultLimit;
    const from = offsetOf(query);
    if (from + limit > maxRows) throw new PublicError('invalid_parameter');
    const field = query.sort_field ?? 'created_timestamp';
    const order = { filter, field, direction: query.sort_direction ?? 1 };
    return context.readers.deliveries.during(partyOf(principal), principal.subject, async () => {
      const { page, headers } = await listedBy(field, query, async (position) => {
        const after = position === null ? null : { value: integerIn(position), id: position.tie };
        const { rows, total } = await firstRows(context, order, from + limit + 1, after);
        const shown = rows.slice(from, from + limit);
        const end = rows.length > from + limit ? deliveryPlace(shown.at(-1)!, order) : null;
        const last = end === null ? null : { value: end.value, tie: end.id };
        return { items: shown, total, last };
      });
      const nowMs = context.clock.nowMs();
      return { status: 200, headers, body: page.map((row) => deliveryView(row, nowMs)) };
    });
  },
});

/** @throws PublicError for what is foreign or missing */
function filterOf(
  context: GatewayContext,
  principal: AdministratorPrincipal,
  query: z.output<typeof deliveriesQuery>,
): DeliveryFilter {
  const { state, kind, owner_id: owner, brand_id: brand, instance_id: instance } = query;
  requireListed(context, principal, query);
  return {
    states: state === undefined ? [] : [state],
    kinds: kind === undefined ? [] : [kind],
    owners: [...visibleOwners(principal)],
    owner: owner ?? '',
    brand: brand ?? '',
    instance: instance ?? '',
  };
}

/** Sends a stored delivery again, from now on. A dead flush above the limit needs approval. */
export const replayDeliveryOperation = defineChange('move_money', {
  id: 'deliveries.replay',
  name: 'Replay a delivery',
  route: 'POST /config/deliveries/{id}/replay',
  refusals: [404],
  input: { params: z.strictObject({ id: deliveryIdField }) },
  output: deliveryShape,
  isRepeatable: true,
  auditOwners: ownersOfDelivery,
  fourEyes: true,
  async handle(request, context) {
    const { principal, params } = request;
    const { lane, row: found } = await findDelivery(context, principal, params.id);
    const isNeeded = (rule: FourEyesRule) => found.state === 'dead' && isLargeFlush(found, rule);
    const proposed = await proposedChange(context, request, found.owner, { isNeeded });
    if (proposed !== null) return proposed;
    const [row] = await deliveryRows(context, lane, { kind: 'replay', id: params.id });
    if (row === undefined) throw missingDelivery();
    return { status: 200, body: deliveryView(row, context.clock.nowMs()) };
  },
});

/**
 * Ends a dead delivery: the receiver has the money of a flush (`confirmed`) or not (`failed`, back to the
 * pool). A callback is forgotten. A flush above the limit needs approval.
 */
export const resolveDeliveryOperation = defineChange('move_money', {
  id: 'deliveries.resolve',
  name: 'Resolve a delivery',
  route: 'POST /config/deliveries/{id}/resolve',
  refusals: [404],
  input: { params: z.strictObject({ id: deliveryIdField }), body: deliveryResolution },
  output: deliveryShape,
  fourEyes: true,
  auditOwners: ownersOfDelivery,
  async handle(request, context) {
    const { principal, params, body } = request;
    const { lane, row } = await findDelivery(context, principal, params.id);
    requireReason(body.reason);
    if (row.state !== 'dead') throw new PublicError('invalid_transition', `The delivery is ${row.state}.`);
    const isNeeded = (rule: FourEyesRule) => isLargeFlush(row, rule);
    const proposed = await proposedChange(context, request, row.owner, { isNeeded });
    if (proposed !== null) return proposed;
    const [after] = await deliveryRows(context, lane, {
      kind: 'resolve',
      id: params.id,
      result: body.result,
    });
    if (after === undefined) throw missingDelivery();
    const view = deliveryView(after, context.clock.nowMs());
    return { status: 200, body: { ...view, state: 'resolved', next_try_timestamp: null } };
  },
});

/** For the audit trail; none where the id is unknown or foreign. */
async function ownersOfDelivery(
  { params, principal }: OperationRequest,
  context: GatewayContext,
): Promise<readonly string[]> {
  const { id } = params as { readonly id: string };
  // An administrator's operation has an administrator.
  const found = await findDelivery(context, principal as unknown as AdministratorPrincipal, id).catch(
    () => null,
  );
  return found === null ? [] : [found.row.owner];
}

/** Whether a delivery is a flush above the limit; a callback has no amount. */
export function isLargeFlush({ amount }: DeliveryRow, rule: FourEyesRule): boolean {
  return amount !== '' && isAboveLimit(BigInt(amount), rule);
}

/** A stored delivery, and the lane that has it. */
interface FoundDelivery {
  readonly lane: number;
  readonly row: DeliveryRow;
}

/** Every lane: an outbox answers for a lane that does not serve, too. */
export function allLanes({ lanes }: GatewayContext): number[] {
  return Array.from({ length: lanes.lanes }, (_, lane) => lane);
}

/**
 * A delivery that the caller may decide about.
 * @throws PublicError route_not_found where it is missing or foreign; overloaded where a lane has no outbox
 */
async function findDelivery(
  context: GatewayContext,
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

async function deliveryRows(
  context: GatewayContext,
  ...question: Parameters<GatewayContext['deliveries']>
): Promise<readonly DeliveryRow[]> {
  return (await deliverySlice(context, ...question)).rows;
}

/** @throws PublicError overloaded; invalid_transition where the delivery is in another state */
export async function deliverySlice(
  { deliveries }: GatewayContext,
  ...[lane, question]: Parameters<GatewayContext['deliveries']>
): Promise<Extract<DeliveryAnswer, { readonly kind: 'rows' }>> {
  const answer = await deliveries(lane, question);
  if (answer.kind === 'rows') return answer;
  if (answer.kind === 'wrong_state')
    throw new PublicError('invalid_transition', `The delivery is ${answer.state}.`);
  throw new PublicError('overloaded');
}

function missingDelivery(): PublicError {
  return new PublicError('route_not_found', 'There is no such stored delivery.');
}

/** A stored delivery as an administrator sees it. */
function deliveryView(row: DeliveryRow, nowMs: number): DeliveryView {
  const { id, kind, owner, instance, origin, state, tries, lastError, lastTryMs, nextMs, createdMs } = row;
  return {
    id,
    event_id: id,
    event_type: deliveryEventType(row),
    subscription_id: row.subscription ?? null,
    kind,
    owner_id: owner,
    instance_id: instance === '' ? null : instance,
    origin,
    state,
    attempts: tries,
    last_error: lastError === '' ? null : lastError,
    last_try_timestamp: lastTryMs === 0 ? null : lastTryMs,
    next_try_timestamp: state === 'dead' ? null : nextMs,
    created_timestamp: createdMs,
    age_ms: Math.max(0, nowMs - createdMs),
    deliveries: row.deliveries,
    amount: row.amount === '' ? null : BigInt(row.amount),
    currency: row.currency === '' ? null : row.currency,
  };
}
