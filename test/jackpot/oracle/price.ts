import type { Contribute } from '../../../src/messages/player-commands.ts';
import { amount, largest, maxAmount, part, type Rates, ratio, smallest } from './numbers.ts';
import { alternative, type Json, rulesOf } from './rules.ts';

export interface Priced {
  readonly debit: bigint;
  readonly operator: bigint;
  readonly bonus: bigint;
  readonly playerPart: bigint;
  readonly operatorPart: bigint;
  readonly c: bigint;
  readonly wager: bigint;
}

/** [currency, value or null] in the order they were stated. */
export type Stated = readonly (readonly [currency: string, value: bigint | null])[];

/** Why a currency cannot be priced into another for a brand; null: it can. */
export function unpriceable(rates: Rates, brand: string, from: string, to: string): string | null {
  if (from === to) return null;
  if (!rates.isKnown(from)) return 'currency_unknown';
  const both = rates.multiplier(brand, from) !== undefined && rates.multiplier(brand, to) !== undefined;
  return both ? null : 'currency_not_supported';
}

/** Step 2: value → caps → debit in minor units → C. A text: the refusal. */
export function priceOf(document: Json, command: Contribute, rates: Rates, stated: Stated): Priced | string {
  const { brand, currency, baseWagerAtoms: wager } = command;
  const rules = rulesOf(document);
  const own = document.currency as string;
  if (wager < 0n) return 'amount_negative';
  if (wager > maxAmount) return 'amount_out_of_range';
  const fault = unpriceable(rates, brand, currency, own);
  if (fault !== null) return fault;

  const { bonus } = command;
  if (bonus !== null && bonus.amountAtoms < 0n) return 'amount_negative';
  if (bonus !== null && bonus.currency !== currency) return 'currency_mismatch';
  const caps = capsOf(document, command, rates);
  if (caps.some((cap) => cap <= 0n)) return 'contribution_limit';
  const value = smallest(wantedValue(document, command, rates, stated), ...caps);
  if (value > maxAmount) return 'amount_out_of_range';
  const operator = part(value, rules.operator);
  const unit = rates.minorUnit(brand, currency);
  const exact = value - operator;
  const down = (exact / unit) * unit;
  const up = ((exact * 2n + unit) / (unit * 2n)) * unit;
  const playerPays = rules.operator.n < rules.operator.d;
  const passes =
    caps.some((cap) => up + operator > cap) ||
    (playerPays && command.maxBetAtoms !== null && up > command.maxBetAtoms);
  const debit = passes ? down : up;
  const playerPart = rates.convert(brand, debit, currency, own);
  const operatorPart = rates.convert(brand, operator, currency, own);
  const c = playerPart + operatorPart;
  const priced = rates.convert(brand, wager, currency, own);
  if (c > maxAmount || priced > maxAmount) return 'amount_out_of_range';
  return {
    debit,
    operator,
    bonus: smallest(bonus?.amountAtoms ?? 0n, debit),
    playerPart,
    operatorPart,
    c,
    wager: priced,
  };
}

export function standardValue(document: Json, brand: string, currency: string, rates: Rates): bigint {
  const rules = document.contribution_rules;
  return (
    alternative(rules.contribution_values_alt, currency) ??
    rates.convert(brand, amount(rules.contribution_type.Fixed), document.currency, currency)
  );
}

export function highestValue(document: Json, brand: string, currency: string, rates: Rates): bigint | null {
  const maximum = document.contribution_rules.max_contribution;
  const there = alternative(maximum?.max_contribution_values_alt, currency);
  if (there !== undefined) return there;
  const text = maximum?.max_contribution_value ?? '';
  return text === '' ? null : rates.convert(brand, amount(text), document.currency, currency);
}

function capsOf(document: Json, command: Contribute, rates: Rates): bigint[] {
  const maximum = document.contribution_rules.max_contribution;
  const wager = command.baseWagerAtoms;
  const caps: bigint[] = [];
  const highest = highestValue(document, command.brand, command.currency, rates);
  if (highest !== null) caps.push(maximum.include_base_wager === true ? highest - wager : highest);
  const k = maximum?.cap_contribution_by_base_wager ?? '';
  if (k !== '') caps.push(part(wager, ratio(k)));
  const { n, d } = rulesOf(document).operator;
  if (command.maxBetAtoms !== null && n < d) caps.push((command.maxBetAtoms * d) / (d - n));
  return caps;
}

/** Free bet amount, the player's preference, the alternative value, the default. */
function wantedValue(document: Json, command: Contribute, rates: Rates, stated: Stated): bigint {
  const { type } = rulesOf(document);
  if ('Percentage' in type) return part(command.baseWagerAtoms, ratio(type.Percentage));
  if (command.bonus !== null) return command.bonus.amountAtoms;
  const standard = standardValue(document, command.brand, command.currency, rates);
  const preferred = preferenceOf(command, rates, stated);
  if (preferred === null) return standard;
  const highest = highestValue(document, command.brand, command.currency, rates);
  const raised = largest(preferred, standard);
  return highest !== null && raised > highest ? highest : raised;
}

function preferenceOf(command: Contribute, rates: Rates, stated: Stated): bigint | null {
  const values = stated.filter(([, value]) => value !== null);
  const same = values.find(([currency]) => currency === command.currency);
  const [currency, value] = same ?? values[values.length - 1] ?? ['', null];
  if (value === null) return null;
  if (unpriceable(rates, command.brand, currency, command.currency) !== null) return null;
  return rates.convert(command.brand, value, currency, command.currency);
}
