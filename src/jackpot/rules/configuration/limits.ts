import type { PotConfiguration } from '../../state/configuration/configuration.ts';

type Limited = Pick<PotConfiguration, 'maxAtoms' | 'triggers'>;

/**
 * How far a pot may be filled (docs/rules/triggers.md "Must-hit pots"): by contributions up to its maximum and the max_value
 * of its Threshold, by a reseed no further than to the Threshold's min_value. null: without end.
 */
export function limitsOf(pot: Limited): Pick<PotConfiguration, 'capAtoms' | 'reseedCapAtoms'> {
  const bounds = pot.triggers.flatMap((trigger) => trigger.bounds ?? []);
  const capAtoms = lowest([pot.maxAtoms, ...bounds.map((each) => each.maxAtoms)]);
  return { capAtoms, reseedCapAtoms: lowest([capAtoms, ...bounds.map((each) => each.minAtoms)]) };
}

/** The pot with another maximum. */
export function withMaxAtoms(pot: PotConfiguration, maxAtoms: bigint | null): PotConfiguration {
  return { ...pot, maxAtoms, ...limitsOf({ maxAtoms, triggers: pot.triggers }) };
}

function lowest(limits: readonly (bigint | null)[]): bigint | null {
  return limits.reduce((min, each) => (min === null || (each !== null && each < min) ? each : min));
}
