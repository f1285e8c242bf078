import { readWide } from '../../../lib/wide.ts';
import type { TriggerPot } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { admissionRefusal } from '../../rules/admission/admission.ts';
import { sourceOf } from '../../rules/credits/transaction-source.ts';
import { closeGroup } from '../../rules/draws/close.ts';
import { beginRecord } from '../../rules/draws/draw.ts';
import { Group } from '../../rules/draws/group.ts';
import { hasOptedIn, hasOptedOut } from '../../rules/opt-ins/status.ts';
import { isOutdated, suspendInstance } from '../../rules/statuses/change.ts';
import { payWin } from '../../rules/wins/pay.ts';
import type { Brand } from '../../state/directory/brands.ts';
import { type Instance, lastCurrency } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { unpriced } from '../../state/lane/recorder.ts';
import { currentAt, potAt } from '../../state/money/accounts.ts';

/** A30: pays a pot as if it was drawn, flagged external. */
export function triggerPot(state: LaneState, command: TriggerPot): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  const brand = state.brands.get(command.brand);
  if (brand === null) return refused('brand_not_found');
  const index = instance.potIndex(command.pot);
  if (index < 0) return refused('pot_not_found');
  if (isOutdated(instance, command.expectedVersion)) return refused('version_conflict');
  if (!instance.pots[index]!.effective.supportsExternalTrigger) return refused('trigger_not_supported');
  const refusal = admissionRefusal(instance, command.brand, null, state.nowMs);
  if (refusal !== null) return refused(refusal.code, refusal.message);
  const unwilling = optInRefusal(state, instance, brand, command);
  if (unwilling !== null) return unwilling;
  if ((instance.enabledMask & (1 << index)) === 0)
    return refused('instance_not_active', 'the pot is not enabled');
  if (readWide(instance.balances, potAt(index) + currentAt) === 0n) return refused('pot_empty');

  state.touch(instance);
  instance.saved.set(instance.balances);
  const group = new Group();
  group.begin(instance);
  const sequence = instance.sequence + 1;
  beginRecord(group, sequence, 0, 0, state.nowMs, 0);
  const win = payWin(state, group, index, null, {
    sequence,
    contributionId: new Uint8Array(16),
    gameround: '',
    brand,
    player: command.player,
    currency: lastCurrency(instance, brand, command.player),
    split: null,
    eventMetadata: null,
    round: '',
    source: sourceOf(state, instance.facts, command.source),
    provider: '',
    table: null,
  });
  if (typeof win === 'string') return undo(state, instance, win);
  if (state.recorder !== null) group.note(sequence, 0, 0, unpriced(state.nowMs));
  instance.sequence = sequence;
  closeGroup(state, group);
  return {
    kind: 'Triggered',
    instance: instance.id,
    pot: win.pot,
    winAmountAtoms: win.amountAtoms,
    timestampMs: state.nowMs,
  };
}

/** In any currency: an awarded prize has no currency of a contribution. */
function optInRefusal(
  state: LaneState,
  instance: Instance,
  brand: Brand,
  { checksOptIn, player }: TriggerPot,
): Refusal | null {
  const row = instance.players.find(brand.number, player);
  if (state.rules.optOutsEndContributions && row >= 0 && hasOptedOut(instance, row))
    return refused('player_opted_out');
  const isWanted = checksOptIn === true && instance.configuration.rules.optInRequired;
  return isWanted && (row < 0 || !hasOptedIn(instance, row)) ? refused('opt_in_required') : null;
}

function undo(state: LaneState, instance: Instance, breach: string): CommandOutcome {
  instance.balances.set(instance.saved);
  instance.refresh();
  suspendInstance(state, instance, breach);
  return refused('instance_suspended', `the instance is suspended: ${breach}`);
}
