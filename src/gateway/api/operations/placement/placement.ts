import * as z from 'zod';
import { system } from '../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../access/rights/principal.ts';
import {
  failoverShape,
  failoverText,
  hostShape,
  hostText,
  laneShape,
  laneText,
} from '../../../../contracts/lanes/placement.ts';
import type { OwnerChange } from '../../../../messages/placement.ts';
import { servingLanes } from '../../directory/serving-lanes.ts';
import { defineRead, type GatewayContext } from '../../operation/operation.ts';
import { placementBy, placementNow } from '../../services/placement.ts';
import { requireAllowed } from '../admin/shared/owner-access.ts';

/** Each lane: who owns it and who stands by, how far they are. docs/rules/operations.md "Lanes" */
export const listLanesOperation = defineRead('run', {
  id: 'lanes.list',
  name: 'List lanes',
  route: 'GET /config/lanes',
  input: {},
  output: z.array(laneShape),
  async handle({ principal }, context) {
    const { view, ends } = await askedPlacement(context, principal);
    return { status: 200, body: view.lanes.map((lane) => laneText(lane, ends[lane.lane] ?? null)) };
  },
});

/** The actor hosts that live, with the lanes that each has. docs/rules/operations.md "Hosts" */
export const listHostsOperation = defineRead('run', {
  id: 'hosts.list',
  name: 'List actor hosts',
  route: 'GET /config/hosts',
  input: {},
  output: z.array(hostShape),
  async handle({ principal }, context) {
    const { view } = await askedPlacement(context, principal);
    const hosts = [...view.hosts].sort((a, b) => (a.id < b.id ? -1 : 1));
    return { status: 200, body: hosts.map(hostText) };
  },
});

/**
 * Changes of the lanes' owners, the newest first, as far as the hosts that own lanes remember them.
 * docs/rules/operations.md "Failovers"
 */
export const listFailoversOperation = defineRead('run', {
  id: 'failovers.list',
  name: 'List failovers',
  route: 'GET /config/failovers',
  input: {},
  output: z.array(failoverShape),
  async handle({ principal }, context) {
    const { view } = await askedPlacement(context, principal);
    const asked = view.hosts.flatMap(({ ownedLanes: [lane] }) => (lane === undefined ? [] : [lane]));
    const answers = await Promise.allSettled(asked.map((lane) => placementBy(context.lanes, lane)));
    const found = [
      view,
      ...answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value.view] : [])),
    ];
    return { status: 200, body: merged(found.flatMap(({ changes }) => changes)).map(failoverText) };
  },
});

/** @throws PublicError 403 for all but administrators of the whole system */
export function askedPlacement(context: GatewayContext, principal: AdministratorPrincipal) {
  requireAllowed(principal, 'run', system, 'forbidden');
  return placementNow(context.lanes, lanesAsked(context));
}

/** Where no lane serves, a host may answer all the same. */
export function lanesAsked(context: GatewayContext): readonly number[] {
  const serving = servingLanes(context);
  return serving.length > 0 ? serving : Array.from({ length: context.lanes.lanes }, (_, lane) => lane);
}

/** Several hosts observed the same change: that of the shortest silence, which was nearest, counts. */
function merged(changes: readonly OwnerChange[]): OwnerChange[] {
  const byTerm = new Map<string, OwnerChange>();
  for (const change of changes) {
    const key = `${change.lane} ${change.term}`;
    const known = byTerm.get(key);
    if (known === undefined || change.silentMs < known.silentMs) byTerm.set(key, change);
  }
  return [...byTerm.values()].sort((a, b) => b.timestampMs - a.timestampMs || a.lane - b.lane);
}
