import type { BindingList, InstanceDescription, OptInStatusRecord, TicketRecord } from './records.ts';
import type { CreditRecord } from './settlements.ts';

/** What the lookups, the directory's read models and the feeds need to know of a lane, in the order it happened. */
export type LaneEvent =
  | { readonly kind: 'InstanceChanged'; readonly instance: InstanceDescription }
  | {
      readonly kind: 'StatusChanged';
      readonly instance: string;
      readonly counter: number;
      readonly status: string;
      readonly reason: string;
    }
  /** The whole list after the change, by priority. */
  | ({ readonly kind: 'BindingsChanged' } & BindingList)
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
