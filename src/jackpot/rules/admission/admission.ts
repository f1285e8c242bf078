import { isBrandAllowed, isCountryAllowed } from '../../../messages/admission.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { isOptedIn, isOptedOut } from '../opt-ins/status.ts';
import { isRoundOver } from '../raffles/end-round.ts';

/** Whether an instance takes contributions of a brand and country now; null, or the first reason why not. */
export function admissionRefusal(
  instance: Instance,
  brand: string,
  country: string | null,
  nowMs: number,
): Refusal | null {
  if (instance.status !== 'Active') {
    return instance.suspended
      ? refused('instance_suspended', `the instance is suspended: ${instance.reason}`)
      : refused('instance_not_active');
  }
  if (instance.facts.endMs !== null && nowMs >= instance.facts.endMs) return refused('instance_not_active');
  if (instance.raffle !== null && isRoundOver(instance, nowMs)) return refused('instance_not_active');
  if (instance.enabledMask === 0) return refused('instance_not_active');
  if (instance.admittedBrand !== brand) {
    if (!isBrandAllowed(instance.configuration.rules, instance.facts.owner, brand))
      return refused('brand_not_allowed');
    instance.admittedBrand = brand;
  }
  return country === null || isCountryAllowed(instance.configuration.rules, country)
    ? null
    : refused('country_not_allowed');
}

/** The instance that a contribution goes to (docs/rules/contributions.md "Resolve"); null: none. */
export function resolveTarget(state: LaneState, command: Contribute): Instance | null {
  if (command.target.type === 'instance') return state.instances.get(command.target.id) ?? null;
  const group = command.target.group ?? command.operator;
  for (const id of candidates(state, command, command.target.id, group)) {
    const instance = state.instances.get(id);
    if (instance !== undefined && isOpenFor(state, instance, command)) return instance;
  }
  return null;
}

/** A brand's targets come before its operator's. Segments count only within the source's group. */
function* candidates(state: LaneState, command: Contribute, source: string, group: string): Iterable<string> {
  const owners = [command.brand, command.operator];
  for (const { instance } of ledTo(state, owners, command.segments)) {
    if (state.instances.get(instance)?.facts.group === group) yield instance;
  }
  for (const owner of owners) {
    for (const binding of state.bindings.list('source', owner, source)) yield binding.instance;
  }
}

/** Where several segments lead, as one list in the order of docs/rules/contributions.md "Resolve". */
function ledTo(state: LaneState, owners: readonly string[], segments: readonly string[]): readonly Led[] {
  const led = segments.flatMap((segment) =>
    owners.flatMap((owner, rank) => {
      const segmentPriority = state.bindings.segmentPriority(owner, segment);
      if (segmentPriority === null) return [];
      const bindings = state.bindings.list('segment', owner, segment);
      return bindings.map((binding) => ({ ...binding, segmentPriority, rank }));
    }),
  );
  return led.sort(
    (a, b) =>
      a.segmentPriority - b.segmentPriority ||
      a.priority - b.priority ||
      a.rank - b.rank ||
      (a.instance < b.instance ? -1 : a.instance > b.instance ? 1 : 0),
  );
}

interface Led {
  readonly instance: string;
  readonly priority: number;
  readonly segmentPriority: number;
  readonly rank: number;
}

function isOpenFor(state: LaneState, instance: Instance, command: Contribute): boolean {
  if (admissionRefusal(instance, command.brand, command.country, state.nowMs) !== null) return false;
  const { optInRequired } = instance.configuration.rules;
  if (!optInRequired && !state.rules.optOutsEndContributions) return true;
  const brand = state.brands.get(command.brand);
  if (brand === null) return false;
  const row = instance.players.find(brand.number, command.player);
  if (row < 0) return !optInRequired;
  if (state.rules.optOutsEndContributions && isOptedOut(instance, row, command.currency)) return false;
  return !optInRequired || isOptedIn(instance, row, command.currency);
}
