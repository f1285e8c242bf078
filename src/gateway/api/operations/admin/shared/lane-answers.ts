import { authorize } from '../../../../../access/rights/authorize.ts';
import type { AdministratorPrincipal } from '../../../../../access/rights/principal.ts';
import type { InstanceConfigurationDocument } from '../../../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../../../messages/outcomes.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../../../../messages/queries.ts';
import type { InstanceDescription } from '../../../../../messages/records.ts';
import { PublicError } from '../../../../base/errors.ts';
import type { LaneAnswer } from '../../../../lanes/lane-client.ts';
import type { GatewayContext } from '../../../operation/operation.ts';
import { directoryFaults } from './configuration-input.ts';

/** The outcome of a change; a refusal of the engine leaves as its own error. */
export function requireSuccess(answer: LaneAnswer): Exclude<CommandOutcome, { kind: 'Refused' }> {
  if (answer.outcome.kind === 'Refused') throw new PublicError(answer.outcome.code, answer.outcome.message);
  return answer.outcome;
}

/** An instance as its actor has it now. */
export async function describeInstance(
  context: GatewayContext,
  lane: number,
  instance: string,
): Promise<InstanceDescription> {
  const [found] = await describeInstances(context, lane, [instance]);
  if (found === undefined) throw new PublicError('instance_not_found');
  return found;
}

/** Those that the lane does not have are left out. */
export async function describeInstances(
  context: GatewayContext,
  lane: number,
  ids: readonly string[],
): Promise<readonly InstanceDescription[]> {
  const found: InstanceDescription[] = [];
  for await (const answer of instanceAnswers(context, lane, { kind: 'instances', ids })) {
    if (answer.kind !== 'instances') throw new PublicError('storage_unavailable');
    found.push(...answer.instances);
  }
  return found;
}

type InstancesQuery = Extract<LaneQuery, { kind: 'instances' }>;
export type InstancesAnswer = Extract<LaneQueryAnswer, { kind: 'instances' | 'packed_instances' }>;

/** Asks on until all ids are answered. */
export async function* instanceAnswers(
  context: GatewayContext,
  lane: number,
  query: InstancesQuery,
): AsyncGenerator<InstancesAnswer> {
  const { ids } = query;
  for (let at = 0; at < ids.length; ) {
    const answer = await context.lanes.query(lane, { ...query, ids: ids.slice(at) });
    const isAnswer = answer.kind === 'instances' || answer.kind === 'packed_instances';
    if (!isAnswer || answer.answered === 0) throw new PublicError('storage_unavailable');
    yield answer;
    at += answer.answered;
  }
}

interface ConfigurationCheck {
  readonly principal: AdministratorPrincipal;
  readonly lane: number;
  readonly configuration: InstanceConfigurationDocument;
  /** Brand paths that the instance allows already. Keeping them takes no authority over them. */
  readonly allowedBefore?: readonly string[];
  readonly otherFaults?: readonly string[];
}

/** All faults of a configuration as one config_invalid. @returns the warnings */
export async function configurationWarnings(
  context: GatewayContext,
  { principal, lane, configuration, allowedBefore = [], otherFaults = [] }: ConfigurationCheck,
): Promise<readonly string[]> {
  const answer = await context.lanes.query(lane, { kind: 'check_configuration', configuration });
  if (answer.kind !== 'check_configuration') throw new PublicError('storage_unavailable');
  const mayAllow = (brand: string): boolean =>
    allowedBefore.includes(brand) || authorize(principal, 'operate', brand) === 'allowed';
  const faults = [...answer.faults, ...directoryFaults(context, configuration, mayAllow), ...otherFaults];
  if (faults.length > 0) throw new PublicError('config_invalid', faultText(faults));
  return answer.warnings;
}

/** The answers' shapes have no room for advice, so it is in X-Configuration-Warnings. */
export function warningHeaders(warnings: readonly string[]): readonly string[] {
  return warnings.length === 0 ? [] : ['x-configuration-warnings', warnings.join('; ')];
}

const maxFaultTextLength = 16_000;

function faultText(faults: readonly string[]): string {
  const text = `${faults.join('; ')}.`;
  return text.length <= maxFaultTextLength ? text : `${text.slice(0, maxFaultTextLength)}…`;
}
