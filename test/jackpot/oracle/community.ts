import type { PayoutRuleKind } from '../../../src/messages/kinds.ts';
import type { OracleInstance, OraclePot } from './instance.ts';
import { streamFor } from './jpd1.ts';
import { part, ratio } from './numbers.ts';
import type { Player } from './players.ts';
import type { Json } from './rules.ts';

export interface CommunityShare {
  readonly player: Player;
  /** Whole minor units of the instance's currency; what is left of the rule's amount joins the main win. */
  readonly atoms: bigint;
}

export interface CommunityRule {
  readonly kind: string;
  readonly amount: bigint;
  readonly candidates: readonly Player[];
  /** Places among the candidates, in the order they were picked. */
  readonly picked: readonly number[];
  readonly each: bigint;
}

export interface Community {
  readonly rules: readonly CommunityRule[];
  readonly shares: readonly CommunityShare[];
  /** What joins the main win before its flooring. */
  readonly rest: bigint;
}

/** What a player is ranked by. */
const ranked: Readonly<
  Record<Exclude<PayoutRuleKind, 'ActivePlayers'>, (player: Player, pot: OraclePot) => bigint>
> = {
  HighestContributors: cycleShare,
  HighestLifetimeContributors: (player, pot) => player.pots.get(pot.id)?.[1] ?? 0n,
};

/** Section 6: who shares a pot's win besides the winner, drawn where the rule draws. */
export function communityOf(
  instance: OracleInstance,
  pot: OraclePot,
  contributors: readonly Player[],
  winner: Player | undefined,
  sequence: number,
  nowMs: number,
  floored: (atoms: bigint) => bigint,
): Community {
  const payouts = (pot.document.payout_ruleset?.payout_rules ?? []) as Json[];
  const value = pot.accounts.current;
  const stream = streamFor(instance, 2, sequence, []);
  let rest = 0n;
  const shares: CommunityShare[] = [];
  const rules = payouts.map((payout) => {
    const [kind, parameters] = Object.entries(payout.rule)[0] as [PayoutRuleKind, Json];
    const total = part(value, ratio(payout.payout_percentage));
    const max = parameters.max_number_of_payouts as number;
    let candidates: Player[] = [];
    let picked: number[] = [];
    if (kind === 'ActivePlayers') {
      const from = nowMs - parameters.period_before_win;
      candidates = contributors.filter((each) => each !== winner && each.lastMs > from);
      picked = picks(candidates.length, max, (m) => stream.uniform(m));
    } else {
      const of = (each: Player) => ranked[kind](each, pot);
      candidates = contributors.filter((each) => of(each) > 0n);
      const places = candidates.map((_, i) => i);
      places.sort((a, b) => compare(of(candidates[b]!), of(candidates[a]!)) || a - b);
      picked = places.slice(0, max);
    }
    const each = picked.length === 0 ? 0n : floored(total / BigInt(picked.length));
    rest += total - each * BigInt(picked.length);
    if (each > 0n) for (const place of picked) shares.push({ player: candidates[place]!, atoms: each });
    return { kind, amount: total, candidates, picked, each };
  });
  return { rules, shares, rest };
}

/** Partial Fisher–Yates over `count` places, of which only those that were swapped are written down. */
export function picks(count: number, max: number, uniform: (m: bigint) => bigint): number[] {
  const swapped = new Map<number, number>();
  const at = (place: number) => swapped.get(place) ?? place;
  const picked: number[] = [];
  for (let i = 0; i < Math.min(max, count); i++) {
    const j = i + Number(uniform(BigInt(count - i)));
    picked.push(at(j));
    swapped.set(j, at(i));
  }
  return picked;
}

function cycleShare(player: Player, pot: OraclePot): bigint {
  const found = player.cycles.get(pot.id);
  return found?.cycle === pot.cycle ? found.value : 0n;
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
