import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { instanceShape, newInstanceBody } from '../../../../../contracts/jackpots/instance.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { divertsElsewhere } from '../../../../../directory/four-eyes/configuration-change.ts';
import { PublicError } from '../../../../base/errors.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineChange } from '../../../operation/operation.ts';
import {
  normalConfiguration,
  overriddenConfiguration,
  ownConfiguration,
  requireDiversion,
} from '../shared/configuration-input.ts';
import {
  configurationWarnings,
  describeInstance,
  requireSuccess,
  warningHeaders,
} from '../shared/lane-answers.ts';
import { madeBefore, newInstanceId } from '../shared/new-instance-id.ts';
import { requireOwner } from '../shared/owner-access.ts';
import { requireAsProposed, requireTemplate } from '../templates.ts';

/**
 * A Pending instance from a template and overrides, in the group of its operator or one that begins with it
 * (`operator:name`). One that a clock starts, or that diverts money, needs approval.
 */
export const createInstanceOperation = defineChange('configure', {
  id: 'instances.create',
  name: 'Create an instance',
  route: 'POST /config/instances',
  input: { body: newInstanceBody },
  output: instanceShape,
  refusals: [404, 409],
  answerHeaders: ['X-Configuration-Warnings'],
  status: 201,
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const owner = body.owner_id;
    requireOwner(context, principal, 'configure', owner);
    const template = requireTemplate(context, principal, body.template_owner_id, body.template_id);
    const group = body.group ?? operatorOf(owner);
    const lane = context.lanes.laneOf(group);
    const instance = newInstanceId(context, request.approved);
    const made = await madeBefore(context, lane, instance, request.approved);
    if (made !== null) return { status: 201, body: instanceView(made) };
    await requireAsProposed(template, request.approved);
    const start = body.timestamp_start ?? null;
    const end = body.timestamp_end ?? null;
    const endsTooEarly = end !== null && end <= Math.max(start ?? 0, context.clock.nowMs());
    if (operatorOf(group) !== operatorOf(owner)) throw new PublicError('group_mismatch');
    const merged = overriddenConfiguration(template.configuration, body.overrides ?? {});
    const configuration = normalConfiguration(context, merged, owner);
    const warnings = await configurationWarnings(context, {
      principal,
      lane,
      configuration,
      otherFaults: endsTooEarly ? ['timestamp_end must lie behind timestamp_start and now'] : [],
    });
    requireDiversion(context, principal, owner, ownConfiguration(template, owner), configuration);
    const isNeeded = () => start !== null || divertsElsewhere(null, configuration);
    const fences = () => ({ template: template.version });
    const proposed = await proposedChange(context, request, owner, { isNeeded, fences });
    if (proposed !== null) return proposed;
    const answer = await context.lanes.send(lane, {
      kind: 'CreateInstance',
      instance,
      group,
      owner,
      templateOwner: template.owner,
      template: template.id,
      name: body.name,
      description: body.description ?? template.description,
      gameCode: body.game_code ?? '',
      timestampStartMs: start,
      timestampEndMs: end,
      configuration,
      user: principal.subject,
    });
    requireSuccess(answer);
    const view = instanceView(await describeInstance(context, lane, instance));
    return { status: 201, headers: warningHeaders(warnings), body: view };
  },
});
