import * as z from 'zod';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { newOwners, ownersCreated } from '../../../../../contracts/directory/operator.ts';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { brandPath, isOwnId } from '../../../../../contracts/fields/identifiers.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { createEntry, inParallel, lanesHave } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireOwner } from '../shared/owner-access.ts';

const saltBytes = 32;

/**
 * A5: adds brands to an operator, at most 1,000, as A3. The ids in the answer are those of the request. Each brand gets the
 * secret salt of its players' pseudonyms. Answers when every lane knows them. Under the four-eyes rule it needs a second
 * administrator: a new brand may contribute to every instance without a list of brands.
 */
export const createBrandsOperation = defineOperation({
  id: 'A5',
  name: 'Add brands under an operator',
  method: 'POST',
  path: '/config/operators/{operator_id}/brands',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
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
