import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { trigger, triggered } from '../../../../../contracts/jackpots/pot-changes.ts';
import type { TriggerPot } from '../../../../../messages/instance-commands.ts';
import { PublicError } from '../../../../base/errors.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineChange } from '../../../operation/operation.ts';
import { expectedVersion, requireVersion } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requirePlayersBrand, requirePot, requireSameId } from '../shared/owner-access.ts';
import { keyInLane, repeatOf } from './idempotency.ts';

/**
 * A30: pays a pot to a player as if it had been drawn. A repeated `Idempotency-Key` is 204. Refuses a pot
 * without an external trigger, an empty one, a disabled brand, and a source that the brand does not have.
 */
export const triggerPotOperation = defineChange('move_money', {
  id: 'A30',
  name: 'Trigger a pot win',
  route: 'POST /config/instances/{instance_id}/pots/{pot_id}/trigger',
  input: { params: z.strictObject({ instance_id: ownIdField, pot_id: ownIdField }), body: trigger },
  output: triggered,
  refusals: [404, 409],
  headers: ['Idempotency-Key', 'If-Match'],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers, approved } = request;
    requireSameId(body.instance_id, params.instance_id);
    requireSameId(body.pot_id, params.pot_id);
    const version = expectedVersion(headers);
    const key = keyOfHeader(headers);
    const known = requireInstance(context, principal, 'move_money', params.instance_id);
    const { owner } = known.description;
    const idempotencyKey = await keyInLane(context, known, key, principal.subject, approved);
    const brand = requirePlayersBrand(context, principal, body.brand_id, operatorOf(owner)).path;
    requirePot(known, params.pot_id);
    if (!context.directory.hasSource(brand, body.source_id)) throw new PublicError('source_not_found');
    const checkNew = () => requireVersion(version, known.liveValues.version);
    const proposed = await proposedChange(context, request, [owner, brand], { checkNew });
    if (proposed !== null) return proposed;
    const command: TriggerPot = {
      kind: 'TriggerPot',
      instance: params.instance_id,
      pot: params.pot_id,
      brand,
      player: body.player_id,
      source: body.source_id,
      user: principal.subject,
      idempotencyKey,
      checksOptIn: true,
      ...(version === null ? {} : { expectedVersion: version }),
    };
    // Whatever the wallet says: the credit of an awarded prize goes without a session where there is none.
    await context.players.authenticateAgain(brand, body.player_id);
    const answer = await context.lanes.send(known.lane, command);
    if ((await repeatOf(context, answer, command)) !== null) return { status: 204 };
    const outcome = requireSuccess(answer);
    if (outcome.kind !== 'Triggered') throw new Error(`A trigger was answered with ${outcome.kind}.`);
    return {
      status: 200,
      body: {
        instance_id: outcome.instance,
        timestamp: outcome.timestampMs,
        win_amount: outcome.winAmountAtoms,
        win_pot_id: outcome.pot,
      },
    };
  },
});
