import * as z from 'zod';
import { system } from '../../../../../access/rights/authorize.ts';
import type { OperatorQuota, OperatorValue } from '../../../../../contracts/directory/directory.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { operatorChange } from '../../../../../contracts/directory/operator.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { changesRights } from '../../../../../directory/four-eyes/owner-change.ts';
import { PublicError } from '../../../../base/errors.ts';
import { requireApprovers } from '../../../approvals/accounts.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import { propose } from '../../../approvals/propose.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireAllowed, requireOwner, requireSameId } from '../shared/owner-access.ts';

/**
 * A6: an operator's name, whether it is enabled, who sees its winners and its draws, its four-eyes rule and its quota (docs/decisions/0065), which
 * only an administrator of the whole system may set. Under the rule everything but the name, the quota, disabling and a stricter rule
 * needs a second administrator. It is turned on only where two could approve (`approvers_missing`).
 */
export const changeOperatorOperation = defineOperation({
  id: 'A6',
  name: 'Modify an operator',
  method: 'PATCH',
  path: '/config/operators/{operator_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { params: z.strictObject({ operator_id: ownIdField }), body: operatorChange },
  output: 'empty',
  refusals: [404, 409],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    requireSameId(body.operator_id, params.operator_id);
    requireOwner(context, principal, 'configure', params.operator_id);
    // Nobody lifts the limit that the system has set to its own operator.
    if (body.quota) requireAllowed(principal, 'configure', system, 'forbidden');
    if (body.four_eyes?.enabled === true && approved === null) {
      const { enabled: isOn } = await fourEyesRule(context, params.operator_id);
      if (!isOn) await requireApprovers(context, params.operator_id);
    }
    const key = directoryKey.operator(params.operator_id);
    let isProposed = false;
    const revision = await updateEntry(context, 'operator', key, (current) => {
      if (current === null) throw new PublicError('operator_not_found');
      const changed = changedOperator(current, body);
      // Under the rule of the entry itself: it may have been turned on since.
      const isRuled = current.four_eyes?.enabled === true && approved === null;
      isProposed = isRuled && changesRights(current, changed);
      return isProposed ? null : changed;
    });
    if (isProposed) return propose(context, request, params.operator_id);
    await readModelHas(context, revision);
    return { status: 204 };
  },
});

function changedOperator(current: OperatorValue, body: z.output<typeof operatorChange>): OperatorValue {
  const { quota: currentQuota, ...others } = current;
  const quota = body.quota ? storedQuota(body.quota) : currentQuota;
  const four_eyes = body.four_eyes
    ? { enabled: body.four_eyes.enabled, limit: body.four_eyes.limit ?? null }
    : current.four_eyes;
  return {
    ...others,
    name: body.name ?? current.name,
    enabled: body.enabled ?? current.enabled,
    public_winners: body.public_winners ?? current.public_winners,
    fairness: body.fairness ?? current.fairness,
    ...(four_eyes === undefined ? {} : { four_eyes }),
    ...(quota === undefined ? {} : { quota }),
  };
}

/** undefined: nothing is limited. */
function storedQuota(asked: {
  readonly contributions_per_second?: number | null | undefined;
  readonly bytes_per_second?: number | null | undefined;
}): OperatorQuota | undefined {
  const contributions_per_second = asked.contributions_per_second ?? null;
  const bytes_per_second = asked.bytes_per_second ?? null;
  if (contributions_per_second === null && bytes_per_second === null) return undefined;
  return { contributions_per_second, bytes_per_second };
}
