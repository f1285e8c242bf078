import * as z from 'zod';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import { hostMove, laneOwner, moveShape, moveText } from '../../../../contracts/lanes/placement.ts';
import { movesUnder } from '../../../../contracts/lanes/placement-orders.ts';
import type { PlacementOrder, PlacementView } from '../../../../messages/placement.ts';
import { PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import { defineChange, defineRead, type GatewayContext } from '../../operation/operation.ts';
import { orderPlacement } from '../../services/placement.ts';
import { askedPlacement, lanesAsked } from './placement.ts';

const laneParams = z.strictObject({ lane: laneOwner.lane });
const hostParams = z.strictObject({ host_id: laneOwner.hostId });
const moves = z.array(moveShape);
const movesOf = (order: PlacementOrder, view: PlacementView) => movesUnder(order, view).map(moveText);

/** What moving a lane to a host would change; without a host: what placing it as all others would. */
export const previewMoveOperation = defineRead('run', {
  id: 'lanes.preview-move',
  name: 'Preview the move of a lane',
  route: 'GET /config/lanes/{lane}/owner',
  input: { params: laneParams, query: z.strictObject({ host_id: laneOwner.hostId.optional() }) },
  output: moves,
  async handle({ principal, params, query: { host_id: host = null } }, context) {
    const { view } = await askedPlacement(context, principal);
    return { status: 200, body: movesOf(moveOf(view, params.lane, host), view) };
  },
});

/** Moves a lane to a host, which then owns it whenever it is there. docs/rules/operations.md "Orders" */
export const moveLaneOperation = defineChange('run', {
  id: 'lanes.move',
  name: 'Move a lane to a host',
  route: 'PUT /config/lanes/{lane}/owner',
  input: { params: laneParams, body: hostMove },
  output: moves,
  async handle({ principal, params, body: { host_id: host } }, context) {
    return ordered(principal, context, (view) => moveOf(view, params.lane, host));
  },
});

/** Places a lane as all others. */
export const releaseLaneOperation = defineChange('run', {
  id: 'lanes.release',
  name: 'Place a lane as all others',
  route: 'DELETE /config/lanes/{lane}/owner',
  input: { params: laneParams },
  output: moves,
  async handle({ principal, params }, context) {
    return ordered(principal, context, (view) => moveOf(view, params.lane, null));
  },
});

/** Which lanes draining a host would move, and where to. */
export const previewDrainOperation = defineRead('run', {
  id: 'hosts.preview-drain',
  name: 'Preview the draining of a host',
  route: 'GET /config/hosts/{host_id}/drain',
  input: { params: hostParams },
  output: moves,
  async handle({ principal, params: { host_id: host } }, context) {
    const { view } = await askedPlacement(context, principal);
    return { status: 200, body: movesOf(drainOf(view, host), view) };
  },
});

/** Moves all lanes away from a host, for as long as it is drained. */
export const drainHostOperation = defineChange('run', {
  id: 'hosts.drain',
  name: 'Drain a host',
  route: 'PUT /config/hosts/{host_id}/drain',
  input: { params: hostParams },
  output: moves,
  async handle({ principal, params: { host_id: host } }, context) {
    return ordered(principal, context, (view) => drainOf(view, host));
  },
});

/** Lets a host have lanes again, also one that is not there at the moment. */
export const undrainHostOperation = defineChange('run', {
  id: 'hosts.undrain',
  name: 'Let a host have lanes again',
  route: 'DELETE /config/hosts/{host_id}/drain',
  input: { params: hostParams },
  output: moves,
  async handle({ principal, params: { host_id: host } }, context) {
    return ordered(principal, context, () => ({ kind: 'drain', host, isDrained: false }));
  },
});

/** Gives the order that `orderOf` makes of what is now, and answers which lanes it moves. */
async function ordered(
  principal: AdministratorPrincipal,
  context: GatewayContext,
  orderOf: (view: PlacementView) => PlacementOrder,
): Promise<Reply> {
  const { view } = await askedPlacement(context, principal);
  const order = orderOf(view);
  await orderPlacement(context.lanes, lanesAsked(context), order);
  return { status: 200, body: movesOf(order, view) };
}

/** @throws PublicError 400 where there is no such lane, or no such host now. */
function moveOf(view: PlacementView, lane: number, host: string | null): PlacementOrder {
  if (lane >= view.lanes.length)
    throw new PublicError(
      'invalid_parameter',
      `There is no lane ${lane}. Lanes: 0 to ${view.lanes.length - 1}.`,
    );
  if (host !== null) requireHost(view, host);
  return { kind: 'move', lane, host };
}

/** @throws PublicError 400 where there is no such host now. */
function drainOf(view: PlacementView, host: string): PlacementOrder {
  requireHost(view, host);
  return { kind: 'drain', host, isDrained: true };
}

function requireHost({ hosts }: PlacementView, host: string): void {
  if (hosts.some(({ id }) => id === host)) return;
  const ids = hosts.map(({ id }) => id).sort();
  throw new PublicError('invalid_parameter', `There is no host ${host} now. Hosts: ${ids.join(', ')}.`);
}
