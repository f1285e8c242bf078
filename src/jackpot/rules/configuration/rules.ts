import type { Reader } from '../../../lib/document-reader.ts';
import {
  compareFractions,
  type Fraction,
  one,
  parseFraction,
  shareDecimals,
  zero,
} from '../../../lib/fraction.ts';
import type {
  ContributionRules,
  Criteria,
  MaximumContribution,
} from '../../state/configuration/configuration.ts';
import { readShare } from './shares.ts';

/** `contribution_rules`. The operator pays everything by default, but nothing where opt-in is required. */
export function readRules(reader: Reader): ContributionRules {
  if (!reader.has('contribution_rules')) reader.fault('contribution_rules', 'is missing');
  const rules = reader.child('contribution_rules');
  const optInRequired = rules.flag('opt_in_required', false);
  const operatorPercentage = rules.fraction('operator_contribution_percentage', optInRequired ? zero : one);
  if (compareFractions(operatorPercentage, one) > 0) {
    rules.fault('operator_contribution_percentage', 'must not exceed 1');
  }
  const countries = rules.child('country_filters');
  return {
    optInRequired,
    optInPerCurrency: rules.flag('opt_in_per_currency', false),
    type: reader.has('contribution_rules')
      ? readShare(rules, 'contribution_type', null)
      : { fixedAtoms: 0n, percentage: null },
    alternatives: rules.amounts('contribution_values_alt'),
    maximum: rules.has('max_contribution') ? readMaximum(rules.child('max_contribution')) : null,
    operatorPercentage,
    criteria: readCriteria(rules.child('wager_criteria')),
    allowedBrands: rules.has('allowed_brands') ? rules.texts('allowed_brands') : null,
    blackList: countries.texts('black_list'),
    whiteList: countries.texts('white_list'),
    qualifiedContributionOnly: rules.flag('qualified_contribution_only', true),
  };
}

/** Thresholds in the instance currency; absent: none. */
export function readCriteria(criteria: Reader): Criteria {
  return {
    minBaseWagerAtoms: criteria.amount('min_base_wager', 0n) ?? 0n,
    minContributionAtoms: criteria.amount('min_contribution', 0n) ?? 0n,
  };
}

function readMaximum(maximum: Reader): MaximumContribution {
  return {
    valueAtoms:
      maximum.raw('max_contribution_value') === '' ? null : maximum.amount('max_contribution_value', null),
    alternatives: maximum.amounts('max_contribution_values_alt'),
    includeBaseWager: maximum.flag('include_base_wager', false),
    capByBaseWager: readCapByBaseWager(maximum),
  };
}

/** null or "" means none. */
function readCapByBaseWager(maximum: Reader): Fraction | null {
  const value = maximum.raw('cap_contribution_by_base_wager');
  if (value === undefined || value === '') return null;
  const parsed = parseFraction(value, shareDecimals);
  if (parsed === null) maximum.fault('cap_contribution_by_base_wager', 'must be a factor of zero or more');
  return parsed;
}
