import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { brandChange } from '../../../../../contracts/directory/operator.ts';
import { changesRights } from '../../../../../directory/four-eyes/owner-change.ts';
import { noRule } from '../../../../../directory/four-eyes/rule.ts';
import { PublicError } from '../../../../base/errors.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import { propose } from '../../../approvals/propose.ts';
import { readModelHas, updateEntry } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner, requireSameId } from '../shared/owner-access.ts';
import { brandOfPath, brandParams, requireSameBrand } from './brand-of-path.ts';

/**
 * A6: a brand's name, whether it is enabled, and whether it shows its winners to everybody. Under the four-eyes rule enabling
 * it, and who sees its winners, need a second administrator.
 */
export const changeBrandOperation = defineOperation({
  id: 'A6',
  name: 'Modify a brand',
  method: 'PATCH',
  path: '/config/operators/{operator_id}/brands/{brand_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { params: brandParams, body: brandChange },
  output: 'empty',
  refusals: [404],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    requireSameId(body.operator_id, params.operator_id);
    const path = brandOfPath(params);
    requireSameBrand(body.brand_id, path);
    requireOwner(context, principal, 'configure', path);
    const { enabled: isRuled } = approved === null ? await fourEyesRule(context, path) : noRule;
    let isProposed = false;
    const revision = await updateEntry(context, 'brand', directoryKey.brand(path), (current) => {
      if (current === null) throw new PublicError('brand_not_found');
      const changed = {
        ...current,
        name: body.name ?? current.name,
        enabled: body.enabled ?? current.enabled,
        public_winners: body.public_winners ?? current.public_winners,
      };
      isProposed = isRuled && changesRights(current, changed);
      return isProposed ? null : changed;
    });
    if (isProposed) return propose(context, request, path);
    await readModelHas(context, revision);
    return { status: 204 };
  },
});
