import type { OracleInstance, OraclePot } from './instance.ts';
import { amount } from './numbers.ts';
import type { Json } from './rules.ts';
import { openWindows, thresholds } from './triggers.ts';

/** "Disabled pots": a person has closed it, and it has a cycle left. */
function isByHand(instance: OracleInstance, { cycle, document }: OraclePot): boolean {
  const { max_instantiation_count } = instance.pending ?? instance.document;
  return document.enabled === false && cycle <= (max_instantiation_count ?? Number.POSITIVE_INFINITY);
}

function opensNext(instance: OracleInstance, pot: OraclePot): boolean {
  return isByHand(instance, pot) && pot.pending !== null && pot.pending.enabled !== false;
}

/** Without an enabled pot. */
export function fate(instance: OracleInstance): 'waits' | 'Paused' | 'Resolving' {
  if (instance.pots.some((pot) => opensNext(instance, pot))) return 'waits';
  return !instance.isSpent && instance.pots.some((pot) => isByHand(instance, pot)) ? 'Paused' : 'Resolving';
}

/** Of new parameters that enable a pot. */
export function enablingFault(instance: OracleInstance, document: Json): string | null {
  for (const [index, pot] of instance.pots.entries()) {
    const next = document.pots[index] as Json;
    if (pot.document.enabled !== false || next.enabled === false) continue;
    if (pot.cycle > (document.max_instantiation_count ?? Number.POSITIVE_INFINITY))
      return 'invalid_transition';
    if (thresholds(next).some(({ max_value }) => amount(max_value) <= pot.accounts.current))
      return 'config_invalid';
  }
  return null;
}

/** With the next epoch. How many. */
export function enable(instance: OracleInstance, nowMs: number): number {
  const pots = instance.pots.filter((pot) => opensNext(instance, pot));
  for (const pot of pots) {
    pot.document = pot.pending!;
    pot.pending = null;
    pot.enabled = true;
    pot.cycleStart = nowMs;
    pot.cycleCount = 0;
    pot.lastDrawn = pot.accounts.current;
    openWindows(pot, nowMs);
  }
  if (pots.length > 0) instance.isSpent = false;
  return pots.length;
}
