import * as z from 'zod';
import { authorize } from '../../../../../access/rights/authorize.ts';
import { readAmount } from '../../../../../contracts/fields/amount.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { adjustment } from '../../../../../contracts/jackpots/pot-changes.ts';
import { type FourEyesRule, isAboveLimit, limitAtoms } from '../../../../../directory/four-eyes/rule.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import type { AdjustPot } from '../../../../../messages/instance-commands.ts';
import { PublicError } from '../../../../base/errors.ts';
import { keyOfHeader } from '../../../../base/idempotency-key.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import { propose } from '../../../approvals/propose.ts';
import { defineChange, type GatewayContext } from '../../../operation/operation.ts';
import { expectedVersion, requireReason, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requirePot, requireSameId } from '../shared/owner-access.ts';
import { keyInLane, repeatOf } from './idempotency.ts';

/**
 * A22: sets an account of a pot to a target in the jackpot's currency; the pot `house` has a current value
 * only. A repeated `Idempotency-Key` is 204. A value above the limit, or lower than now, needs approval.
 */
export const setCurrentValueOperation = adjusting('current-value', 'current_value');
export const setSeedValueOperation = adjusting('seed-value', 'seed_value');
export const setSurplusSeedOperation = adjusting('surplus-seed', 'surplus_seed');

function adjusting(segment: string, account: AdjustPot['account']) {
  return defineChange('move_money', {
    id: 'A22',
    name: `Pot value adjustment: ${account}`,
    route: `PUT /config/instances/{instance_id}/pots/{pot_id}/${segment}`,
    input: { params: z.strictObject({ instance_id: ownIdField, pot_id: ownIdField }), body: adjustment },
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
      const isHouse = params.pot_id === 'house' && account === 'current_value';
      if (!isHouse) requirePot(known, params.pot_id);
      requireReason(body.reason);
      const amount = readAmount(body.adjustment);
      if (!amount.ok) {
        // The engine would say so first, had it been asked.
        requireVersion(version, known.liveValues.version);
        throw new PublicError(amount.code);
      }
      const mayDecrease = authorize(principal, 'decrease_pot', owner) === 'allowed';
      const rule = approved === null ? await fourEyesRule(context, owner) : null;
      const isRuled = rule?.enabled === true;
      const unapprovedLimitAtoms = isRuled ? limitAtoms(rule) : null;
      const command: AdjustPot = {
        kind: 'AdjustPot',
        instance: params.instance_id,
        pot: params.pot_id,
        account,
        targetAtoms: amount.atoms,
        reason: body.reason,
        user: principal.subject,
        // Under the rule the lane itself refuses a lower value: only it knows the value of the moment.
        mayDecrease: mayDecrease && !isRuled,
        idempotencyKey,
        expectedVersion: version,
        ...(unapprovedLimitAtoms !== null && { unapprovedLimitAtoms }),
      };
      const checkNew = () => requireVersion(version, known.liveValues.version);
      if (isRuled && (await needsApproval(context, known, command, rule)))
        return propose(context, request, owner, { checkNew });
      const answer = await context.lanes.send(known.lane, command);
      const { outcome } = answer;
      // A current value falls for those alone who may lower one.
      const mayBeApproved = isRuled && (mayDecrease || account !== 'current_value');
      if (mayBeApproved && outcome.kind === 'Refused' && outcome.code === 'forbidden')
        return propose(context, request, owner);
      if ((await repeatOf(context, answer, command)) === null) requireSuccess(answer);
      return { status: 204 };
    },
  });
}

/** Above the limit, or lower than now; later versions of the engine compare again. */
async function needsApproval(
  context: GatewayContext,
  { lane }: KnownInstance,
  { instance, pot, account, targetAtoms }: AdjustPot,
  rule: FourEyesRule,
): Promise<boolean> {
  if (isAboveLimit(targetAtoms, rule)) return true;
  if (account === 'current_value') return false;
  const { pots } = await describeInstance(context, lane, instance);
  const found = pots.find((each) => each.pot === pot);
  const present = account === 'seed_value' ? found?.seedAtoms : found?.surplusAtoms;
  return targetAtoms < (present ?? 0n);
}
