import { isWithin, operatorOf } from '../contracts/fields/identifiers.ts';
import { items, members } from '../lib/unknown-json.ts';

/**
 * What lookups and feeds read of an instance's configuration, once per change of it. The document is the normal form of
 * messages/commands.ts; missing members take the defaults of docs/rules/configuration.md.
 */
export interface ConfigurationView {
  readonly currency: string;
  readonly jackpotType: string;
  readonly optInRequired: boolean;
  readonly optInPerCurrency: boolean;
  /** null: all brands of the owner. */
  readonly allowedBrands: readonly string[] | null;
  readonly blackList: readonly string[];
  readonly whiteList: readonly string[];
  readonly pots: readonly PotView[];
}

interface PotView {
  readonly id: string;
  readonly isProgressive: boolean;
  /** Σ payout_percentage, a decimal string. */
  readonly communitySplit: string;
}

export function viewConfiguration(document: unknown): ConfigurationView {
  const root = members(document);
  const rules = members(root.contribution_rules);
  const filters = members(rules.country_filters);
  return {
    currency: text(root.currency),
    jackpotType: text(root.jackpot_type),
    optInRequired: rules.opt_in_required === true,
    optInPerCurrency: rules.opt_in_per_currency === true,
    allowedBrands: Array.isArray(rules.allowed_brands) ? texts(rules.allowed_brands) : null,
    blackList: texts(filters.black_list),
    whiteList: texts(filters.white_list),
    pots: items(root.pots).map(viewPot),
  };
}

/** `owner` is the instance's; `brand` a brand path. */
export function allowsBrand(view: ConfigurationView, owner: string, brand: string): boolean {
  return view.allowedBrands === null ? isWithin(brand, owner) : view.allowedBrands.includes(brand);
}

/** Whether the instance is there for an operator: it is of the operator, or names a brand of it. */
export function isVisibleToOperator(
  owner: string,
  allowedBrands: readonly string[] | null,
  operator: string,
): boolean {
  if (operatorOf(owner) === operator) return true;
  return allowedBrands?.some((brand) => operatorOf(brand) === operator) === true;
}

/** The black list wins, an empty white list admits all; a filter without subdivision covers the whole country. */
export function allowsCountry(view: ConfigurationView, country: string): boolean {
  const covers = (filter: string) => country === filter || country.startsWith(`${filter}-`);
  if (view.blackList.some(covers)) return false;
  return view.whiteList.length === 0 || view.whiteList.some(covers);
}

function viewPot(document: unknown): PotView {
  const pot = members(document);
  const rules = items(members(pot.payout_ruleset).payout_rules);
  return {
    id: text(pot.id),
    isProgressive: pot.is_progressive !== false,
    communitySplit: sumOfShares(rules.map((rule) => text(members(rule).payout_percentage))),
  };
}

/** Shares have at most nine decimals. */
function sumOfShares(shares: readonly string[]): string {
  const decimals = 9;
  let sum = 0n;
  for (const share of shares) {
    const [units = '0', digits = ''] = share.split('.');
    sum += BigInt(units + digits.padEnd(decimals, '0'));
  }
  const text = sum.toString().padStart(decimals + 1, '0');
  const fraction = text.slice(-decimals).replace(/0+$/, '');
  return text.slice(0, -decimals) + (fraction === '' ? '' : `.${fraction}`);
}

function texts(value: unknown): readonly string[] {
  return items(value).filter((item): item is string => typeof item === 'string');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
