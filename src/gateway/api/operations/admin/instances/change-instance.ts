import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { detailsChange } from '../../../../../contracts/jackpots/instance.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { expectedVersion, requireVersion } from '../shared/expected-version.ts';
import { requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/** A31: an instance's name and description. Takes If-Match; without either field nothing changes. */
export const changeInstanceOperation = defineOperation({
  id: 'A31',
  name: 'Update instance details',
  method: 'PATCH',
  path: '/config/instances/{instance_id}',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: detailsChange },
  output: 'empty',
  refusals: [404, 409],
  headers: ['If-Match'],
  async handle({ principal, params, body, headers }, context) {
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const version = expectedVersion(headers);
    const known = requireInstance(context, principal, 'configure', instance);
    const name = body.name ?? null;
    const description = body.description ?? null;
    if (name === null && description === null) {
      // Nothing is stored, so the version stays.
      requireVersion(version, known.liveValues.version);
      return { status: 204 };
    }
    const answer = await context.lanes.send(known.lane, {
      kind: 'SetDetails',
      instance,
      name,
      description,
      user: principal.subject,
      expectedVersion: version,
    });
    requireSuccess(answer);
    return { status: 204 };
  },
});
