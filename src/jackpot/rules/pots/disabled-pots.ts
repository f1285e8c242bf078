import { readWide } from '../../../lib/wide.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { Configuration } from '../../state/configuration/configuration.ts';
import type { Instance, Pot } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { currentAt, cycleAt, enabledAt, potAt } from '../../state/money/accounts.ts';
import { fullAtOnce } from '../configuration/limits.ts';
import { openCycle } from './reseed.ts';

/** A person disabled the pot, and it has a cycle left (docs/rules/statuses.md "Disabled pots"). */
function isDisabledByPerson({ balances, configuration, pendingConfiguration }: Instance, pot: Pot): boolean {
  return !pot.effective.enabled && hasCycleLeft(balances, pot, pendingConfiguration ?? configuration);
}

function isToBeEnabled(instance: Instance, pot: Pot): boolean {
  return pot.pending?.enabled === true && isDisabledByPerson(instance, pot);
}

function hasCycleLeft(balances: Float64Array, { index }: Pot, { maxCycles }: Configuration): boolean {
  return maxCycles === null || balances[potAt(index) + cycleAt]! <= maxCycles;
}

/** Without an enabled pot: the next epoch enables one, a person may enable one, or the instance is over. */
export function fateWithoutPots(instance: Instance): 'waits' | 'pauses' | 'is over' {
  if (instance.pots.some((pot) => isToBeEnabled(instance, pot))) return 'waits';
  const canGoOn = !instance.isSpent && instance.pots.some((pot) => isDisabledByPerson(instance, pot));
  return canGoOn ? 'pauses' : 'is over';
}

/** Why parameters must not enable a disabled pot of a running instance again. */
export function enablingRefusal(instance: Instance, next: Configuration): Refusal | null {
  for (const pot of instance.pots) {
    const wanted = next.pots[pot.index]!;
    if (pot.effective.enabled || !wanted.enabled) continue;
    if (!hasCycleLeft(instance.balances, pot, next))
      return refused('invalid_transition', `${wanted.id} has had its last cycle`);
    const full = fullAtOnce(wanted, readWide(instance.balances, potAt(pot.index) + currentAt));
    if (full.length > 0) return refused('config_invalid', full.join('; '));
  }
  return null;
}

/** Enables pots that wait for the epoch that begins: they keep money and cycle. Returns whether any did. */
export function enablePots(state: LaneState, instance: Instance): boolean {
  if (!state.rules.potsAreEnabledAgain) return false;
  const pots = instance.pots.filter((pot) => isToBeEnabled(instance, pot));
  for (const pot of pots) {
    const at = potAt(pot.index);
    const next = pot.pending!;
    openCycle(instance.balances, at, pot.effective, next, state.nowMs);
    instance.balances[at + enabledAt] = 1;
    pot.effective = next;
    pot.pending = null;
  }
  if (pots.length === 0) return false;
  instance.isSpent = false;
  instance.refresh();
  return true;
}
