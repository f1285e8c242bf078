import type { Configuration, PotConfiguration } from './configuration.ts';
import { subsidyWarning } from './self-funding.ts';

/** Advice at configuration time; nothing here refuses anything. */
export function warningsOf(configuration: Configuration): readonly string[] {
  return configuration.pots.flatMap((pot, index) => [
    ...triggerWarning(configuration, pot, index),
    ...growthWarning(pot, index),
    ...subsidyWarning(configuration, pot, index),
  ]);
}

function triggerWarning(
  configuration: Configuration,
  pot: PotConfiguration,
  index: number,
): readonly string[] {
  if (configuration.raffle === null) {
    return pot.triggers.length === 0 ? [`pots[${index}] has no pot_types: it is never won`] : [];
  }
  const types = pot.document.pot_types;
  return Array.isArray(types) && types.length > 0
    ? [`pots[${index}].pot_types are never drawn: a raffle pays at the end of its rounds`]
    : [];
}

/** A pot whose shares all go to its seed does not grow, so it never reaches a value. */
function growthWarning(pot: PotConfiguration, index: number): readonly string[] {
  if (pot.isProgressive || pot.triggers.every((trigger) => trigger.bounds === null)) return [];
  return [`pots[${index}] is not progressive: it never reaches its Threshold`];
}
