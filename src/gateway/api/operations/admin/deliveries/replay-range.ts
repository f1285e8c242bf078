import { authorize, visibleOwners } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import { isWithin, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { replayRange, replayShape } from '../../../../../contracts/payments/delivery.ts';
import type { DeliveryFilter, DeliveryRow } from '../../../../../contracts/payments/delivery-questions.ts';
import type { FourEyesRule } from '../../../../../directory/four-eyes/rule.ts';
import { sha256 } from '../../../../../lib/hashes.ts';
import { uuidText } from '../../../../../lib/uuid.ts';
import { PublicError } from '../../../../base/errors.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { isLargeFlush } from './flush-limit.ts';
import { firstRows } from './merged-rows.ts';
import { beginReplay } from './replays.ts';

/**
 * Sends the callbacks of a time range again, delivered ones too, and tries dead deliveries of that time again. It goes on in
 * the background. A repeat with the same `Idempotency-Key` is 204. Under the four-eyes rule it needs a second administrator if
 * a dead flush above the limit is among them.
 */
export const replayRangeOfDeliveriesOperation = defineOperation({
  id: 'deliveries.replay-range',
  name: 'Replay deliveries',
  method: 'POST',
  path: '/config/deliveries/replay',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'move_money' },
  input: { body: replayRange },
  output: replayShape,
  status: 202,
  headers: ['Idempotency-Key'],
  refusals: [409],
  fourEyes: true,
  underWay: replayShape,
  async handle(request, context) {
    const { principal, body, headers, approved } = request;
    const { from, to } = body;
    if (from > to) throw new PublicError('invalid_request');
    const owners = sharedOwners(principal);
    if (approved === null) {
      const flushes = (await deadFlushes(context, owners)).filter(
        ({ createdMs }) => createdMs >= from && createdMs <= to,
      );
      const isNeeded = (rule: FourEyesRule, owner: string) =>
        flushes.some((each) => isWithin(each.owner, operatorOf(owner)) && isLargeFlush(each, rule));
      const ofFlushes = flushes.map(({ owner }) => owner);
      const proposed = await proposedChange(context, request, ofFlushes, { isNeeded });
      if (proposed !== null) return proposed;
    }
    const key = keyOfHeader(headers) ?? (approved === null ? null : `\0approval ${approved.id}`);
    const idOf = (text: string) => uuidText(sha256(`replay ${text}\0${key}`, 16));
    const id = key === null ? uuidText(context.random.bytes(16)) : idOf(owners.toSorted().join(' '));
    const former = key === null ? null : idOf(principal.subject);
    const replay = await beginReplay(context, { id, fromMs: from, toMs: to, owners }, former);
    if (replay === null) return { status: 204 };
    return { status: 202, body: replay };
  },
});

/** Those for whom the caller, and who has approved, may both move money; empty: everybody. */
function sharedOwners(principal: AdministratorPrincipal): string[] {
  const lists = [principal, principal.approver ?? principal].map(visibleOwners);
  if (lists.every((owners) => owners.length === 0)) return [];
  const shared = lists.flat().filter((owner) => authorize(principal, 'move_money', owner) === 'allowed');
  if (shared.length === 0) throw new PublicError('forbidden');
  return [...new Set(shared)];
}

/** All of them: an instance has at most one. */
function deadFlushes(context: GatewayContext, owners: string[]): Promise<readonly DeliveryRow[]> {
  const filter: DeliveryFilter = {
    states: ['dead'],
    kinds: ['flush'],
    owners,
    owner: '',
    brand: '',
    instance: '',
  };
  return firstRows(context, { filter, field: 'created_timestamp', direction: 1 }, Number.MAX_SAFE_INTEGER);
}
