import { Reader, readKind } from '../../../lib/document-reader.ts';
import { addFractions, compareFractions, one, zero } from '../../../lib/fraction.ts';
import type { PayoutRule, PayoutShare, PotConfiguration } from '../../state/configuration/configuration.ts';
import { payoutRules } from '../kinds/payout-rules/index.ts';

/** Players paid beside the main winner, over all rules of a pot. */
const maxPayouts = 1000;

/** `payout_ruleset` (docs/rules/wins-and-reseeding.md "Payout"). Default: everything to the main winner. */
export function readPayout(
  payout: Reader,
): Pick<PotConfiguration, 'mainWinnerPercentage' | 'adminFee' | 'payouts'> {
  const mainWinnerPercentage = payout.fraction('main_winner_percentage', one);
  const adminFee = payout.fraction('admin_fee', zero);
  const payouts = payout.list('payout_rules').flatMap((entry, index) => readRule(payout, entry, index) ?? []);
  const total = payouts.reduce(
    (sum, each) => addFractions(sum, each.percentage),
    addFractions(mainWinnerPercentage, adminFee),
  );
  if (compareFractions(total, one) > 0) {
    payout.fault('', 'gives away more than 1: main_winner_percentage, admin_fee and payout_rules together');
  }
  const paid = payouts.reduce((sum, each) => sum + each.rule.maxPayouts, 0);
  if (paid > maxPayouts) {
    payout.fault('payout_rules', `must not pay more than ${maxPayouts} players a win`);
  }
  return { mainWinnerPercentage, adminFee, payouts };
}

function readRule(payout: Reader, entry: unknown, index: number): PayoutShare | null {
  const place = `payout_rules[${index}]`;
  const item = new Reader(entry, payout.at(place), payout.faults);
  if (!item.has('payout_percentage')) item.fault('payout_percentage', 'is missing');
  const percentage = item.fraction('payout_percentage', zero);
  const found = readKind(item, item.raw('rule'), 'rule', payoutRules);
  if (found === null) return null;
  const parameters = new Reader(found.parameters, item.at(`rule.${found.name}`), item.faults);
  const rule: PayoutRule = found.kind.read(parameters);
  return { percentage, rule };
}
