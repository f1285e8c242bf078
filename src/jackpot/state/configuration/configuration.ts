import type { Document } from '../../../lib/document-reader.ts';
import type { Fraction } from '../../../lib/fraction.ts';
import type { PayoutRuleKind, WinConstraintKind } from '../../../messages/kinds.ts';
import type { Candidates, SharedWin } from '../players/candidates.ts';
import type { Keystream, Trigger } from './trigger.ts';

/** `{"Fixed": v}` or `{"Percentage": p}`: exactly one is not null. */
export interface Share {
  readonly fixedAtoms: bigint | null;
  readonly percentage: Fraction | null;
}

type Selector = 'Lowest' | 'Highest' | 'First';
type FundStrategy = 'CollectToMinReseed' | 'CollectAll' | 'HouseFunded';
type ReseedStrategy = 'Full' | 'Minimum' | 'Collected';

export interface Criteria {
  readonly minBaseWagerAtoms: bigint;
  readonly minContributionAtoms: bigint;
}

export interface MaximumContribution {
  /** In the instance currency; null: no cap but the wager's. */
  readonly valueAtoms: bigint | null;
  readonly alternatives: ReadonlyMap<string, bigint>;
  readonly includeBaseWager: boolean;
  readonly capByBaseWager: Fraction | null;
}

export interface ContributionRules {
  readonly optInRequired: boolean;
  readonly optInPerCurrency: boolean;
  readonly type: Share;
  readonly alternatives: ReadonlyMap<string, bigint>;
  readonly maximum: MaximumContribution | null;
  readonly operatorPercentage: Fraction;
  readonly criteria: Criteria;
  /** null: all brands. */
  readonly allowedBrands: readonly string[] | null;
  readonly blackList: readonly string[];
  readonly whiteList: readonly string[];
  readonly qualifiedContributionOnly: boolean;
}

export interface HousePot {
  readonly type: Share;
  readonly diversion: {
    readonly percentage: Fraction;
    readonly flushThresholdAtoms: bigint | null;
    readonly endpoint: string;
    readonly accountId: string;
  } | null;
}

/** One of payout_rules: the part of V that shares with the main winner, and its recipients. */
export interface PayoutShare {
  readonly percentage: Fraction;
  readonly rule: PayoutRule;
}

export interface PotConfiguration {
  readonly id: string;
  readonly document: Document;
  readonly enabled: boolean;
  readonly share: Share;
  readonly seedShare: Share;
  readonly isProgressive: boolean;
  readonly initialSeedAtoms: bigint;
  readonly minReseedAtoms: bigint;
  readonly fundStrategy: FundStrategy;
  readonly reseedStrategy: ReseedStrategy;
  readonly criteria: Criteria;
  readonly maxAtoms: bigint | null;
  /** How far contributions feed the pot, and a reseed fills it; null: without end. */
  readonly capAtoms: bigint | null;
  readonly reseedCapAtoms: bigint | null;
  readonly triggers: readonly Trigger[];
  readonly constraints: readonly WinConstraint[];
  readonly mainWinnerPercentage: Fraction;
  readonly adminFee: Fraction;
  readonly payouts: readonly PayoutShare[];
  readonly supportsExternalTrigger: boolean;
}

/** A configuration that was read and found sound: domain words, exact numbers, defaults filled in. */
export interface Configuration {
  readonly document: Document;
  readonly currency: string;
  readonly jackpotType: 'Jackpot' | 'Raffle';
  /** Cycles of each pot; null: without end. */
  readonly maxCycles: number | null;
  readonly selector: Selector;
  readonly rules: ContributionRules;
  readonly house: HousePot;
  /** No epoch begins without its beacon; the rules in force when it begins decide. */
  readonly wantsBeacon: boolean;
  /** null: a Jackpot. */
  readonly raffle: RaffleRules | null;
  readonly pots: readonly PotConfiguration[];
}

export interface Prize {
  /** The part of the pot's value at the round's end that the winners of the tier share. */
  readonly percentage: Fraction;
  readonly winners: number;
}

/** A length that repeats, or the moments at which rounds end. */
export type RaffleDuration =
  | { readonly kind: 'Length'; readonly lengthMs: number }
  | { readonly kind: 'Scheduled'; readonly endsMs: readonly number[] };

export interface RaffleRules {
  readonly document: Document;
  readonly costPerTicketAtoms: bigint;
  readonly costSource: 'Contribution' | 'BaseWager';
  /** Tickets get their numbers at the round's end. */
  readonly isDeferred: boolean;
  readonly duration: RaffleDuration;
  readonly prizes: readonly Prize[];
}

export interface PayoutRule {
  readonly kind: PayoutRuleKind;
  readonly maxPayouts: number;
  election(win: SharedWin): Election;
}

export interface Election {
  readonly candidates: Candidates;
  /** Candidates' indexes, in the order they are picked; asked once. */
  elect(keystream: () => Keystream): readonly number[];
}

/** The input of a constraint: only the state of the pot before the draw. */
interface ConstraintView {
  readonly balances: Float64Array;
  readonly potAt: number;
  readonly minReseedAtoms: bigint;
  readonly timestampMs: number;
}

export interface WinConstraint {
  readonly kind: WinConstraintKind;
  holds(view: ConstraintView): boolean;
}
