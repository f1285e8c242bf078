import * as z from 'zod';
import { system } from '../../../../access/authorize.ts';
import type { OperatorQuota } from '../../../../contracts/directory.ts';
import { directoryKey } from '../../../../contracts/directory-keys.ts';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { operatorChange } from '../../../../contracts/operator.ts';
import { requireApprovers } from '../../../approvals/accounts.ts';
import { fourEyesRule, noRule, weakens } from '../../../approvals/four-eyes.ts';
import { propose } from '../../../approvals/propose.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { requireAllowed, requireOwner, requireSameId } from '../shared/owner-access.ts';

/**
 * A6: an operator's name, whether it is enabled, who sees its winners and its draws, its four-eyes rule and its quota (docs/decisions/0065), which
 * only an administrator of the whole system may set. A rule that is on becomes weaker only with a second administrator, and is turned on
 * only where two could approve (`approvers_missing`).
 */
export const changeOperator = defineOperation({
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
    const rule = body.four_eyes
      ? { enabled: body.four_eyes.enabled, limit: body.four_eyes.limit ?? null }
      : undefined;
    if (rule && approved === null) {
      const present = await fourEyesRule(context, params.operator_id);
      if (weakens(present, rule)) return propose(context, request, params.operator_id);
      if (rule.enabled && !present.enabled) await requireApprovers(context, params.operator_id);
    }
    const key = directoryKey.operator(params.operator_id);
    const revision = await updateEntry(context, 'operator', key, (current) => {
      if (current === null) throw new PublicError('operator_not_found');
      // The rule became stricter meanwhile: the caller learns that by asking again.
      if (rule && approved === null && weakens(current.four_eyes ?? noRule, rule))
        throw new PublicError('overloaded');
      const four_eyes = rule ?? current.four_eyes;
      const { quota: currentQuota, ...others } = current;
      const quota = body.quota ? storedQuota(body.quota) : currentQuota;
      return {
        ...others,
        name: body.name ?? current.name,
        enabled: body.enabled ?? current.enabled,
        public_winners: body.public_winners ?? current.public_winners,
        fairness: body.fairness ?? current.fairness,
        ...(four_eyes === undefined ? {} : { four_eyes }),
        ...(quota === undefined ? {} : { quota }),
      };
    });
    await readModelHas(context, revision);
    return { status: 204 };
  },
});

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
