import type { Reader } from '../../../lib/document-reader.ts';
import type { PotConfiguration } from '../../state/configuration/configuration.ts';

type Limited = Pick<PotConfiguration, 'maxAtoms' | 'triggers'>;

/**
 * How far contributions and a reseed fill a pot (docs/rules/triggers.md "Must-hit pots"); null: without end.
 */
export function limitsOf(pot: Limited): Pick<PotConfiguration, 'capAtoms' | 'reseedCapAtoms'> {
  const bounds = pot.triggers.flatMap((trigger) => trigger.bounds ?? []);
  const capAtoms = lowest([pot.maxAtoms, ...bounds.map((each) => each.maxAtoms)]);
  return { capAtoms, reseedCapAtoms: lowest([capAtoms, ...bounds.map((each) => each.minAtoms)]) };
}

export function withMaxAtoms(pot: PotConfiguration, maxAtoms: bigint | null): PotConfiguration {
  return { ...pot, maxAtoms, ...limitsOf({ maxAtoms, triggers: pot.triggers }) };
}

function lowest(limits: readonly (bigint | null)[]): bigint | null {
  return limits.reduce((min, each) => (min === null || (each !== null && each < min) ? each : min));
}

/** Constraints that end by themselves: a must-hit pot is hit in time or as soon as there is money. */
const allowedConstraint = 'AllowedSeedDeficit';

/** What Threshold and Time require of their pot (docs/rules/triggers.md "Must-hit pots"). */
export function checkMustDrop(pot: Reader, read: PotConfiguration): void {
  const mustDrop = read.triggers.filter((trigger) => trigger.bounds !== null || trigger.windows !== null);
  if (mustDrop.length === 0) return;
  const kinds = [...new Set(mustDrop.map((trigger) => trigger.kind))].join(' and ');
  for (const [index, constraint] of read.constraints.entries()) {
    if (constraint.kind === allowedConstraint) continue;
    pot.fault(
      `win_constraints[${index}]`,
      `${constraint.kind} could block a pot that must be hit: with ${kinds} only ${allowedConstraint} is allowed`,
    );
  }
  for (const { bounds, windows } of mustDrop) {
    if (bounds !== null) checkThreshold(pot, read, bounds.minAtoms, bounds.maxAtoms);
    if (windows !== null && read.criteria.minContributionAtoms === 0n) {
      pot.fault('criteria.min_contribution', 'must be above zero: a pot with Time needs it');
    }
  }
}

function checkThreshold(pot: Reader, read: PotConfiguration, minAtoms: bigint, maxAtoms: bigint): void {
  if (read.initialSeedAtoms > minAtoms) {
    pot.fault('seed_strategy.initial_seed_value', 'must not be above min_value of its Threshold');
  }
  if (read.minReseedAtoms > minAtoms) {
    pot.fault('seed_strategy.min_reseed_value', 'must not be above min_value of its Threshold');
  }
  if (read.maxAtoms !== null && read.maxAtoms < maxAtoms) {
    pot.fault('maximum_pot_value', 'must not be below max_value of its Threshold');
  }
}

/** Must-drop triggers that the next contribution would hit for certain, as texts. */
export function fullAtOnce({ id, triggers }: PotConfiguration, valueAtoms: bigint): readonly string[] {
  return triggers.flatMap(({ bounds }) =>
    bounds !== null && bounds.maxAtoms <= valueAtoms
      ? [`${id} would hold max_value of its Threshold or more at once`]
      : [],
  );
}
