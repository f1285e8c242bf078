import * as z from 'zod';
import { authorize } from '../../../../access/authorize.ts';
import { readAmount } from '../../../../contracts/amount.ts';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { adjustment } from '../../../../contracts/pot-changes.ts';
import type { AdjustPot } from '../../../../messages/instance-commands.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { expectedVersion, requireReason, requireVersion } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requirePot, requireSameId } from '../shared/owner-access.ts';
import { administratorsKey, keyInLane, repeatOf } from './idempotency.ts';

/**
 * A22: sets an account of a pot to a target in the jackpot's currency; `house` as the pot id is the house pot, which
 * has a current value only. Takes `Idempotency-Key` (a repeat changes nothing: 204) and If-Match. Refuses more than
 * the pot may hold (`pot_limit_exceeded`).
 */
export const setCurrentValue = adjusting('current-value', 'current_value');
export const setSeedValue = adjusting('seed-value', 'seed_value');
export const setSurplusSeed = adjusting('surplus-seed', 'surplus_seed');

function adjusting(segment: string, account: AdjustPot['account']) {
  return defineOperation({
    id: 'A22',
    name: `Pot value adjustment: ${account}`,
    method: 'PUT',
    path: `/config/instances/{instance_id}/pots/{pot_id}/${segment}`,
    surface: 'admin',
    authentication: { kind: 'administrator', action: 'move_money' },
    input: { params: z.strictObject({ instance_id: ownIdField, pot_id: ownIdField }), body: adjustment },
    output: 'empty',
    headers: ['Idempotency-Key', 'If-Match'],
    async handle({ principal, params, body, headers }, context) {
      requireSameId(body.instance_id, params.instance_id);
      requireSameId(body.pot_id, params.pot_id);
      const version = expectedVersion(headers);
      const key = administratorsKey(headers);
      const known = requireInstance(context, principal, 'move_money', params.instance_id);
      const idempotencyKey = keyInLane(key, principal.subject, known.description.owner);
      const isHouse = params.pot_id === 'house' && account === 'current_value';
      if (!isHouse) requirePot(known, params.pot_id);
      requireReason(body.reason);
      const amount = readAmount(body.adjustment);
      if (!amount.ok) {
        // The engine would say so first, had it been asked.
        requireVersion(version, known);
        throw new PublicError(amount.code);
      }
      const command: AdjustPot = {
        kind: 'AdjustPot',
        instance: params.instance_id,
        pot: params.pot_id,
        account,
        targetAtoms: amount.atoms,
        reason: body.reason,
        user: principal.subject,
        mayDecrease: authorize(principal, 'decrease_pot', known.description.owner) === 'allowed',
        idempotencyKey,
        expectedVersion: version,
      };
      const answer = await context.lanes.send(known.lane, command);
      if ((await repeatOf(context, answer, command)) === null) requireSuccess(answer);
      return { status: 204 };
    },
  });
}
