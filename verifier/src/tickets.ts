import { toHex } from './bytes.ts';
import { atomsOf } from './decimal.ts';
import { expectSame, expectThat } from './disagreement.ts';
import type { PublicRecord } from './document.ts';
import type { Header, OpeningRound } from './header.ts';
import type { Players } from './players.ts';
import { fitsDuration, type RoundTimes } from './round-times.ts';
import type { Members } from './shape.ts';

/** Tickets that a player was given together. */
export interface TicketRange {
  readonly first: number;
  readonly count: number;
  /** Of the player's pseudonym. */
  readonly holder: string;
}

/** A round that is over, as its record says. */
export interface EndedRound {
  readonly number: number;
  readonly tickets: number;
  readonly times: RoundTimes;
  /** Of its record. */
  readonly timestampMs: number;
  readonly isOver: boolean;
}

interface Holding {
  cost: bigint;
  tickets: number;
}

/**
 * The tickets of a raffle's running round, given again. They are known where the round was followed from its first
 * contribution on; else only what the file says of them can be compared with itself.
 */
export class Tickets {
  /** Of the running round; 0: no raffle, or not known. */
  round = 0;
  /** Number of the last round seen to end; null: no round was. */
  settled: number | null = null;
  /** Tickets of that round, and when it ended. */
  settledTickets = 0;
  /** When that round ran; null if no round was seen. */
  ended: RoundTimes | null = null;
  /** Where the running round's times were named, they are these. */
  times: RoundTimes | null = null;
  #sinceMs = 0;
  /** Of the running round: its first contribution, and the last one that has not waited for a payment. */
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = -1;
  /** No other round follows the one that was seen to end. */
  isOver = false;
  #rules: Members | null = null;
  #count = 0;
  #ranges: TicketRange[] = [];
  #holdings = new Map<string, Holding>();

  /** null: the round began before anything was followed. */
  get rules(): Members | null {
    return this.#rules;
  }

  get count(): number {
    return this.#count;
  }

  /** An epoch begins. A round that has begun since the last one ended goes by the rules that were in force then. */
  openEpoch(header: Header, rules: Members): void {
    if (header.raffle === null) return;
    const { round } = header.raffle;
    const isFirst = header.epoch === 0;
    if (!isFirst) this.#checkContinues(header.raffle);
    if (isFirst) this.begin(round, rules);
    else if (this.settled === null) this.round = round;
    else if (this.settled === round) this.begin(round + 1, rules);
    if (this.round === round) this.#name(header.raffle);
  }

