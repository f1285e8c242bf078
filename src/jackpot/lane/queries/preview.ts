import type { CreateInstance, TransferRule } from '../../../messages/instance-commands.ts';
import type { InstanceDescription } from '../../../messages/records.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { buildInstance } from '../../commands/administration/create-instance.ts';
import { planSwitch } from '../../commands/switch/check.ts';
import { describe } from '../../rules/descriptions/describe.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

export interface SwitchPreview {
  readonly kind: 'SwitchPreview';
  readonly source: InstanceDescription;
  /** The target as it would be after the switch: Pending, with everything that was the source's. */
  readonly target: InstanceDescription;
}

/** A28: previews a switch to an instance that does not exist yet. Nothing changes. */
export function previewSwitch(
  state: LaneState,
  id: string,
  create: CreateInstance,
  rules: readonly TransferRule[],
  override: boolean,
): SwitchPreview | Refusal {
  const source = state.instances.get(id);
  if (source === undefined) return refused('instance_not_found');
  const target = buildInstance(state, create);
  if ('kind' in target) return target;
  const plan = planSwitch(state, source, target, { rules, override }, 'preview');
  if (plan.kind === 'Refused') return plan;
  const shown = describe(source);
  target.balances.set(plan.target);
  target.refresh();
  return { kind: 'SwitchPreview', source: shown, target: describe(target) };
}
