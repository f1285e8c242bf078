import type { DrawGroup } from '../jackpot/state/lane/recorder.ts';
import { atomsPerUnit, greaterOf } from '../lib/money.ts';
import type { LaneEvent } from '../messages/events.ts';
import { DrawStatistics } from './draw-statistics.ts';
import type { LaneListener } from './virtual-lane.ts';

/** One payout of a pot, community shares or all prizes of a round included. */
export interface Drop {
  /** In units. */
  value: number;
  readonly atMs: number;
  /** Contributions accepted before it. */
  readonly atContribution: number;
}

export interface PotCollection {
  readonly drops: Drop[];
  dropCount: number;
  paidAtoms: bigint;
  /** What the last drop paid, and the largest. */
  lastAtoms: bigint;
  largestAtoms: bigint;
  reseeds: number;
  shortReseeds: number;
  frontedAtoms: bigint;
  maxFronted: number;
}

/** Drops that are kept one by one; behind them only sums go on. */
const maxDrops = 500_000;

/** Gathers what the engine tells. */
export class Collector implements LaneListener {
  readonly draws: DrawStatistics;
  readonly pots: readonly PotCollection[];
  accepted = 0;
  /** Reseeds to which the operator had to put something. */
  fronts = 0;
  readonly #ids: readonly string[];
  /** Raffle rounds are told in several events under one sequence number. */
  #lastRound = -1;

  constructor(ids: readonly string[]) {
    this.#ids = ids;
    this.draws = new DrawStatistics(ids.length);
    this.pots = ids.map(() => ({
      drops: [],
      dropCount: 0,
      paidAtoms: 0n,
      lastAtoms: 0n,
      largestAtoms: 0n,
      reseeds: 0,
      shortReseeds: 0,
      frontedAtoms: 0n,
      maxFronted: 0,
    }));
  }

  group(group: DrawGroup): void {
    this.draws.add(group);
  }

  events(events: readonly LaneEvent[], atMs: number): void {
    for (const event of events) {
      if (event.kind === 'Won') {
        const shared = event.community.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);
        this.#drop(event.pot, event.winner.amountAtoms + shared, atMs, true);
        this.#reseed(event.pot, event.seedDeficitAtoms);
      } else if (event.kind === 'RaffleWon') {
        const paid = event.winners.reduce((sum, { amountAtoms }) => sum + amountAtoms, 0n);
        const isNew = event.sequence !== this.#lastRound;
        this.#lastRound = event.sequence;
        this.#drop(event.pot, paid, atMs, isNew);
        if (isNew) this.#reseed(event.pot, event.seedDeficitAtoms);
      }
    }
  }

  #drop(pot: string, atoms: bigint, atMs: number, isNew: boolean): void {
    const collection = this.#of(pot);
    collection.paidAtoms += atoms;
    collection.lastAtoms = isNew ? atoms : collection.lastAtoms + atoms;
    collection.largestAtoms = greaterOf(collection.largestAtoms, collection.lastAtoms);
    const last = collection.drops.at(-1);
    if (!isNew) {
      if (last !== undefined) last.value += units(atoms);
      return;
    }
    collection.dropCount += 1;
    if (collection.drops.length < maxDrops)
      collection.drops.push({ value: units(atoms), atMs, atContribution: this.accepted });
  }

  #reseed(pot: string, frontedAtoms: bigint): void {
    const collection = this.#of(pot);
    collection.reseeds += 1;
    if (frontedAtoms === 0n) return;
    this.fronts += 1;
    collection.shortReseeds += 1;
    collection.frontedAtoms += frontedAtoms;
    collection.maxFronted = Math.max(collection.maxFronted, units(frontedAtoms));
  }

  #of(pot: string): PotCollection {
    return this.pots[this.#ids.indexOf(pot)]!;
  }
}

/** For statistics only: money itself stays in atoms. */
export function units(atoms: bigint): number {
  return Number(atoms / atomsPerUnit) + Number(atoms % atomsPerUnit) / Number(atomsPerUnit);
}
