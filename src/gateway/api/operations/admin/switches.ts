import type * as z from 'zod';
import { operatorOf } from '../../../../contracts/fields/identifiers.ts';
import { instanceView, switchView } from '../../../../contracts/jackpots/instance-view.ts';
import {
  switchCancellation,
  switchExecution,
  switchedPair,
  switchPreview,
  switchUnderWay,
} from '../../../../contracts/jackpots/model-switch.ts';
import type { CreateInstance, TransferRule } from '../../../../messages/instance-commands.ts';
import type { InstanceDescription } from '../../../../messages/records.ts';
import { isErrorCode, PublicError } from '../../../base/errors.ts';
import type { Reply } from '../../../base/reply.ts';
import { proposedChange } from '../../approvals/propose.ts';
import { defineChange, type GatewayContext } from '../../operation/operation.ts';
import {
  normalConfiguration,
  ownConfiguration,
  requireDiversion,
  validConfiguration,
} from './shared/configuration-input.ts';
import { expectedVersion, requireReason, requireVersion } from './shared/expected-version.ts';
import {
  configurationWarnings,
  describeInstance,
  requireSuccess,
  warningHeaders,
} from './shared/lane-answers.ts';
import { madeBefore, newInstanceId } from './shared/new-instance-id.ts';
import { requireInstance, requireOwner } from './shared/owner-access.ts';
import { requireAsProposed, requireTemplate } from './templates.ts';

/**
 * A28: what a switch to a template would make of an instance. With `dry_run` the target is shown as it would
 * be after the switch, and nothing is stored. Without it the target is created, and A29 moves.
 */
