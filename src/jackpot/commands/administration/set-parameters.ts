import { canonicalJson } from '../../../lib/canonical-json.ts';
import type { SetBrandAllowed, SetParameters } from '../../../messages/instance-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { sizeRefusal } from '../../rules/configuration/bounds.ts';
import { withMaxAtoms } from '../../rules/configuration/limits.ts';
import { parseConfiguration } from '../../rules/configuration/parse.ts';
import { isReady } from '../../rules/epochs/epoch.ts';
import { enablingRefusal } from '../../rules/pots/disabled-pots.ts';
import { changing, done, isOpen, isOutdated, noteChange } from '../../rules/statuses/change.ts';
import { isSwitching } from '../../rules/switches/successor.ts';
import type { Configuration, PotConfiguration } from '../../state/configuration/configuration.ts';
import type { Instance, Pot } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { enabledAt, potAt } from '../../state/money/accounts.ts';

/**
 * Instance-level parameters bind with the next epoch, a pot's with its next cycle; a higher maximum at once.
 */
export const setParameters = changing<SetParameters>((state, instance, command) =>
  store(state, instance, command.configuration),
);

/** Removing the last brand stores an explicit none; a list that was absent is written out first. */
export function setBrandAllowed(state: LaneState, command: SetBrandAllowed): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  if (state.brands.get(command.brand) === null) return refused('brand_not_found');
  if (isOutdated(instance, command.expectedVersion)) return refused('version_conflict');
  const stored = instance.pendingConfiguration ?? instance.configuration;
  const listed = stored.rules.allowedBrands ?? brandsOfOwner(state, instance);
  const others = listed.filter((brand) => brand !== command.brand);
  const allowed = command.allowed ? [...others, command.brand] : others;
  const refusal = store(state, instance, {
    ...stored.document,
    contribution_rules: { ...(stored.document.contribution_rules as object), allowed_brands: allowed },
    pots: instance.pots.map((pot) => (pot.pending ?? pot.effective).document),
  });
  return refusal ?? done(instance);
}

function store(state: LaneState, instance: Instance, document: unknown): Refusal | null {
  if (!isOpen(instance)) return refused('invalid_transition', 'the instance is over');
  const parsed = parseConfiguration(document);
  if (!parsed.ok) return refused('config_invalid', parsed.faults.join('; '));
  const { configuration } = parsed;
  const refusal = sizeRefusal(state, configuration.document) ?? identityRefusal(instance, configuration);
  if (refusal !== null) return refusal;
  // They end the epoch, and the next one must be able to begin.
  const waits = instance.configuration.wantsBeacon && !isReady(instance, instance.epochs.next);
  if (waits && instance.status !== 'Pending')
    return refused('invalid_transition', 'the beacon of the next draw epoch has not come');
  // The target goes on with the configuration that was approved with the switch.
  if (state.rules.approvalsAreFenced && instance.status === 'Pending' && isSwitching(state, instance))
    return refused('switch_in_progress');
  const isEnabling = state.rules.potsAreEnabledAgain && instance.status !== 'Pending';
  const unfit = isEnabling ? enablingRefusal(instance, configuration) : null;
  if (unfit !== null) return unfit;
  state.touch(instance);
  if (instance.status === 'Pending') replace(instance, configuration);
  else schedule(instance, configuration);
  state.movedDeadlines.add(instance);
  noteChange(state, instance);
  return null;
}

function identityRefusal(instance: Instance, next: Configuration): Refusal | null {
  const stored = instance.configuration;
  if (next.jackpotType !== stored.jackpotType) return refused('config_invalid', 'jackpot_type cannot change');
  if (next.currency !== stored.currency) return refused('config_invalid', 'currency cannot change');
  const ids = instance.pots.map((pot) => pot.effective.id);
  const same = ids.length === next.pots.length && next.pots.every((pot, index) => pot.id === ids[index]);
  return same ? null : refused('config_invalid', 'pots cannot be added, removed, renamed or moved');
}

function replace(instance: Instance, next: Configuration): void {
  instance.configuration = next;
  for (const pot of instance.pots) {
    pot.effective = next.pots[pot.index]!;
    instance.balances[potAt(pot.index) + enabledAt] = pot.effective.enabled ? 1 : 0;
  }
  instance.refresh();
}

function schedule(instance: Instance, next: Configuration): void {
  instance.pendingConfiguration = next;
  instance.epochs.endRequested = true;
  for (const pot of instance.pots) schedulePot(pot, next.pots[pot.index]!);
  instance.refresh();
}

function schedulePot(pot: Pot, next: PotConfiguration): void {
  const { maxAtoms } = pot.effective;
  const rises = maxAtoms !== null && (next.maxAtoms === null || next.maxAtoms > maxAtoms);
  if (rises) pot.effective = withMaximum(pot.effective, next);
  const same = canonicalJson(pot.effective.document) === canonicalJson(next.document);
  pot.pending = same ? null : next;
}

function withMaximum(effective: PotConfiguration, next: PotConfiguration): PotConfiguration {
  const { maximum_pot_value: _, ...rest } = effective.document;
  const document =
    next.maxAtoms === null ? rest : { ...rest, maximum_pot_value: next.document.maximum_pot_value };
  return withMaxAtoms({ ...effective, document }, next.maxAtoms);
}

function brandsOfOwner(state: LaneState, instance: Instance): readonly string[] {
  const { owner } = instance.facts;
  if (owner.includes(':')) return [owner];
  return state.brands
    .commands()
    .map((each) => each.brand)
    .filter((brand) => brand.startsWith(`${owner}:`));
}
