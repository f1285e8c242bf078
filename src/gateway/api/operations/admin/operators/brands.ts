import * as z from 'zod';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { brandChange, newOwners, ownersCreated } from '../../../../../contracts/directory/operator.ts';
import { brandField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { brandOf, brandPath, isOwnId, operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { changesRights } from '../../../../../directory/four-eyes/owner-change.ts';
import { noRule } from '../../../../../directory/four-eyes/rule.ts';
import { PublicError } from '../../../../base/errors.ts';
import { fourEyesRule } from '../../../approvals/four-eyes.ts';
import { propose, proposedChange } from '../../../approvals/propose.ts';
import {
  createEntry,
  inParallel,
  lanesHave,
  readModelHas,
  updateEntry,
} from '../../../directory/write-entries.ts';
import { defineChange } from '../../../operation/operation.ts';
import { onlyDisables } from '../../../operation/second-factor.ts';
import { requireOwner, requireSameId } from '../shared/owner-access.ts';

/** Path inputs of `/config/operators/{operator_id}/brands/{brand_id}…`. */
export const brandParams = z.strictObject({ operator_id: ownIdField, brand_id: brandField });

const saltBytes = 32;

/**
 * A5: adds brands to an operator, at most 1,000, as A3. Each gets the secret salt of its players' pseudonyms.
 * Answers when every lane knows them. They need approval: they may contribute to instances without a list.
 */
export const createBrandsOperation = defineChange('configure', {
  id: 'A5',
  name: 'Add brands under an operator',
  route: 'POST /config/operators/{operator_id}/brands',
  input: { params: z.strictObject({ operator_id: ownIdField }), body: newOwners },
  output: ownersCreated,
  refusals: [404],
  limits: { bodyBytes: 1024 * 1024 },
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, approved } = request;
    const operator = params.operator_id;
    requireOwner(context, principal, 'configure', operator);
    const proposed = await proposedChange(context, request, operator);
    if (proposed !== null) return proposed;
    const created_timestamp = context.clock.nowMs();
    const revisions = await inParallel(body, async ({ id, name }) => {
      if (!isOwnId(id)) return null;
      const salt = Buffer.from(context.random.bytes(saltBytes)).toString('base64url');
      const value = { name, enabled: true, created_timestamp, salt };
      return createEntry(context, 'brand', directoryKey.brand(brandPath(operator, id)), value, approved);
    });
    const newest = Math.max(0, ...revisions.map((revision) => revision ?? 0));
    if (newest > 0) await lanesHave(context, newest);
    const idsWhere = (created: boolean) =>
      body.filter((_, index) => (revisions[index] !== null) === created).map(({ id }) => id);
    return { status: 200, body: { success: idsWhere(true), failed: idsWhere(false) } };
  },
});

/**
 * A6: a brand's name, state, and whether it shows its jackpots and its winners to everybody. Enabling it,
 * and what everybody sees, need approval.
 */
export const changeBrandOperation = defineChange('configure', {
  id: 'A6',
  name: 'Modify a brand',
  route: 'PATCH /config/operators/{operator_id}/brands/{brand_id}',
  input: { params: brandParams, body: brandChange },
  refusals: [404],
  fourEyes: true,
  isHarmless: onlyDisables,
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
        public_feed: body.public_feed ?? current.public_feed,
      };
      isProposed = isRuled && changesRights(current, changed);
      return isProposed ? null : changed;
    });
    if (isProposed) return propose(context, request, path);
    await readModelHas(context, revision);
    return { status: 204 };
  },
});

/** The brand path that the two inputs name. */
export function brandOfPath(params: z.output<typeof brandParams>): string {
  const { operator_id, brand_id } = params;
  const path = brand_id.includes(':') ? brand_id : brandPath(operator_id, brand_id);
  if (operatorOf(path) !== operator_id) throw new PublicError('brand_not_found');
  return path;
}

/** The brand may be repeated in the body, by its path or by its id alone, and must then be the same. */
export function requireSameBrand(inBody: string | null | undefined, path: string): void {
  if (inBody === null || inBody === undefined || inBody === path) return;
  if (inBody !== brandOf(path)) throw new PublicError('invalid_request');
}
