import { picks } from './community.ts';
import { type Accepted, breaks } from './contribute.ts';
import type { OracleInstance } from './instance.ts';
import { hex, streamFor } from './jpd1.ts';
import type { OracleLane } from './lane.ts';
import { sourceName } from './names.ts';
import { amount, part, ratio } from './numbers.ts';
import type { Player } from './players.ts';
import type { Json } from './rules.ts';
import { openCredits } from './settle.ts';
import { move, suspendInstance } from './status.ts';
import { announce, announcePrizes } from './told.ts';
import { credit, type OracleCredit, reseed } from './win.ts';

const unitsMs: Readonly<Record<string, number>> = {
  Seconds: 1000,
  Minutes: 60_000,
  Hours: 3_600_000,
  Days: 86_400_000,
  Weeks: 604_800_000,
};

interface Round {
  readonly number: number;
  readonly rules: Json;
  readonly start: number;
  readonly end: number;
  readonly isLast: boolean;
}

interface Range {
  readonly player: Player;
  readonly first: number;
  readonly count: number;
}

/** The rounds of one raffle (section 8). */
export class OracleRaffle {
  round: Round | null = null;
  /** What the round at hand has still to do. */
  phase: 'Open' | 'Ending' | 'Over' = 'Open';
  ranges: Range[] = [];
  /** Per player of the round: carry towards the next ticket, tickets. */
  holdings = new Map<Player, { cost: bigint; tickets: number }>();
  step = 0;
  requested = 0;
  wasPaused = false;

  get tickets(): number {
    return [...this.holdings.values()].reduce((sum, each) => sum + each.tickets, 0);
  }

  begin(instance: OracleInstance, fromMs: number, nowMs: number): void {
    const rules = instance.document.raffle_rules;
    const times = timesOf(rules.duration, fromMs, nowMs, instance.endMs);
    this.round = { number: (this.round?.number ?? 0) + 1, rules, ...times };
    this.phase = 'Open';
    this.ranges = [];
    this.holdings = new Map();
  }

  isOver(nowMs: number): boolean {
    return this.round !== null && (nowMs >= this.round.end || this.phase === 'Ending');
  }

  /** Step 12: acc += cost, k = floor(acc / cost_per_ticket), acc −= k·cost. */
  award(lane: OracleLane, player: Player, { c, wager }: Accepted): number {
    if (this.round === null) return 0;
    const { cost_per_ticket, cost_source, allocation_mode } = this.round.rules;
    const price = amount(cost_per_ticket);
    const before = this.holdings.get(player) ?? { cost: 0n, tickets: 0 };
    const cost = before.cost + (cost_source === 'BaseWager' ? wager : c);
    const count = Number(cost / price);
    this.holdings.set(player, { cost: cost % price, tickets: before.tickets + count });
    if (allocation_mode === 'Deferred' || count === 0) return 0;
    this.give(lane, player, count);
    return count;
  }

  give(lane: OracleLane, player: Player, count: number): void {
    const first = this.ranges.reduce((sum, each) => sum + each.count, 1);
    this.ranges.push({ player, first, count });
    lane.awarded.push([player.brand, player.name, first, count]);
    announce(lane, 'tickets');
  }
}

export function endRound(lane: OracleLane, instance: OracleInstance, raffle: OracleRaffle): void {
  raffle.wasPaused = instance.status === 'Paused';
  raffle.phase = 'Ending';
  raffle.requested = 1;
  move(lane, instance, 'Resolving');
}

/** What the steps asked for in the message at hand do when it ends. */
export function workOnRound(lane: OracleLane, instance: OracleInstance, raffle: OracleRaffle): void {
  if (raffle.requested === 0) return;
  raffle.step += raffle.requested;
  raffle.requested = 0;
  const waits = [...lane.debits.values()].some((debit) => debit.instance === instance);
  if (instance.status !== 'Resolving' || waits || raffle.phase !== 'Ending') return;
  const round = raffle.round!;
  if (round.rules.allocation_mode === 'Deferred' && raffle.ranges.length === 0) {
    for (const player of lane.players.contributors(instance.id)) {
      const tickets = raffle.holdings.get(player)?.tickets ?? 0;
      if (tickets > 0) raffle.give(lane, player, tickets);
    }
  }
  const before = structuredClone(instance);
  const paid = settleRound(lane, instance, raffle, round);
  if (breaks(instance)) {
    Object.assign(instance, before);
    suspendInstance(lane, instance);
    return;
  }
  lane.ownMessage(instance, paid.detail);
  const of = { source: sourceName(instance, ''), round: '' };
  openCredits(lane, instance, 'raffle', instance.pots[0]!.id, paid.cycle, paid.credits, of);
  if (paid.winners.length > 0) {
    instance.counter += 1;
    announcePrizes(lane, paid.winners);
  }
  if (round.isLast || !instance.pots[0]!.enabled) {
    raffle.phase = 'Over';
    return;
  }
  raffle.begin(instance, round.end, lane.nowMs);
  move(lane, instance, 'Active');
  if (raffle.wasPaused) move(lane, instance, 'Paused');
  raffle.wasPaused = false;
}