export const previewSwitchOperation = defineChange('configure', {
  id: 'A28',
  name: 'Model switch preview',
  route: 'POST /config/model-switch/preview',
  input: { body: switchPreview },
  output: switchedPair,
  refusals: [404, 409],
  answerHeaders: ['X-Configuration-Warnings'],
  fourEyes: true,
  isHarmless: ({ body }) => body.dry_run === true,
  async handle(request, context) {
    const { principal, body } = request;
    const known = requireInstance(context, principal, 'configure', body.source_instance_id);
    const owner = body.target_instance_owner_id;
    requireOwner(context, principal, 'configure', owner);
    const template = requireTemplate(context, principal, body.template_owner_id, body.template_id);
    requireReason(body.reason);
    const { group } = known.description;
    if (operatorOf(owner) !== operatorOf(group)) throw new PublicError('group_mismatch');
    const instance = newInstanceId(context, request.approved);
    const made = await madeBefore(context, known.lane, instance, request.approved);
    if (made !== null) {
      const source = await describeInstance(context, known.lane, body.source_instance_id);
      return shown({ source, target: made }, []);
    }
    await requireAsProposed(template, request.approved);
    const configuration = normalConfiguration(context, validConfiguration(template.configuration), owner);
    requireDiversion(context, principal, owner, ownConfiguration(template, owner), configuration);
    const warnings = await configurationWarnings(context, { principal, lane: known.lane, configuration });
    const create: CreateInstance = {
      kind: 'CreateInstance',
      instance,
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
    const rules = transferRules(body.pot_rules);
    const override = body.override === true;
    const preview = await ask(context, known.lane, body.source_instance_id, create, rules, override);
    if (body.dry_run) return shown(preview, warnings);
    const fences = () => ({ template: template.version });
    const proposed = await proposedChange(context, request, [known.description.owner, owner], { fences });
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

/**
 * A29: moves everything of the source to the target. 204 once it is done; 202 after five seconds: it goes on,
 * and A32 shows `switch`. The same request again is the same switch. `user_id` must be the caller's
 * (`actor_mismatch`). If-Match names the source's version; the approval is of the target's.
 */
export const executeSwitchOperation = defineChange('move_money', {
  id: 'A29',
  name: 'Model switch execution',
  route: 'POST /config/model-switch/execute',
  input: { body: switchExecution },
  refusals: [404, 409],
  headers: ['If-Match'],
  fourEyes: true,
  underWay: switchUnderWay,
  async handle(request, context) {
    const { principal, body, headers, approved } = request;
    const version = expectedVersion(headers);
    if (body.user_id !== principal.subject) throw new PublicError('actor_mismatch');
    const source = requireInstance(context, principal, 'move_money', body.source_instance_id);
    const target = requireInstance(context, principal, 'move_money', body.target_instance_id);
    requireReason(body.reason);
    if (approved !== null && approved.attempt > 1) {
      const { switchedTo } = await describeInstance(context, source.lane, body.source_instance_id);
      if (switchedTo === body.target_instance_id) return { status: 204 };
    }
    if (source.description.group !== target.description.group) throw new PublicError('group_mismatch');
    const checkNew = () => requireVersion(version, source.liveValues.version);
    const { version: present } = await describeInstance(context, target.lane, body.target_instance_id);
    const owners = [source.description.owner, target.description.owner];
    const fences = () => ({ target: present });
    const proposed = await proposedChange(context, request, owners, { checkNew, fences });
    if (proposed !== null) return proposed;
    const targetVersion = await approved?.fence('target', present);
    // The engine's first version does not compare it. A later attempt may find what an earlier one changed.
    if (approved?.attempt === 1 && targetVersion !== present) throw new PublicError('version_conflict');
    const answer = await context.lanes.send(source.lane, {
      kind: 'SwitchModel',
      instance: body.source_instance_id,
      target: body.target_instance_id,
      rules: transferRules(body.pot_rules),
      transferOptIns: body.transfer_optins,
      override: body.override === true,
      reason: body.reason,
      user: principal.subject,
      ...(version === null ? {} : { expectedVersion: version }),
      ...(targetVersion === undefined ? {} : { targetVersion }),
    });
    requireSuccess(answer);
    return endOfSwitch(context, source.lane, body.source_instance_id, body.target_instance_id);
  },
});

/**
 * Ends a switch before its last command: what was copied is taken back from the target. `invalid_transition`
 * if it is done or not under way. A repeat is 204. Never needs approval.
 */
export const cancelSwitchOperation = defineChange('move_money', {
  id: 'switches.cancel',
  name: 'Cancel a model switch',
  route: 'DELETE /config/model-switch/execute',
  input: { body: switchCancellation },
  refusals: [404],
  async handle({ principal, body }, context) {
    const source = requireInstance(context, principal, 'move_money', body.source_instance_id);
    requireInstance(context, principal, 'move_money', body.target_instance_id);
    requireReason(body.reason);
    const answer = await context.lanes.send(source.lane, {
      kind: 'CancelSwitch',
      instance: body.source_instance_id,
      target: body.target_instance_id,
      reason: body.reason,
      user: principal.subject,
    });
    requireSuccess(answer);
    return { status: 204 };
  },
});

/** How long a caller waits for the end of a switch. */
const waitAtMostMs = 5_000;
const askEveryMs = 100;

/**
 * The answer to a switch that has begun: 204 when it is done, 202 where it takes longer.
 * @throws PublicError the refusal of its last command; outcome_unknown where the lane could not be asked
 */
async function endOfSwitch(
  context: GatewayContext,
  lane: number,
  source: string,
  target: string,
): Promise<Reply> {
  const untilMs = context.clock.nowMs() + waitAtMostMs;
  let known: InstanceDescription | null = null;
  for (;;) {
    // The lane may be moving to another host.
    known = await describeInstance(context, lane, source).catch(() => known);
    const isOver = context.clock.nowMs() >= untilMs;
    if (known !== null) {
      const reply = replyOf(known, target, isOver);
      if (reply !== null) return reply;
    } else if (isOver) throw new PublicError('outcome_unknown');
    await new Promise<void>((resolve) => void context.clock.after(askEveryMs, resolve));
  }
}

/** null: it is under way, and the caller waits on. */
function replyOf(source: InstanceDescription, target: string, isOver: boolean): Reply | null {
  if (source.switchedTo === target) return { status: 204 };
  const shown = switchView(source);
  if (shown === null || shown.target !== target)
    throw new PublicError('invalid_transition', 'Another switch has followed.');
  if (shown.state === 'cancelled') throw new PublicError('invalid_transition', 'The switch was cancelled.');
  if (shown.state === 'refused' && shown.code !== null && isErrorCode(shown.code))
    throw new PublicError(shown.code, shown.message ?? undefined);
  if (!isOver) return null;
  const body = { source_instance_id: source.instance, target_instance_id: target, switch: shown };
  return { status: 202, body };
}

/** Pot transfer rules as the lane takes them. */
function transferRules(rules: z.infer<typeof switchExecution>['pot_rules']): readonly TransferRule[] {
  return rules.map((rule) => ({ source: rule.source_pot, targets: Object.entries(rule.target_pot) }));
}