  /**
   * Continues from the followed epochs. The drawn round is named while its winners are announced, and if no other round
   * follows.
   */
  #checkContinues(named: OpeningRound): void {
    const { round, tickets } = named;
    if (this.settled === null && this.#rules === null) return;
    const isAnnounced = this.settledTickets > 0 && this.#count === 0 && round === this.settled;
    const isSettled = this.isOver || isAnnounced;
    expectSame('opening', 'the round of the raffle', round, isSettled ? this.settled! : this.round);
    expectSame('opening', 'its tickets', tickets, isSettled ? this.settledTickets : this.#count);
    if (!isSettled) return;
    // The last cycle makes a round the last one when it ends.
    const isSame = named.start === this.ended!.start && named.end === this.ended!.end;
    expectThat(
      'opening',
      isSame && (this.ended!.last || !named.last),
      'the round that ended had other times',
    );
  }

  /** A round ends; the next one's tickets begin at 1. */
  endRound(ended: EndedRound, rules: Members): void {
    const { number } = ended;
    this.settled = number;
    this.settledTickets = ended.tickets;
    this.ended = ended.times;
    this.#sinceMs = ended.timestampMs;
    this.isOver = ended.isOver;
    this.begin(number + 1, rules);
  }

  /** A round that begins behind one that was seen to end: whether it may run at these times. */
  mayRun(times: RoundTimes): boolean {
    if (this.ended === null || this.#rules === null) return true;
    return fitsDuration(this.#rules, { fromMs: this.ended.end, sinceMs: this.#sinceMs }, times);
  }

  /** Contributions lie in the time of the round; after its end only those that waited for a payment. */
  mayHaveTaken({ start, end }: RoundTimes): boolean {
    return this.#firstMs >= start && this.#lastMs < end;
  }

  /** A header names the running round: its times are fixed. */
  #name({ start, end, last }: OpeningRound): void {
    const named = { start, end, last };
    if (this.times === null)
      expectThat('opening', this.mayRun(named), 'the round of the raffle does not run as its rules say');
    else expectSame('opening', 'the times of the round', timesText(named), timesText(this.times));
    const isInside = this.mayHaveTaken(named);
    expectThat('opening', isInside, 'the round of the raffle took a contribution outside of its time');
    this.times = named;
  }

  begin(round: number, rules: Members): void {
    this.round = round;
    this.times = null;
    this.#rules = rules;
    this.#count = 0;
    this.#ranges = [];
    this.#holdings.clear();
    this.#firstMs = Number.POSITIVE_INFINITY;
    this.#lastMs = -1;
  }

  /** acc += cost, k = floor(acc / cost of a ticket), acc −= k · cost of a ticket, and the next k numbers. */
  award(pseudonym: Uint8Array, record: PublicRecord): void {
    if (this.round === 0) return;
    this.#noteTime(record);
    if (this.#rules === null) return;
    const { contribution, wager } = record;
    const price = atomsOf(this.#rules.cost_per_ticket) ?? 0n;
    if (price <= 0n) return;
    const holder = toHex(pseudonym);
    const holding = this.#holdings.get(holder) ?? { cost: 0n, tickets: 0 };
    const cost = holding.cost + (this.#rules.cost_source === 'BaseWager' ? wager : contribution);
    const count = Number(cost / price);
    holding.cost = cost % price;
    holding.tickets += count;
    this.#holdings.set(holder, holding);
    if (count > 0 && this.#rules.allocation_mode !== 'Deferred')
      this.#ranges.push({ first: this.#count + 1, count, holder });
    this.#count += count;
  }

  /**
   * Only a player who pays a part waits for a payment; a small part in another currency may be zero in that of the
   * instance.
   */
  #noteTime({ converted, player, timestampMs }: PublicRecord): void {
    this.#firstMs = Math.min(this.#firstMs, timestampMs);
    if (player === 0n && !converted) this.#lastMs = timestampMs;
    const isDue = this.#rules !== null && this.times !== null && !this.mayHaveTaken(this.times);
    expectThat('wins', !isDue, 'a round that is over was not drawn');
  }

  /** Deferred tickets get their numbers at the end, by player ordinal. */
  numberDeferred(players: Players): void {
    if (this.#rules?.allocation_mode !== 'Deferred') return;
    let first = 1;
    for (const { pseudonym } of players.inOrder()) {
      const holder = toHex(pseudonym);
      const count = this.#holdings.get(holder)?.tickets ?? 0;
      if (count > 0) this.#ranges.push({ first, count, holder });
      first += count;
    }
  }

  copy(): Tickets {
    const copy = new Tickets();
    copy.round = this.round;
    copy.settled = this.settled;
    copy.settledTickets = this.settledTickets;
    copy.ended = this.ended;
    copy.times = this.times;
    copy.#sinceMs = this.#sinceMs;
    copy.#firstMs = this.#firstMs;
    copy.#lastMs = this.#lastMs;
    copy.isOver = this.isOver;
    copy.#rules = this.#rules;
    copy.#count = this.#count;
    copy.#ranges = [...this.#ranges];
    copy.#holdings = new Map([...this.#holdings].map(([holder, holding]) => [holder, { ...holding }]));
    return copy;
  }

  rangeOf(ticket: number): TicketRange | undefined {
    let low = 0;
    let high = this.#ranges.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#ranges[middle]!.first <= ticket) low = middle;
      else high = middle - 1;
    }
    return this.#ranges[low];
  }
}

function timesText({ end, last, start }: RoundTimes): string {
  return `${start} to ${end}${last ? ', the last' : ''}`;
}
