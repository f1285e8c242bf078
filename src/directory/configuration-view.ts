import { items, members } from '../lib/unknown-json.ts';
import type { AdmissionRules } from '../messages/admission.ts';

/** What lookups and feeds read of an instance's configuration (normal form), once per change of it. */
export interface ConfigurationView extends AdmissionRules {
  readonly currency: string;
  readonly jackpotType: string;
  readonly optInRequired: boolean;
  readonly optInPerCurrency: boolean;
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
