import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { instanceShape, linkChange } from '../../../../../contracts/jackpots/instance.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineChange } from '../../../operation/operation.ts';
import { expectedVersion, requireVersion } from '../shared/expected-version.ts';
import { describeInstance, requireSuccess } from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/** The whole list of linked instances (at most 64), all of the same group. */
export const setLinksOperation = defineChange('configure', {
  id: 'instances.links',
  name: 'Set the links of an instance',
  route: 'PUT /config/instances/{instance_id}/links',
  input: { params: z.strictObject({ instance_id: ownIdField }), body: linkChange },
  output: instanceShape,
  refusals: [404, 409],
  headers: ['If-Match'],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers, approved } = request;
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
    const checkNew = () => requireVersion(version, known.liveValues.version);
    const proposed = await proposedChange(context, request, known.description.owner, { checkNew });
    if (proposed !== null) return proposed;
    let expected = version;
    if (approved !== null) {
      const present = await describeInstance(context, known.lane, instance);
      expected = await approved.fence('version', present.version);
      requireVersion(version, expected);
      if (expected !== present.version) {
        // An earlier attempt has set the links, or another administrator has.
        if (!sameIds(present.links, links)) throw new PublicError('version_conflict');
        return { status: 200, body: instanceView(present) };
      }
    }
    const answer = await context.lanes.send(known.lane, {
      kind: 'SetLinks',
      instance,
      links,
      user: principal.subject,
      expectedVersion: expected,
    });
    requireSuccess(answer);
    return { status: 200, body: instanceView(await describeInstance(context, known.lane, instance)) };
  },
});

function sameIds(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join() === right.toSorted().join();
}
