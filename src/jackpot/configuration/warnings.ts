import type { Configuration, PotConfiguration } from './configuration.ts';
import { subsidyWarning } from './self-funding.ts';

/** Advice at configuration time; nothing here refuses anything. */
export function warningsOf(configuration: Configuration): readonly string[] {
  return configuration.pots.flatMap((pot, index) => [
    ...(pot.triggers.length === 0 ? [`pots[${index}] has no pot_types: it is never won`] : []),
    ...growthWarning(pot, index),
    ...subsidyWarning(configuration, pot, index),
  ]);
}

/** A pot whose shares all go to its seed stands still, and what stands still reaches no value. */
function growthWarning(pot: PotConfiguration, index: number): readonly string[] {
  if (pot.isProgressive || pot.triggers.every((trigger) => trigger.bounds === null)) return [];
  return [`pots[${index}] is not progressive: it never reaches its Threshold`];
}
