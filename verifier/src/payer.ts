import type { MinorUnit } from './currencies.ts';
import { type Ratio, smallest } from './decimal.ts';
import { expectSame, expectThat } from './disagreement.ts';
import type { PublicRecord } from './document.ts';
import type { ContributionTerms, Rules } from './rules.ts';

/**
 * Checks the player's payment for a contribution against the rules. The value v is not public but must exist: the
 * operator pays floor(v·o), the player the rest, rounded to a payable amount, and no cap is exceeded. For a
 * contribution in another currency it checks only what holds at any rate; one priced before this epoch followed other
 * rules.
 */
export function checkPayer(rules: Rules, record: PublicRecord, minorUnit: MinorUnit): void {
  if (record.pricedBefore) return;
  const { contribution, player, wager } = record;
  const { criteria, terms } = rules;
  expectThat('money', wager >= criteria.wager, 'the wager is below what the rules take');
  expectThat('money', contribution >= criteria.contribution, 'a contribution is below what the rules take');
  const { over, under } = terms.operatorShare;
  if (over === under) expectSame('money', 'what the player paid', player, 0n);
  else if (over === 0n) expectSame('money', 'what the player paid', player, contribution);
  if (record.converted) return;
  const limit = terms.limitOf(wager);
  expectThat('money', limit === null || limit > 0n, 'a contribution is taken where its maximum leaves none');
  checkOwnCurrency(terms, record, minorUnit);
}

function checkOwnCurrency(terms: ContributionTerms, record: PublicRecord, minorUnit: MinorUnit): void {
  const { contribution, player, wager } = record;
  const operator = contribution - player;
  if (minorUnit.known !== null)
    expectSame('money', 'what the player paid beyond what can be paid', player % minorUnit.known, 0n);
  const unit = minorUnit.known ?? minorUnit.largest;
  const { min, max } = valuesOf(terms.operatorShare, operator);
  // Half up, or down where up would pass a cap.
  const lowest = contribution - unit / 2n;
  const highest = contribution + unit - 1n;
  const value = lowest > min ? lowest : min;
  const exists = value <= highest && (max === null || value <= max);
  expectThat('money', exists, 'player and operator do not share the contribution as the rules say');
  const limit = terms.limitOf(wager);
  const wanted = terms.percentageOf(wager);
  const cap = limit === null || wanted === null ? (limit ?? wanted) : smallest(limit, wanted);
  expectThat('money', cap === null || value <= cap, 'a contribution is above what the rules take');
  // A limit of the player's bet, which is not public, may lower what the player has a part in.
  const isExact = wanted !== null && terms.operatorShare.over === terms.operatorShare.under;
  if (isExact) expectSame('money', 'a contribution by percentage', contribution, cap!);
}

/** All v with floor(v·o) = operator. */
function valuesOf({ over, under }: Ratio, operator: bigint) {
  if (over === 0n) return { min: 0n, max: null };
  const ceiling = (amount: bigint) => (amount * under + over - 1n) / over;
  return { min: ceiling(operator), max: ceiling(operator + 1n) - 1n };
}
