import {
  compareFractions,
  floorDivide,
  floorMultiply,
  one,
  subtractFractions,
} from '../../../lib/fraction.ts';
import { lesserOf } from '../../../lib/money.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import type { ContributionRules } from '../../state/configuration/configuration.ts';
import type { CurrencyExchange } from '../../state/money/quote.ts';
import { fromInstance } from './convert.ts';

/** The least of all caps of a contribution, in the request's currency; `debitAtoms` caps the player's part alone. */
export interface WagerCap {
  readonly atoms: bigint;
  readonly debitAtoms: bigint | null;
}

/** null where nothing limits the contribution. A cap of zero or less refuses it. */
export function capOf(
  rules: ContributionRules,
  exchange: CurrencyExchange,
  command: Contribute,
): WagerCap | null {
  const caps: bigint[] = [];
  const maximum = rules.maximum;
  const highest = highestValue(rules, exchange);
  if (maximum !== null && highest !== null) {
    caps.push(maximum.includeBaseWager ? highest - command.baseWagerAtoms : highest);
  }
  if (maximum !== null && maximum.capByBaseWager !== null) {
    caps.push(floorMultiply(command.baseWagerAtoms, maximum.capByBaseWager));
  }
  const debitAtoms = command.maxBetAtoms;
  if (debitAtoms !== null && compareFractions(rules.operatorPercentage, one) < 0) {
    caps.push(floorDivide(debitAtoms, subtractFractions(one, rules.operatorPercentage)));
  }
  return caps.length === 0 ? null : { atoms: caps.reduce(lesserOf), debitAtoms };
}

/** max_contribution in the request's currency: its alternative, else the value converted. */
export function highestValue(rules: ContributionRules, exchange: CurrencyExchange): bigint | null {
  const maximum = rules.maximum;
  if (maximum === null) return null;
  const alternative = maximum.alternatives.get(exchange.from);
  if (alternative !== undefined) return alternative;
  return maximum.valueAtoms === null ? null : fromInstance(exchange, maximum.valueAtoms);
}

/** A preference is used within [default or alternative, maximum]. */
export function clampPreference(
  rules: ContributionRules,
  exchange: CurrencyExchange,
  preferredAtoms: bigint,
  standardAtoms: bigint,
): bigint {
  const highest = highestValue(rules, exchange);
  const raised = preferredAtoms < standardAtoms ? standardAtoms : preferredAtoms;
  return highest === null ? raised : lesserOf(raised, highest);
}
