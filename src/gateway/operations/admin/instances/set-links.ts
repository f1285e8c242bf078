import * as z from 'zod';
import { ownIdField } from '../../../../contracts/identifier-fields.ts';
import { instanceShape, linkChange } from '../../../../contracts/instance.ts';
import { instanceView } from '../../../../contracts/instance-view.ts';
import { PublicError } from '../../../errors.ts';
import { defineOperation } from '../../../operation.ts';
import { expectedVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/** The whole list of linked instances (at most 64), all of the same group. Takes If-Match. */
export const setLinks = defineOperation({
  id: 'instances.links',
  name: 'Set the links of an instance',
  method: 'PUT',
  path: '/config/instances/{instance_id}/links',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { params: z.strictObject({ instance_id: ownIdField }), body: linkChange },
  output: instanceShape,
  refusals: [404, 409],
  headers: ['If-Match'],
  async handle({ principal, params, body, headers }, context) {
    const instance = params.instance_id;
    requireSameId(body.instance_id, instance);
    const version = expectedVersion(headers);
    const known = requireInstance(context, principal, 'configure', instance);
    const links = [...new Set(body.instance_ids)];
    const linked = links.map((id) => requireInstance(context, principal, 'configure', id));
    if (links.includes(instance))
      throw new PublicError('config_invalid', 'An instance cannot link to itself.');
    if (linked.some((other) => other.description.group !== known.description.group))
      throw new PublicError('group_mismatch');
    const answer = await context.lanes.send(known.lane, {
      kind: 'SetLinks',
      instance,
      links,
      user: principal.subject,
      expectedVersion: version,
    });
    requireSuccess(answer);
    return { status: 200, body: instanceView(await describeInstance(context, known.lane, instance)) };
  },
});
