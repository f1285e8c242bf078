import {
  compareFractions,
  floorDivide,
  floorMultiply,
  one,
  subtractFractions,
} from '../../../lib/fraction.ts';
import { lesserOf, maxAmountAtoms } from '../../../lib/money.ts';
import { highOf, lowOf } from '../../../lib/wide.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { ContributionRules } from '../../state/configuration/configuration.ts';
import type { CurrencyExchange, Price } from '../../state/money/quote.ts';
import { floorToMinor, fromInstance, roundToMinor, toInstance } from './convert.ts';

/** The value, the caps, the debit in minor units, then C = converted(debit) + converted(operator's part). */
export function price(
  rules: ContributionRules,
  exchange: CurrencyExchange,
  command: Contribute,
  preferredAtoms: bigint | null,
): Price | Refusal {
  const { bonus } = command;
  if (bonus !== null && bonus.amountAtoms < 0n) return refused('amount_negative');
  if (bonus !== null && bonus.currency !== command.currency) return refused('currency_mismatch');
  const cap = capOf(rules, exchange, command);
  if (cap !== null && cap.atoms <= 0n) return refused('contribution_limit');
  const wanted = preferredValue(rules, exchange, command, preferredAtoms);
  const value = cap === null ? wanted : lesserOf(wanted, cap.atoms);
  if (value > maxAmountAtoms) return refused('amount_out_of_range');
  const operatorAtoms = floorMultiply(value, rules.operatorPercentage);
  const debitAtoms = debitOf(value - operatorAtoms, operatorAtoms, exchange, cap);
  const playerPart = toInstance(exchange, debitAtoms);
  const operatorPart = toInstance(exchange, operatorAtoms);
  const contributionAtoms = playerPart + operatorPart;
  if (contributionAtoms > maxAmountAtoms) return refused('amount_out_of_range');
  return {
    kind: 'Price',
    exchange,
    debitAtoms,
    requestAtoms: debitAtoms + operatorAtoms,
    bonusAtoms: bonus === null ? 0n : lesserOf(bonus.amountAtoms, debitAtoms),
    contributionAtoms,
    playerAtoms: playerPart,
    contributionHigh: highOf(contributionAtoms),
    contributionLow: lowOf(contributionAtoms),
    playerHigh: highOf(playerPart),
    playerLow: lowOf(playerPart),
    operatorHigh: highOf(operatorPart),
    operatorLow: lowOf(operatorPart),
  };
}

/** Free bet amount, player's preference, alternative value, default: in the request's currency. */
function preferredValue(
  rules: ContributionRules,
  exchange: CurrencyExchange,
  command: Contribute,
  preferredAtoms: bigint | null,
): bigint {
  const { fixedAtoms, percentage } = rules.type;
  if (fixedAtoms === null) return floorMultiply(command.baseWagerAtoms, percentage!);
  if (command.bonus !== null) return command.bonus.amountAtoms;
  const standard = standardValue(rules, exchange);
  return preferredAtoms === null ? standard : clampPreference(rules, exchange, preferredAtoms, standard);
}

/** The alternative value for the request's currency, else the default converted to it. */
export function standardValue(rules: ContributionRules, exchange: CurrencyExchange): bigint {
  return rules.alternatives.get(exchange.from) ?? fromInstance(exchange, rules.type.fixedAtoms ?? 0n);
}

/** Half up to the minor unit, down where up would pass a cap. */
function debitOf(
  exact: bigint,
  operatorAtoms: bigint,
  exchange: CurrencyExchange,
  cap: WagerCap | null,
): bigint {
  const rounded = roundToMinor(exact, exchange.exponent);
  if (cap === null) return rounded;
  const passes = rounded + operatorAtoms > cap.atoms || (cap.debitAtoms !== null && rounded > cap.debitAtoms);
  return passes ? floorToMinor(exact, exchange.exponent) : rounded;
}

/** The least of all caps, in the request's currency; `debitAtoms` caps the player's part alone. */
interface WagerCap {
  readonly atoms: bigint;
  readonly debitAtoms: bigint | null;
}

/** null where nothing limits the contribution. A cap of zero or less refuses it. */
function capOf(rules: ContributionRules, exchange: CurrencyExchange, command: Contribute): WagerCap | null {
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
function clampPreference(
  rules: ContributionRules,
  exchange: CurrencyExchange,
  preferredAtoms: bigint,
  standardAtoms: bigint,
): bigint {
  const highest = highestValue(rules, exchange);
  const raised = preferredAtoms < standardAtoms ? standardAtoms : preferredAtoms;
  return highest === null ? raised : lesserOf(raised, highest);
}