function settleRound(
  lane: OracleLane,
  instance: OracleInstance,
  raffle: OracleRaffle,
  round: Round,
): {
  readonly detail: Json;
  readonly credits: readonly OracleCredit[];
  readonly cycle: number;
  readonly winners: readonly Player[];
} {
  const pot = instance.pots[0]!;
  const { cycle } = pot;
  const value = pot.accounts.current;
  const sequence = instance.sequence + 1;
  const most = instance.document.max_instantiation_count ?? null;
  const { tickets } = raffle;
  const isLast = round.isLast || (tickets > 0 && most !== null && cycle >= most);
  const tiers = (round.rules.prize_distribution as Json[]).flatMap((prize, tier) =>
    Array.from({ length: prize.number_of_winners }, () => tier),
  );
  const count = Math.min(tiers.length, tickets);
  const stream = streamFor(instance, 3, sequence, []);
  const drawn = picks(tickets, count, (m) => stream.uniform(m)).map((place) => place + 1);
  const unit = lane.rates.minorUnit('', instance.document.currency);
  const floored = (atoms: bigint) => (atoms / unit) * unit;
  const plain = drawn.map((_, i) => {
    const prize = round.rules.prize_distribution[tiers[i]!];
    const { n, d } = ratio(prize.prize_percentage);
    return floored(part(value, { n, d: d * BigInt(prize.number_of_winners) }));
  });
  const total = plain.reduce((a, b) => a + b, 0n);
  const spread = isLast && total > 0n;
  const amounts = plain.map((each) => (spread ? each + floored(((value - total) * each) / total) : each));
  const paid = amounts.reduce((a, b) => a + b, 0n);
  const prizes = drawn.map((ticket, i) => {
    const range = raffle.ranges.find(({ first, count: size }) => ticket >= first && ticket < first + size)!;
    return { tier: tiers[i]!, ticket, range, atoms: amounts[i]! };
  });
  const totals = new Map<Player, bigint>();
  for (const { range, atoms } of prizes) totals.set(range.player, (totals.get(range.player) ?? 0n) + atoms);
  const credits = [...totals]
    .filter(([, atoms]) => atoms > 0n)
    .map(([player, atoms]) =>
      credit(lane, instance, player.brand, player.name, player.currency!, atoms, undefined),
    );
  const anyDrawn = drawn.length > 0;
  if (anyDrawn) {
    pot.accounts.carry += value - paid;
    pot.accounts.current = 0n;
  }
  if (isLast) pot.enabled = false;
  const reseeded = anyDrawn && !isLast ? reseed(instance, pot, lane.nowMs) : null;
  const detail = {
    type: 'round',
    seq: sequence,
    pot: pot.id,
    instance_count: cycle,
    round: round.number,
    start: round.start,
    end: round.end,
    last: isLast,
    rules: round.rules,
    tickets,
    value: String(value),
    prizes: prizes.map(({ tier, ticket, range, atoms }) => ({
      tier,
      ticket,
      range_first: range.first,
      range_count: range.count,
      winner: hex(lane.pseudonym(range.player.brand, range.player.name)),
      amount: String(atoms),
    })),
    paid: credits.map((each) => ({
      winner: hex(lane.pseudonym(each.brand, each.name)),
      amount: String(each.atoms),
      player_paid_back: each.waits ? null : String(each.back),
      withheld: each.withheld,
    })),
    carry: String(value - paid),
    reseed: reseeded,
  };
  return { detail, credits, cycle, winners: prizes.map(({ range }) => range.player) };
}

/** The round that begins where the last one ended, or the one of those behind it that is under way. */
function timesOf(
  duration: Json,
  fromMs: number,
  nowMs: number,
  endMs: number | null,
): { readonly start: number; readonly end: number; readonly isLast: boolean } {
  const [unit, value] = Object.entries(duration)[0] as [string, Json];
  let [start, end, isLast] = [fromMs, fromMs, false];
  if (unit === 'Scheduled') {
    const ends = value.timestamps_end as readonly number[];
    for (const each of ends) if (each > fromMs && each <= nowMs) start = each;
    const ahead = ends.filter((each) => each > Math.max(fromMs, nowMs));
    end = ahead[0] ?? endMs ?? start;
    isLast = ahead.length <= 1 && (endMs === null || endMs <= end);
  } else {
    const length = value * unitsMs[unit]!;
    while (start + length <= nowMs) start += length;
    end = start + length;
  }
  if (endMs === null || end < endMs) return { start, end, isLast };
  return { start: Math.min(start, endMs), end: endMs, isLast: true };
}
