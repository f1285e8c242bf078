import { system } from '../../../../../access/rights/authorize.ts';
import { directoryKey } from '../../../../../contracts/directory/directory-keys.ts';
import { newOwners, ownersCreated } from '../../../../../contracts/directory/operator.ts';
import { isOwnId } from '../../../../../contracts/fields/identifiers.ts';
import { createEntry, inParallel, readModelHas } from '../../../directory/write-entries.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { requireAllowed } from '../shared/owner-access.ts';

/**
 * A3: creates operators, at most 1,000. An id that exists, is malformed, or occurs twice in the request is in `failed`.
 * Administrators of the whole system only.
 */
export const createOperatorsOperation = defineOperation({
  id: 'A3',
  name: 'Create operators',
  method: 'POST',
  path: '/config/operators',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: newOwners },
  output: ownersCreated,
  limits: { bodyBytes: 1024 * 1024 },
  async handle({ principal, body }, context) {
    requireAllowed(principal, 'configure', system, 'forbidden');
    const created_timestamp = context.clock.nowMs();
    const revisions = await inParallel(body, async ({ id, name }) => {
      if (!isOwnId(id)) return null;
      const value = { name, enabled: true, created_timestamp };
      return createEntry(context, 'operator', directoryKey.operator(id), value);
    });
    await readModelHas(context, Math.max(0, ...revisions.map((revision) => revision ?? 0)));
    const idsWhere = (created: boolean) =>
      body.filter((_, index) => (revisions[index] !== null) === created).map(({ id }) => id);
    return { status: 200, body: { success: idsWhere(true), failed: idsWhere(false) } };
  },
});
