import { formatAmount, least } from '../../lib/money.ts';
import type { Configuration, PotConfiguration } from './configuration.ts';
import { shareOf } from './shares.ts';

/** Advice at configuration time; nothing here refuses anything. */
export function warningsOf(configuration: Configuration): readonly string[] {
  return configuration.pots.flatMap((pot, index) => [
    ...(pot.triggers.length === 0 ? [`pots[${index}] has no pot_types: it is never won`] : []),
    ...subsidyWarning(pot, index),
  ]);
}

/** Self-funding ratio: expected seed collected per cycle against what a reseed takes. */
function subsidyWarning(pot: PotConfiguration, index: number): readonly string[] {
  if (pot.minReseedAtoms === 0n || pot.reseedStrategy === 'Collected') return [];
  const cycles = pot.triggers.flatMap((trigger) => trigger.expectedCycleAtoms ?? []);
  if (cycles.length === 0) return [];
  const cycleAtoms = cycles.reduce(least);
  const potAtoms = shareOf(pot.share, cycleAtoms, cycleAtoms);
  const collected = pot.isProgressive ? collectedOf(pot, potAtoms) : potAtoms;
  if (collected >= pot.minReseedAtoms) return [];
  const subsidy = formatAmount(pot.minReseedAtoms - collected);
  return [`pots[${index}] does not fund its own reseed: the house pays about ${subsidy} a cycle`];
}

function collectedOf(pot: PotConfiguration, potAtoms: bigint): bigint {
  return pot.fundStrategy === 'HouseFunded' ? 0n : shareOf(pot.seedShare, potAtoms, potAtoms);
}
