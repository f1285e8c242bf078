import * as z from 'zod';
import { ownerField, ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { instanceShape, instanceStatuses } from '../../../../../contracts/jackpots/instance.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { describeInstance } from '../shared/lane-answers.ts';
import { requireInstance } from '../shared/owner-access.ts';

/** A32: a full instance, as its lane has it now. An owner_id or status that differs is `instance_not_found`. */
export const readInstanceOperation = defineOperation({
  id: 'A32',
  name: 'Get an instance',
  method: 'GET',
  path: '/config/instances/{instance_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'read' },
  input: {
    params: z.strictObject({ instance_id: ownIdField }),
    query: z.strictObject({ owner_id: ownerField.optional(), status: z.enum(instanceStatuses).optional() }),
  },
  output: instanceShape,
  refusals: [404],
  async handle({ principal, params, query }, context) {
    const known = requireInstance(context, principal, 'read', params.instance_id);
    const instance = await describeInstance(context, known.lane, params.instance_id);
    if (query.owner_id !== undefined && query.owner_id !== instance.owner)
      throw new PublicError('instance_not_found');
    if (query.status !== undefined && query.status !== instance.status)
      throw new PublicError('instance_not_found');
    return { status: 200, body: instanceView(instance) };
  },
});
