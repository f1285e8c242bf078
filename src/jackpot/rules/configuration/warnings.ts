import { type Fraction, floorDivide, floorMultiply, one } from '../../../lib/fraction.ts';
import { formatAmount, lesserOf } from '../../../lib/money.ts';
import type { Configuration, PotConfiguration, Share } from '../../state/configuration/configuration.ts';

/** Advice at configuration time; nothing here refuses anything. */
export function warningsOf(configuration: Configuration): readonly string[] {
  return [
    ...(configuration.raffle === null ? [] : unusedByRaffles(configuration)),
    ...configuration.pots.flatMap((pot, index) => [
      ...(configuration.raffle === null ? triggerWarning(pot, index) : []),
      ...growthWarning(pot, index),
      ...subsidyWarning(configuration, pot, index),
    ]),
  ];
}

function triggerWarning(pot: PotConfiguration, index: number): readonly string[] {
  return pot.triggers.length === 0 ? [`pots[${index}] has no pot_types: it is never won`] : [];
}

/** What a raffle's rules do not look at, and what happens instead. */
const unusedPotMembers = {
  pot_types: 'are never drawn: a raffle pays at the end of its rounds',
  win_constraints: 'are never checked: a raffle pays at the end of its rounds',
  payout_ruleset: 'is not used: a raffle pays by its prize_distribution',
} as const;

function unusedByRaffles({ document, pots }: Configuration): readonly string[] {
  const selector =
    document.win_selector_strategy === undefined
      ? []
      : ['win_selector_strategy is not used: a raffle has no two hits at a time'];
  const ofPots = pots.flatMap((pot, index) =>
    Object.entries(unusedPotMembers)
      .filter(([name]) => isGiven(pot.document[name]))
      .map(([name, what]) => `pots[${index}].${name} ${what}`),
  );
  return [...selector, ...ofPots];
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;
}

/** A pot whose shares all go to its seed does not grow, so it never reaches a value. */
function growthWarning(pot: PotConfiguration, index: number): readonly string[] {
  if (pot.isProgressive || pot.triggers.every((trigger) => trigger.bounds === null)) return [];
  return [`pots[${index}] is not progressive: it never reaches its Threshold`];
}

/** What the house is expected to pay a cycle; unknown where its length depends on time or people. */
function subsidyWarning(
  configuration: Configuration,
  pot: PotConfiguration,
  index: number,
): readonly string[] {
  const { minReseedAtoms } = pot;
  if (minReseedAtoms === 0n || pot.reseedStrategy === 'Collected') return [];
  const collected = expectedSeed(configuration, pot);
  if (collected === null || collected >= minReseedAtoms) return [];
  const ratio = formatRatio(collected, minReseedAtoms);
  const [has, takes, pays] = [collected, minReseedAtoms, minReseedAtoms - collected].map(formatAmount);
  return [
    `pots[${index}] has a self-funding ratio ${ratio}: it collects about ${has} of the ${takes} that a reseed takes, so the house pays about ${pays} a cycle`,
  ];
}

/** null: unknown. */
function expectedSeed(configuration: Configuration, pot: PotConfiguration): bigint | null {
  if (pot.isProgressive && pot.fundStrategy === 'HouseFunded') return 0n;
  const { fixedAtoms } = configuration.rules.type;
  const potPart = partOf(pot.share, fixedAtoms);
  if (potPart === null) return null;
  const seedPart = pot.isProgressive ? partOf(pot.seedShare, floorOf(fixedAtoms, potPart)) : one;
  if (seedPart === null) return null;
  const cycles = pot.triggers.flatMap(
    (trigger) => trigger.expectedCycleAtoms ?? thresholdCycle(pot, trigger.bounds, potPart, seedPart) ?? [],
  );
  if (cycles.length === 0) return null;
  return floorMultiply(floorMultiply(cycles.reduce(lesserOf), potPart), seedPart);
}

/** Σ of contributions that brings a reseeded pot to the middle of its bounds, where it is hit on average. */
function thresholdCycle(
  pot: PotConfiguration,
  bounds: PotConfiguration['triggers'][number]['bounds'],
  potPart: Fraction,
  seedPart: Fraction,
): bigint | null {
  const growing = { scaled: seedPart.scale - seedPart.scaled, scale: seedPart.scale };
  if (bounds === null || potPart.scaled === 0n || growing.scaled === 0n) return null;
  const growth = (bounds.minAtoms + bounds.maxAtoms) / 2n - pot.minReseedAtoms;
  return floorDivide(floorDivide(growth, growing), potPart);
}

/** A share as a fraction of the amount it is taken from: a fixed share needs that amount. */
function partOf({ fixedAtoms, percentage }: Share, ofAtoms: bigint | null): Fraction | null {
  if (percentage !== null) return percentage;
  if (fixedAtoms === null || ofAtoms === null || ofAtoms === 0n) return null;
  return { scaled: lesserOf(fixedAtoms, ofAtoms), scale: ofAtoms };
}

function floorOf(atoms: bigint | null, part: Fraction): bigint | null {
  return atoms === null ? null : floorMultiply(atoms, part);
}

/** Two decimals, rounded down. */
function formatRatio(part: bigint, whole: bigint): string {
  const hundredths = (part * 100n) / whole;
  if (hundredths === 0n && part > 0n) return 'below 0.01';
  return `of ${formatAmount(hundredths * 1_000_000n)}`;
}
