import type { Books } from './books.ts';
import { fromHex } from './bytes.ts';
import { canonical } from './canonical.ts';
import { checkCredit } from './credit.ts';
import { floorTo, type MinorUnit } from './currencies.ts';
import { type Ratio, ratioOf } from './decimal.ts';
import { Disagreement, expectSame, expectThat } from './disagreement.ts';
import type { OpeningRound } from './header.ts';
import { pick, type Stream } from './key-stream.ts';
import type { Players } from './players.ts';
import { fitsDuration, type RoundTimes } from './round-times.ts';
import { atomsAt, bytesAt, countAt, flagAt, listAt, type Members, objectAt } from './shape.ts';
import type { Tickets } from './tickets.ts';
import { isLastCycle, openNextCycle } from './win.ts';

/** More than the rules allow; a file that says more is not followed. */
const maxWinners = 100_000;

const roundNames = [
  'type',
  'seq',
  'pot',
  'instance_count',
  'round',
  'start',
  'end',
  'last',
  'rules',
  'tickets',
  'value',
  'prizes',
  'paid',
  'carry',
  'reseed',
];

export interface RoundFacts {
  readonly sequence: number;
  readonly timestampMs: number;
  readonly tickets: Tickets;
  /** null: not all of them are known. */
  readonly players: Players | null;
  /** The round that the epoch's header names. */
  readonly opening: OpeningRound | null;
  /** The raffle_rules that the header names: of rounds that begin in this epoch. */
  readonly rules: Members;
  readonly minorUnit: MinorUnit;
  /** The keystream of purpose 3. */
  readonly stream: () => Stream;
}

interface Prize {
  readonly tier: number;
  readonly winner: string;
  readonly amount: bigint;
}

/**
 * Recomputes the end of a raffle round: draws its tickets and pays its prizes (docs/jpd1.md "10. Raffles"). Returns the
 * payments.
 */
export function recomputeRoundEnd(books: Books, detail: Members, facts: RoundFacts): bigint {
  const round = objectAt(detail, `the round of ${facts.sequence}`, roundNames);
  const [pot] = books.pots;
  expectThat('wins', books.rules.isRaffle && pot !== undefined, 'a round ends, but it is no raffle');
  const same = (name: string, computed: string | number) =>
    expectSame('wins', `${name} of the round`, round[name] as string | number, computed);
  same('seq', facts.sequence);
  same('pot', pot!.id);
  same('instance_count', pot!.cycle);
  same('value', pot!.current.toString());
  const tickets = checkTickets(round, facts);
  const endsCycles = tickets > 0 && isLastCycle(books, pot!);
  checkTimes(round, { isOpen: pot!.enabled, isLastCycle: endsCycles }, facts);
  const isLast = round.last === true;
  if (endsCycles) expectThat('wins', isLast, 'the last cycle is over, the round is not the last');
  const prizes = checkPrizes(round, tickets, isLast, pot!.current, facts);
  const paid = prizes.reduce((sum, { amount }) => sum + amount, 0n);
  same('carry', (pot!.current - paid).toString());
  checkPaid(books, round, prizes, facts);
  books.paying += paid;
  pot!.current -= paid;
  if (prizes.length > 0) {
    pot!.carry += pot!.current;
    pot!.current = 0n;
    openNextCycle(books, pot!, facts.timestampMs, round.reseed, isLast);
  } else {
    expectThat('wins', round.reseed === null, 'a round without a ticket refills its pot');
    if (isLast) pot!.enabled = false;
  }
  facts.tickets.endRound(
    {
      number: round.round as number,
      tickets,
      times: { start: round.start as number, end: round.end as number, last: isLast },
      timestampMs: facts.timestampMs,
      isOver: isLast || !pot!.enabled,
    },
    facts.rules,
  );
  return paid;
}

/** `isLastCycle`: a ticket that is drawn now ends the pot's last cycle, and with it the rounds. */
function checkTimes(
  round: Members,
  pot: { readonly isOpen: boolean; readonly isLastCycle: boolean },
  facts: RoundFacts,
): void {
  const { opening, tickets, timestampMs } = facts;
  const number = countAt(round.round, 'round');
  const last = flagAt(round.last, 'last');
  const times = { start: countAt(round.start, 'start'), end: countAt(round.end, 'end'), last };
  const { end, start } = times;
  const known = tickets.rules !== null || tickets.settled !== null;
  if (known) expectSame('wins', 'number of the round', number, tickets.round);
  else {
    const first = opening?.round ?? 1;
    expectThat('wins', number === first || number === first + 1, 'the round is not the one that runs');
  }
  // A round whose pot was closed ends at once.
  const isDue = start <= timestampMs && end >= start && (end <= timestampMs || !pot.isOpen);
  expectThat('wins', isDue, 'the round ends at a wrong moment');
  expectThat('wins', tickets.mayHaveTaken(times), 'the round took a contribution outside of its time');
  const isNamed = tickets.times !== null && number === tickets.round;
  if (!isNamed) {
    const isRegular = known ? tickets.mayRun(times) : followsOpening(times, facts);
    expectThat('wins', isRegular, 'the round did not run as its rules say');
    return;
  }
  const named = tickets.times!;
  expectSame('wins', 'start of the round', start, named.start);
  expectSame('wins', 'end of the round', end, named.end);
  const isLast = named.last || pot.isLastCycle;
  expectSame('wins', 'last of the round', last, isLast);
}

/** The header's round had been drawn already; the one behind it has begun in this epoch. */
function followsOpening(times: RoundTimes, { opening, rules }: RoundFacts): boolean {
  if (opening === null) return true;
  return fitsDuration(rules, { fromMs: opening.end, sinceMs: opening.end }, times);
}

