import {
  addFractions,
  compareFractions,
  type Fraction,
  one,
  parseFraction,
  shareDecimals,
  subtractFractions,
  zero,
} from '../../lib/fraction.ts';
import { items, type Members, members } from '../../lib/unknown-json.ts';
import { shareText } from './shares.ts';

/**
 * What a configuration returns to players of each unit that is contributed, in the long run: what the pots,
 * or one of them, take behind the house, without the operator's fees. null: parts of it are fixed amounts,
 * whose share depends on what is contributed, or there is no configuration.
 */
export function configuredReturn(configuration: unknown, pot: string | null): string | null {
  if (configuration === undefined) return null;
  const { house_pot, pots } = members(configuration);
  const house = shareOf(members(house_pot).contribution_type);
  if (house === null) return null;
  let left = subtractFractions(one, lesser(house, one));
  let returned = zero;
  for (const each of items(pots).map(members)) {
    const share = shareOf(each.contribution);
    if (share === null) return null;
    const taken = lesser(share, left);
    left = subtractFractions(left, taken);
    if (pot === null || pot === each.id) returned = addFractions(returned, withoutFee(taken, each));
  }
  return shareText(returned.scaled, returned.scale);
}

function withoutFee(share: Fraction, pot: Members): Fraction {
  const fee = parseFraction(members(pot.payout_ruleset).admin_fee ?? '0', shareDecimals) ?? zero;
  const kept = subtractFractions(one, fee);
  return { scaled: share.scaled * kept.scaled, scale: share.scale * kept.scale };
}

/** null: a fixed amount. */
function shareOf(part: unknown): Fraction | null {
  const { Percentage: share, Fixed: amount } = members(part);
  if (share !== undefined) return parseFraction(share, shareDecimals);
  return parseFraction(amount ?? '0', shareDecimals)?.scaled === 0n ? zero : null;
}

function lesser(left: Fraction, right: Fraction): Fraction {
  return compareFractions(left, right) <= 0 ? left : right;
}
