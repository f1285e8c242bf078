import { operatorOf } from '../../../../../contracts/fields/identifiers.ts';
import { instanceView } from '../../../../../contracts/jackpots/instance-view.ts';
import { switchedPair, switchPreview } from '../../../../../contracts/jackpots/model-switch.ts';
import type { CreateInstance, TransferRule } from '../../../../../messages/instance-commands.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { isErrorCode, PublicError } from '../../../../base/errors.ts';
import type { Reply } from '../../../../base/reply.ts';
import { proposedChange } from '../../../approvals/propose.ts';
import { defineOperation, type GatewayContext } from '../../../operation/operation.ts';
import { normalConfiguration, validConfiguration } from '../shared/configuration-input.ts';
import { ownConfiguration, requireDiversion } from '../shared/diversion.ts';
import { requireReason } from '../shared/expected-version.ts';
import {
  configurationWarnings,
  describeInstance,
  requireSuccess,
  warningHeaders,
} from '../shared/lane-answers.ts';
import { madeBefore, newInstanceId } from '../shared/new-instance-id.ts';
import { requireInstance, requireOwner } from '../shared/owner-access.ts';
import { requireTemplate } from '../templates/template-access.ts';
import { transferRules } from './transfer-rules.ts';

/**
 * A28: what a switch to a template would make of an instance. With `dry_run` nothing is stored: the target is shown as
 * it would be after the switch, Pending, with what the source holds now. Without it the target is created from the
 * template, and A29 moves. Under the four-eyes rule that needs a second administrator.
 */
export const previewSwitchOperation = defineOperation({
  id: 'A28',
  name: 'Model switch preview',
  method: 'POST',
  path: '/config/model-switch/preview',
  surface: 'admin',
  authentication: { kind: 'administrator', action: 'configure' },
  input: { body: switchPreview },
  output: switchedPair,
  refusals: [404, 409],
  answerHeaders: ['X-Configuration-Warnings'],
  fourEyes: true,
  async handle(request, context) {
    const { principal, body } = request;
    const known = requireInstance(context, principal, 'configure', body.source_instance_id);
    const owner = body.target_instance_owner_id;
    requireOwner(context, principal, 'configure', owner);
    const template = requireTemplate(context, principal, body.template_owner_id, body.template_id);
    requireReason(body.reason);
    const { group } = known.description;
    if (operatorOf(owner) !== operatorOf(group)) throw new PublicError('group_mismatch');
    const configuration = normalConfiguration(context, validConfiguration(template.configuration), owner);
    requireDiversion(context, principal, owner, ownConfiguration(template, owner), configuration);
    const warnings = await configurationWarnings(context, { principal, lane: known.lane, configuration });
    const create: CreateInstance = {
      kind: 'CreateInstance',
      instance: newInstanceId(context, request.approved),
      group,
      owner,
      templateOwner: template.owner,
      template: template.id,
      name: body.target_instance_name,
      description: body.target_instance_desc ?? template.description,
      gameCode: body.target_instance_game_code ?? '',
      timestampStartMs: null,
      timestampEndMs: null,
      configuration,
      user: principal.subject,
    };
    const made = await madeBefore(context, known.lane, create.instance, request.approved);
    if (made !== null) {
      const source = await describeInstance(context, known.lane, body.source_instance_id);
      return shown({ source, target: made }, warnings);
    }
    const rules = transferRules(body.pot_rules);
    const override = body.override === true;
    const preview = await ask(context, known.lane, body.source_instance_id, create, rules, override);
    if (body.dry_run) return shown(preview, warnings);
    const proposed = await proposedChange(context, request, [known.description.owner, owner]);
    if (proposed !== null) return proposed;
    const target = await createTarget(context, known.lane, create);
    return shown({ source: preview.source, target }, warnings);
  },
});

function shown({ source, target }: Pair, warnings: readonly string[]): Reply {
  return {
    status: 200,
    headers: warningHeaders(warnings),
    body: { source_instance: instanceView(source), target_instance: instanceView(target) },
  };
}

interface Pair {
  readonly source: InstanceDescription;
  readonly target: InstanceDescription;
}

async function ask(
  context: GatewayContext,
  lane: number,
  instance: string,
  target: CreateInstance,
  rules: readonly TransferRule[],
  override: boolean,
): Promise<Pair> {
  const answer = await context.lanes.query(lane, {
    kind: 'switch_preview',
    instance,
    target,
    rules,
    override,
  });
  if (answer.kind === 'switch_preview') return answer;
  if (answer.kind === 'refused' && isErrorCode(answer.code))
    throw new PublicError(answer.code, answer.message);
  throw new PublicError('storage_unavailable');
}

async function createTarget(
  context: GatewayContext,
  lane: number,
  create: CreateInstance,
): Promise<InstanceDescription> {
  requireSuccess(await context.lanes.send(lane, create));
  return describeInstance(context, lane, create.instance);
}