/** The rules of the round and its tickets; their number. */
function checkTickets(round: Members, { opening, players, tickets }: RoundFacts): number {
  const count = countAt(round.tickets, 'tickets');
  if (tickets.rules === null) {
    const isOpening = opening?.round === round.round;
    if (isOpening) expectThat('wins', count >= opening!.tickets, 'tickets were taken back');
    return count;
  }
  expectSame('wins', 'rules of the round', canonical(round.rules), canonical(tickets.rules));
  expectSame('wins', 'tickets of the round', count, tickets.count);
  if (players !== null) tickets.numberDeferred(players);
  return count;
}

function checkPrizes(
  round: Members,
  tickets: number,
  isLast: boolean,
  value: bigint,
  facts: RoundFacts,
): readonly Prize[] {
  const tiers = tiersOf(round.rules as Members);
  const winners = tiers.reduce((sum, tier) => sum + tier.winners, 0);
  expectThat('config', winners <= maxWinners, 'a round has more winners than there can be');
  const places = tiers.flatMap(({ winners }, tier) => Array.from({ length: winners }, () => tier));
  const count = Math.min(places.length, tickets);
  const records = listAt(round.prizes, 'prizes').map((prize, index) =>
    objectAt(prize, `prizes[${index}]`, ['tier', 'ticket', 'range_first', 'range_count', 'winner', 'amount']),
  );
  expectSame('wins', 'the number of prizes', records.length, count);
  if (count === 0) return [];
  const picked = pick(facts.stream(), tickets, count);
  const amounts = records.map((prize) => atomsAt(prize.amount, 'amount of a prize'));
  const unit = facts.minorUnit.settle((each) =>
    amountsOf(tiers, places.slice(0, count), value, isLast, each).every(
      (amount, index) => amount === amounts[index],
    ),
  );
  const computed = amountsOf(tiers, places.slice(0, count), value, isLast, unit);
  return records.map((prize, index) => {
    const same = (name: string, found: unknown, wanted: string | number | bigint) =>
      expectSame('wins', `${name} of prize ${index}`, found as string, wanted);
    same('tier', prize.tier, places[index]!);
    same('ticket', prize.ticket, picked[index]! + 1);
    same('amount', amounts[index], computed[index]!);
    const winner = checkHolder(prize, tickets, facts);
    return { tier: places[index]!, winner, amount: computed[index]! };
  });
}

/** Whose ticket it was: by the range that was given to its holder. */
function checkHolder(prize: Members, count: number, { players, tickets }: RoundFacts): string {
  bytesAt(prize.winner, 'winner of a prize', 16);
  const first = countAt(prize.range_first, 'range_first');
  const size = countAt(prize.range_count, 'range_count');
  const ticket = prize.ticket as number;
  const isInside = first >= 1 && first <= ticket && ticket < first + size && first + size - 1 <= count;
  expectThat('wins', isInside, `ticket ${ticket} is not in the range of its holder`);
  const isNumbered = tickets.rules?.allocation_mode !== 'Deferred' || players !== null;
  if (tickets.rules !== null && isNumbered) {
    const range = tickets.rangeOf(ticket);
    expectSame('wins', `range_first of ticket ${ticket}`, first, range?.first ?? null);
    expectSame('wins', `range_count of ticket ${ticket}`, size, range?.count ?? null);
    expectSame('wins', `holder of ticket ${ticket}`, prize.winner as string, range?.holder ?? null);
  }
  return prize.winner as string;
}

interface Tier {
  readonly share: Ratio;
  readonly winners: number;
}

function tiersOf(rules: Members): readonly Tier[] {
  try {
    return (rules.prize_distribution as readonly Members[]).map(
      ({ number_of_winners, prize_percentage }) => ({
        share: ratioOf(prize_percentage)!,
        winners: Number(number_of_winners),
      }),
    );
  } catch {
    throw new Disagreement('config', 'the prizes of the round cannot be read');
  }
}

/** Each tier pays floor(V·share/winners) in minor units; the last round also pays the rest, pro rata by prize. */
function amountsOf(
  tiers: readonly Tier[],
  places: readonly number[],
  value: bigint,
  isLast: boolean,
  unit: bigint,
): readonly bigint[] {
  const byTier = tiers.map(({ share, winners }) =>
    floorTo(unit, (value * share.over) / (share.under * BigInt(winners))),
  );
  const prizes = places.map((tier) => byTier[tier]!);
  const total = prizes.reduce((sum, prize) => sum + prize, 0n);
  if (!isLast || total === 0n) return prizes;
  const rest = value - total;
  return prizes.map((prize) => prize + floorTo(unit, (rest * prize) / total));
}

/** Each winner once, in the order of their first prizes, with all of them. */
function checkPaid(books: Books, round: Members, prizes: readonly Prize[], { players }: RoundFacts): void {
  const totals = new Map<string, bigint>();
  for (const { amount, winner } of prizes) totals.set(winner, (totals.get(winner) ?? 0n) + amount);
  const wanted = [...totals].filter(([, amount]) => amount > 0n);
  const paid = listAt(round.paid, 'paid');
  expectSame('wins', 'the number of winners paid', paid.length, wanted.length);
  wanted.forEach(([winner, amount], index) => {
    const credit = objectAt(paid[index], `paid[${index}]`, [
      'winner',
      'amount',
      'player_paid_back',
      'withheld',
    ]);
    expectSame('wins', 'a winner paid', credit.winner as string, winner);
    expectSame('wins', 'amount paid to a winner', credit.amount as string, amount.toString());
    const { player_paid_back, withheld } = credit;
    const isOwnCurrency = players?.isOwnCurrency(fromHex(winner)) === true;
    checkCredit(books, { amount, player_paid_back, withheld, isOwnCurrency });
  });
}
