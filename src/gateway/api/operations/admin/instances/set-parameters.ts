import * as z from 'zod';
import { ownIdField } from '../../../../../contracts/fields/identifier-fields.ts';
import { instanceShape, parameterChange } from '../../../../../contracts/jackpots/instance.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import {
  changesAnything,
  divertsElsewhere,
  isUnapproved,
} from '../../../../../directory/four-eyes/configuration-change.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { Reply } from '../../../../base/reply.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { type ChangeRequest, defineChange, type GatewayContext } from '../../../operation/operation.ts';
import {
  allowedBrandsOf,
  normalConfiguration,
  overriddenConfiguration,
  requireDiversion,
} from '../shared/configuration-input.ts';
import { expectedVersion, requireReason, requireVersion } from '../shared/expected-version.ts';
import {
  configurationWarnings,
  describeInstance,
  requireSuccess,
  warningHeaders,
} from '../shared/lane-answers.ts';
import { requireInstance, requireSameId } from '../shared/owner-access.ts';

/** What an instance is can not be overridden once it exists. */
const fixedMembers = ['currency', 'jackpot_type'] as const;

const input = { params: z.strictObject({ instance_id: ownIdField }), body: parameterChange };

/** How often a change without If-Match is merged again because another one came between. */
const maxTries = 20;

/**
 * Overrides on the configuration stored last (docs/rules/configuration.md "Changes"), merged again without
 * If-Match if the version has changed. Currency, jackpot type and the set of pots cannot change. Of a Pending
 * instance that no clock starts only another diversion needs approval.
 */
export const setParametersOperation = defineChange('configure', {
  id: 'instances.parameters',
  name: 'Change the parameters of an instance',
  route: 'PUT /config/instances/{instance_id}/parameters',
  input,
  output: instanceShape,
  refusals: [404, 409],
  answerHeaders: ['X-Configuration-Warnings'],
  headers: ['If-Match'],
  fourEyes: true,
  async handle(request, context) {
    const { principal, params, body, headers, approved } = request;
    requireSameId(body.instance_id, params.instance_id);
    const version = expectedVersion(headers);
    const { lane } = requireInstance(context, principal, 'configure', params.instance_id);
    requireReason(body.reason);
    for (let left = version === null && approved === null ? maxTries : 1; ; left -= 1) {
      const reply = await change(request, context, lane, version);
      if (reply !== null) return reply;
      if (left === 1) throw new PublicError('version_conflict');
    }
  },
});

/** null: the instance has changed since it was read. */
async function change(
  request: ChangeRequest<typeof input.params, typeof input.body>,
  context: GatewayContext,
  lane: number,
  version: number | null,
): Promise<Reply | null> {
  const { principal, params, body, approved } = request;
  const instance = params.instance_id;
  const current = await describeInstance(context, lane, instance);
  requireVersion(version, current.version);
  const stored = current.pendingConfiguration ?? current.configuration;
  const before = stored as Readonly<Record<string, unknown>>;
  const merged = overriddenConfiguration(before, body.overrides);
  for (const name of fixedMembers) {
    if (merged[name] !== before[name]) throw new PublicError('config_invalid', `${name} cannot change.`);
  }
  if ((merged.pots as readonly unknown[]).length > (before.pots as readonly unknown[]).length)
    throw new PublicError(
      'config_invalid',
      'pots of the overrides name one that the instance does not have.',
    );
  const configuration = normalConfiguration(context, merged, current.owner);
  const allowedBefore = allowedBrandsOf(before);
  const warnings = await configurationWarnings(context, { principal, lane, configuration, allowedBefore });
  if (divertsElsewhere(before, configuration))
    requireDiversion(context, principal, current.owner, before, configuration);
  const isNeeded = () =>
    divertsElsewhere(before, configuration) ||
    (!isUnapproved(current) && changesAnything(before, configuration));
  const proposed = await proposedChange(context, request, current.owner, { isNeeded });
  if (proposed !== null) return proposed;
  const fence = (await approved?.fence('version', current.version)) ?? current.version;
  if (fence !== current.version) {
    // An earlier attempt has changed the parameters, or another administrator has.
    if (changesAnything(before, configuration)) throw new PublicError('version_conflict');
    return { status: 200, headers: warningHeaders(warnings), body: instanceView(current) };
  }
  const answer = await context.lanes.send(lane, {
    kind: 'SetParameters',
    instance,
    configuration,
    reason: body.reason,
    user: principal.subject,
    expectedVersion: current.version,
  });
  const { outcome } = answer;
  if (outcome.kind === 'Refused' && outcome.code === 'version_conflict') return null;
  requireSuccess(answer);
  const view = instanceView(await describeInstance(context, lane, instance));
  return { status: 200, headers: warningHeaders(warnings), body: view };
}
