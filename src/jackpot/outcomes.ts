// The log's wire types (contracts) are structurally the same; the actor host's compile proves that they fit.
import type { RefusalCode } from './refusals.ts';
import type { CreditRecord } from './settlements.ts';

/** What became of a command: one for each command of a message, in order. */
export type CommandOutcome =
  | Contributed
  /** The player has to pay first: what became of it is in a later message (`Settled`). */
  | { readonly kind: 'Pending' }
  /** Contributions whose last debit has settled: the answers that their callers wait for. */
  | { readonly kind: 'Settled'; readonly contributions: readonly SettledContribution[] }
  /** The idempotency key was met before: at that message and index. The gateway compares the fingerprints. */
  | { readonly kind: 'Duplicate'; readonly sequence: number; readonly index: number }
  /** `message` empty: the code's own. */
  | { readonly kind: 'Refused'; readonly code: RefusalCode; readonly message: string }
  /** A change was made (or an own, rate, brand, epoch command was taken in). `instance` empty where there is none. */
  | { readonly kind: 'Done'; readonly instance: string; readonly version: number }
  /** Rows of a bulk opt-in that were done so far; the rest follows step by step. */
  | {
      readonly kind: 'BulkOptedIn';
      readonly remaining: number;
      readonly errors: readonly RowError[];
    }
  | { readonly kind: 'OptedIn'; readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  /** A30: the win that the trigger paid. */
  | {
      readonly kind: 'Triggered';
      readonly instance: string;
      readonly pot: string;
      readonly winAmountAtoms: bigint;
      readonly timestampMs: number;
    };

export interface SettledContribution {
  /** Place of the contribution in the command log, and of its caller. */
  readonly sequence: number;
  readonly index: number;
  readonly gateway: string;
  readonly batchId: Uint8Array;
  readonly idempotencyKey: Uint8Array | null;
  /** Whether a callback waits for it. */
  readonly callback: boolean;
  readonly result: Contributed | Extract<CommandOutcome, { readonly kind: 'Refused' }>;
}

/** Why a row of a bulk command was refused; `message` empty: the code's own. */
export interface RowError {
  /** From 0. */
  readonly row: number;
  readonly code: RefusalCode;
  readonly message: string;
}

/** A contribution was applied: the main result first, then one for each linked instance that took it. */
export interface Contributed {
  readonly kind: 'Contributed';
  readonly results: readonly ContributionOutcome[];
}

export interface ContributionOutcome {
  readonly instance: string;
  /** The instance's sequence number. */
  readonly sequence: number;
  /** C: what reached the instance, in its currency. */
  readonly contributionAtoms: bigint;
  /** C in the request's currency: `contribution_amount`. */
  readonly requestAtoms: bigint;
  readonly bonusAtoms: bigint;
  readonly win: ContributionWin | null;
  readonly tickets: number;
}

export interface ContributionWin {
  readonly pot: string;
  /** The main winner's amount in the jackpot's currency. */
  readonly amountAtoms: bigint;
  readonly currency: string;
  readonly withheld: boolean;
}

export interface InstanceTouched {
  readonly instance: string;
  readonly head: Uint8Array;
  readonly firstSequence: number;
}

/** Live values of an instance, absolute; carried by ticks, replies and queries. */
export interface Headline {
  readonly instance: string;
  /** The instance's last sequence number. */
  readonly sequence: number;
  readonly version: number;
  readonly status: string;
  readonly pots: readonly PotHeadline[];
  readonly head: Uint8Array;
  readonly epoch: number;
  readonly lastUpdatedMs: number;
}

export interface PotHeadline {
  readonly pot: string;
  readonly currentAtoms: bigint;
  readonly instanceCount: number;
  readonly enabled: boolean;
  /** What operators see besides; the engine always says it. */
  readonly meters?: PotMeters;
}

/** Balances of a pot that are not advertised, and its lifetime meters. */
export interface PotMeters {
  readonly seedAtoms: bigint;
  readonly surplusAtoms: bigint;
  readonly overflowAtoms: bigint;
  readonly contributedAtoms: bigint;
  readonly contributedSeedAtoms: bigint;
  readonly initialCostAtoms: bigint;
  readonly totalContributions: number;
}

/** What the lookups, the directory's replicas and the feeds need to know of a lane, in the order it happened. */
export type LaneEvent =
  | { readonly kind: 'InstanceChanged'; readonly instance: InstanceDescription }
  | {
      readonly kind: 'StatusChanged';
      readonly instance: string;
      readonly counter: number;
      readonly status: string;
      readonly reason: string;
    }
  | {
      readonly kind: 'BindingsChanged';
      readonly of: 'source' | 'segment';
      readonly owner: string;
      readonly id: string;
      /** The whole list after the change, by priority. */
      readonly bindings: readonly Binding[];
    }
  | { readonly kind: 'OptInChanged'; readonly status: OptInStatusRecord }
  | WonEvent
  | PayoutEvent
  | TicketsAwardedEvent
  | RaffleWonEvent
  | EpochEvent;

/** A credit has changed its state: the service feed's PayoutEvent, or CommunityPayoutErrorEvent. */
export interface PayoutEvent {
  readonly kind: 'PayoutChanged';
  readonly credit: CreditRecord;
}

export interface Binding {
  readonly instance: string;
  readonly priority: number;
}

export interface WonEvent {
  readonly kind: 'Won';
  readonly instance: string;
  /** The instance's event counter: gapless, over WinEvent, RaffleWinEvent and InstanceStatusEvent. */
  readonly counter: number;
  /** The instance's sequence number of the win. */
  readonly sequence: number;
  readonly contributionId: Uint8Array;
  readonly gameround: string;
  readonly pot: string;
  readonly instanceCount: number;
  readonly currency: string;
  readonly rateVersion: number;
  readonly winner: WinShare;
  readonly community: readonly WinShare[];
  /** What the reseed put into the next cycle, and what of it the operator had to front. */
  readonly seedAtoms: bigint;
  readonly seedDeficitAtoms: bigint;
  readonly withheld: boolean;
  readonly external: boolean;
  /** JSON text or null. */
  readonly eventMetadata: string | null;
}

export interface WinShare {
  readonly brand: string;
  readonly player: string;
  /** In the jackpot's currency. */
  readonly amountAtoms: bigint;
  /** In the player's currency. */
  readonly paidAtoms: bigint;
  readonly paidCurrency: string;
}

/** A player got the tickets `first` to `first + count − 1` of a raffle's round; the record is as it is then. */
export interface TicketsAwardedEvent {
  readonly kind: 'TicketsAwarded';
  readonly first: number;
  readonly count: number;
  readonly record: TicketRecord;
}

/** What a player holds in the current round (O5 to O7; docs/rules/raffles.md "Tickets"). */
export interface TicketRecord {
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  readonly ticketCount: number;
  /** The carry towards the next ticket, in the instance's currency. */
  readonly accumulatedAtoms: bigint;
  /** Of the round. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Prizes of a raffle's round, in the order of the draw; a round with many is told in several events. */
export interface RaffleWonEvent {
  readonly kind: 'RaffleWon';
  readonly instance: string;
  /** The instance's event counter, as of WonEvent. */
  readonly counter: number;
  /** The instance's sequence number of the round's end. */
  readonly sequence: number;
  readonly round: number;
  readonly pot: string;
  readonly instanceCount: number;
  readonly currency: string;
  readonly winners: readonly RafflePrize[];
  /** Tickets of the round. */
  readonly tickets: number;
  readonly seedAtoms: bigint;
  readonly seedDeficitAtoms: bigint;
}

export interface RafflePrize {
  readonly brand: string;
  readonly player: string;
  /** From 0: place of the prize in prize_distribution. */
  readonly tier: number;
  readonly ticket: number;
  /** In the jackpot's currency. */
  readonly amountAtoms: bigint;
  readonly withheld: boolean;
}

export type EpochEvent =
  | {
      readonly kind: 'EpochStarted';
      readonly instance: string;
      readonly epoch: number;
      readonly header: string;
    }
  | {
      readonly kind: 'EpochEnded';
      readonly instance: string;
      readonly epoch: number;
      readonly fromSequence: number;
      readonly toSequence: number;
    }
  | {
      readonly kind: 'EpochRevealed';
      readonly instance: string;
      readonly epoch: number;
      readonly seed: Uint8Array;
    };

/** docs/rules/opt-ins.md "Opt-in status"; amounts in the currencies named. */
export interface OptInStatusRecord {
  readonly instance: string;
  readonly brand: string;
  readonly player: string;
  readonly optedIn: boolean;
  /** Currency → preferred value; the latest set last. Without opt_in_per_currency at most one. */
  readonly preferences: readonly (readonly [currency: string, valueAtoms: bigint])[];
  readonly contributionCount: number;
  readonly contributionAtoms: bigint;
  readonly pots: readonly (readonly [pot: string, count: number, valueAtoms: bigint])[];
  readonly lastUpdatedMs: number;
}

/** Everything A32 shows of an instance, live values included. */
export interface InstanceDescription {
  readonly instance: string;
  readonly group: string;
  readonly owner: string;
  readonly templateOwner: string;
  readonly template: string;
  readonly name: string;
  readonly description: string;
  readonly gameCode: string;
  readonly status: string;
  readonly version: number;
  readonly createdMs: number;
  readonly lastUpdatedMs: number;
  readonly timestampStartMs: number;
  readonly timestampEndMs: number | null;
  readonly totalContributions: number;
  readonly sequence: number;
  readonly links: readonly string[];
  readonly switchedTo: string;
  /** The configuration in force (for changes that wait for a pot's next cycle: the pending one is not shown). */
  readonly configuration: unknown;
  /** What is stored and waits for an epoch or a cycle, as a whole; null: nothing waits. */
  readonly pendingConfiguration: unknown;
  readonly house: {
    readonly currentAtoms: bigint;
    readonly seedDeficitAtoms: bigint;
    readonly diversionAtoms: bigint;
    readonly totalContributions: number;
    readonly createdMs: number;
  };
  readonly pots: readonly PotDescription[];
  readonly head: Uint8Array;
  readonly epoch: number;
  /** Number of its last counted event (WinEvent, RaffleWinEvent, InstanceStatusEvent). */
  readonly eventCounter: number;
}

export interface PotDescription {
  readonly pot: string;
  readonly enabled: boolean;
  readonly instanceCount: number;
  readonly createdMs: number;
  readonly currentAtoms: bigint;
  readonly seedAtoms: bigint;
  readonly surplusAtoms: bigint;
  readonly overflowAtoms: bigint;
  readonly carryAtoms: bigint;
  readonly contributedAtoms: bigint;
  readonly contributedSeedAtoms: bigint;
  readonly initialCostAtoms: bigint;
  readonly totalContributions: number;
}

export interface WinnerRecord {
  readonly pot: string;
  readonly amountAtoms: bigint;
  readonly currency: string;
  readonly brand: string;
  readonly player: string;
  readonly timestampMs: number;
  readonly sequence: number;
  /** Its money waits for a person or for an unknown answer of the wallet. */
  readonly withheld: boolean;
  /** Absent: the main win. */
  readonly kind?: 'community' | 'raffle';
}

export interface EpochRecord {
  readonly epoch: number;
  readonly commit: Uint8Array;
  /** Empty: none. */
  readonly beacon: Uint8Array;
  readonly state: 'committed' | 'running' | 'ended' | 'revealed';
  /** RFC 8785 JSON of the header once the epoch has started, else empty. */
  readonly header: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Lane sequences of the first and last message that drew in it (0: none yet). */
  readonly firstMessage: number;
  readonly lastMessage: number;
  readonly seed: Uint8Array | null;
}
