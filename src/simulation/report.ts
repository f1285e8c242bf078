import type { Interval, Spread } from './statistics.ts';

/** Money is a decimal text, exact; figures about many drops are floats in units of the jackpot's currency. */
export interface SimulationReport {
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly type: string;
  readonly warnings: readonly string[];
  readonly choices: {
    readonly contributions: number;
    readonly seed: string;
    readonly stakes: string;
    readonly players: number;
    readonly contributionsPerSecond: number;
    readonly wagerCurrency: string;
    readonly rate: string | null;
  };
  readonly accepted: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Status of the jackpot at the end: it resolves by itself after its last cycle. */
  readonly status: string;
  readonly seconds: number;
  readonly money: {
    readonly wagered: string;
    readonly contributed: string;
    readonly byPlayers: string;
    readonly byOperator: string;
    readonly paidToPlayers: string;
    /** What pots hold at the end, with all that belongs to them. */
    readonly inPots: string;
    readonly fees: string;
  };
  /** Paid to players, of all contributions and of all wagers. */
  readonly rtp: { readonly ofContributions: number; readonly ofWagers: number };
  readonly pots: readonly PotReport[];
  readonly house: {
    readonly atEnd: string;
    readonly least: number;
    readonly most: number;
    readonly diverted: string;
  };
  readonly operator: OperatorReport;
  readonly series: Series;
}

export interface PotReport {
  readonly id: string;
  readonly triggers: readonly string[];
  /** Gross share of all contributions that fed it. */
  readonly contributed: string;
  readonly contributedShare: number;
  readonly paid: string;
  /** Paid by this pot, of all contributions: the pots' figures add up to the whole. */
  readonly rtp: number;
  readonly drops: number;
  readonly largestDrop: string;
  /** Hits that lost to another pot of the same contribution. */
  readonly voids: number;
  /** Contributions at which a constraint kept the pot from being drawn. */
  readonly blocked: number;
  readonly drawn: number;
  /**
   * What the odds let expect, drawn as often as it was; null for a raffle, which is not drawn by
   * contribution.
   */
  readonly expectedHits: number | null;
  /** Drops per accepted contribution, with Wilson's 95 % bounds. */
  readonly frequency: { readonly perContribution: number; readonly bounds: Interval };
  readonly valueAtDrop: Spread | null;
  readonly secondsBetweenDrops: Spread | null;
  readonly contributionsBetweenDrops: Spread | null;
  readonly reseeds: {
    readonly count: number;
    /** Reseeds to which the operator had to put something, and Wilson's bounds of that share. */
    readonly short: number;
    readonly shortShare: number;
    readonly bounds: Interval;
    readonly fronted: string;
    readonly largest: number;
  };
  readonly atEnd: { readonly current: string; readonly seed: string; readonly overflow: string };
  /** Every drop's value and waiting time, for plots; thinned out where there are very many. */
  readonly everyDrop: { readonly values: readonly number[]; readonly seconds: readonly number[] };
}

export interface OperatorReport {
  readonly contributions: string;
  readonly initialSeeds: string;
  readonly fronted: string;
  readonly repaid: string;
  /** What of the fronted money is still out, at the end and at worst. */
  readonly deficitAtEnd: string;
  readonly worstDeficit: string;
  /** Part of the contributions at which some deficit was open. */
  readonly deficitOpenShare: number;
  readonly fees: string;
  /** Everything the operator put in, less what came back and the fees. */
  readonly netCost: string;
}

/** Values at moments spread evenly over the simulation, in units. */
export interface Series {
  readonly contributions: readonly number[];
  readonly seconds: readonly number[];
  readonly house: readonly number[];
  readonly deficit: readonly number[];
  /** By pot, in the report's order. */
  readonly pots: readonly (readonly number[])[];
}
