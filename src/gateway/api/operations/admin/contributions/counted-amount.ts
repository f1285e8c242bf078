import type { RateTableEntry } from '../../../../../contracts/directory/directory.ts';
import { readAmount } from '../../../../../contracts/fields/amount.ts';
import type { KnownInstance } from '../../../../../directory/lane-view.ts';
import {
  type Fraction,
  multiplierDecimals,
  one,
  parseFraction,
  shareDecimals,
} from '../../../../../lib/fraction.ts';
import { greaterOf } from '../../../../../lib/money.ts';
import { items, members } from '../../../../../lib/unknown-json.ts';
import type { ContributionMoney } from '../../../contribution/draft.ts';
import type { ContributionRequest } from '../../../contribution/request.ts';
import type { GatewayContext } from '../../../operation/operation.ts';

type Money = Extract<ContributionMoney, { readonly ok: true }>;

/**
 * What a contribution on a player's behalf counts at most, in the jackpot's currency: its base wager or what
 * it contributes, whichever is more, rounded up. null: a rate is missing.
 */
export async function countedAtoms(
  context: GatewayContext,
  { currency, player }: Pick<ContributionRequest, 'currency' | 'player'>,
  { baseWagerAtoms, bonus }: Money,
  brand: string,
  known: KnownInstance,
): Promise<bigint | null> {
  const rates = context.directory.rates(brand);
  const own = known.configuration.currency;
  const rules = members(members(known.description.configuration).contribution_rules);
  const { Fixed: fixed, Percentage: percentage } = members(rules.contribution_type);
  const wager = converted(baseWagerAtoms, currency, own, rates);
  if (wager === null) return null;
  const share = parseFraction(percentage, shareDecimals);
  const values: (bigint | null)[] = [wager, share === null ? 0n : ceilMultiply(wager, share)];
  if (bonus !== null) values.push(converted(bonus.amountAtoms, bonus.currency, own, rates));
  if (fixed !== undefined) {
    const alternative = items(rules.contribution_values_alt)
      .map(members)
      .find((each) => each.currency === currency);
    values.push(
      alternative === undefined
        ? atomsOf(fixed)
        : converted(atomsOf(alternative.value), currency, own, rates),
    );
    for (const [named, atoms] of await preferences(context, known, brand, player))
      values.push(converted(atoms, named, own, rates));
  }
  return values.includes(null) ? null : (values as bigint[]).reduce(greaterOf);
}

/** What the player has stated as the value of a contribution, by currency. */
async function preferences(
  { lanes }: GatewayContext,
  { lane, description: { instance } }: KnownInstance,
  brand: string,
  player: string,
): Promise<readonly (readonly [currency: string, atoms: bigint])[]> {
  const answer = await lanes.query(lane, { kind: 'opt_in_status', instance, brand, player });
  return answer.kind === 'opt_in_status' ? answer.status.preferences : [];
}

/** x·m[to]/m[from], rounded up. */
function converted(
  atoms: bigint,
  from: string,
  to: string,
  rates: RateTableEntry | undefined,
): bigint | null {
  if (from === to) return atoms;
  const [source, target] = [multiplierOf(from, rates), multiplierOf(to, rates)];
  if (source === null || target === null || source.scaled === 0n) return null;
  return ceilMultiply(atoms, {
    scaled: target.scaled * source.scale,
    scale: target.scale * source.scaled,
  });
}

function multiplierOf(currency: string, rates: RateTableEntry | undefined): Fraction | null {
  if (currency === rates?.base_currency) return one;
  return parseFraction(rates?.multipliers[currency], multiplierDecimals);
}

function ceilMultiply(atoms: bigint, { scaled, scale }: Fraction): bigint {
  return (atoms * scaled + scale - 1n) / scale;
}

/** Amounts in normal form. */
function atomsOf(text: unknown): bigint {
  const read = readAmount(String(text));
  return read.ok ? read.atoms : 0n;
}
