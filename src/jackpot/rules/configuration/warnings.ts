import type { Configuration, PotConfiguration } from '../../state/configuration/configuration.ts';
import { subsidyWarning } from './self-funding.ts';

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
