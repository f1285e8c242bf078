import * as z from 'zod';
import { brandField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { instanceBrandChange } from '../../../../../contracts/jackpots/pot-changes.ts';
import { isUnapproved } from '../../../../../directory/four-eyes/configuration-change.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { expectedVersion, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireAllowed, requireInstance, requireSameId } from '../shared/owner-access.ts';
import { brandsCommand, isAllowed, rememberBrands } from './brand-list.ts';

/** How often a change without If-Match is tried again because another one came between. */
const maxTries = 20;

/**
 * A23: a brand may contribute to the instance, or no longer may. Takes If-Match. What takes back all that A23 has changed of
 * an instance without a list leaves it without one again. Under the four-eyes rule of the instance or the brand it needs a second
 * administrator, unless the instance is Pending and no clock starts it.
 */
export const allowBrandOperation = brandOperation('PUT', true);
export const disallowBrandOperation = brandOperation('DELETE', false);

function brandOperation(method: 'PUT' | 'DELETE', allowed: boolean) {
  return defineOperation({
    id: 'A23',
    name: allowed ? 'Allow a brand on an instance' : 'Disallow a brand on an instance',
    method,
    path: '/config/instances/{instance_id}/brands/{brand_id}',
    surface: 'admin',
    authentication: { kind: 'administrator', action: 'operate' },
    input: {
      params: z.strictObject({ instance_id: ownIdField, brand_id: brandField }),
      body: instanceBrandChange.nullish(),
    },
    output: 'empty',
    refusals: [404, 409],
    headers: ['If-Match'],
    fourEyes: true,
    async handle(request, context) {
      const { principal, params, body, headers, approved } = request;
      requireSameId(body?.instance_id, params.instance_id);
      const version = expectedVersion(headers);
      const known = requireInstance(context, principal, 'operate', params.instance_id);
      const { entries } = context.directory;
      const operator = operatorOf(known.description.owner);
      const brand = entries.brandPath(params.brand_id, operator);
      if (brand === null) throw new PublicError('brand_not_found');
      requireAllowed(principal, 'operate', brand, 'brand_not_found');
      const inBody = body?.brand_id ?? null;
      if (inBody !== null && entries.brandPath(inBody, operator) !== brand)
        throw new PublicError('invalid_request');
      for (let left = version === null && approved === null ? maxTries : 1; ; left -= 1) {
        const current = await describeInstance(context, known.lane, params.instance_id);
        const fence = (await approved?.fence('version', current.version)) ?? current.version;
        requireVersion(version, fence);
        if (fence !== current.version) {
          // An earlier attempt has changed the list, or another administrator has.
          if (isAllowed(current, brand) !== allowed) throw new PublicError('version_conflict');
          return { status: 204 };
        }
        const change = await brandsCommand(context, current, { brand, allowed, user: principal.subject });
        if (change === null) return { status: 204 };
        const owners = [current.owner, brand];
        const isNeeded = () => !isUnapproved(current);
        const proposed = await proposedChange(context, request, owners, { isNeeded });
        if (proposed !== null) return proposed;
        const answer = await context.lanes.send(known.lane, change.command);
        const { outcome } = answer;
        if (left > 1 && outcome.kind === 'Refused' && outcome.code === 'version_conflict') continue;
        requireSuccess(answer);
        if (change.altered !== null) await rememberBrands(context, known.lane, outcome, change.altered);
        return { status: 204 };
      }
    },
  });
}
