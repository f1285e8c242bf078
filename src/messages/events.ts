import type { BindingList, InstanceDescription, OptInStatusRecord, TicketRecord } from './records.ts';
import type { CreditRecord } from './settlements.ts';

/** Events of a lane for lookups, read models and feeds, in order. */
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

const readModelKinds = ['InstanceChanged', 'StatusChanged', 'BindingsChanged', 'OptInChanged'] as const;

/** The events that read models of instances, bindings and opt-ins take in. */
export type ReadModelEvent = Extract<LaneEvent, { readonly kind: (typeof readModelKinds)[number] }>;

const kindsOfReadModel: ReadonlySet<string> = new Set(readModelKinds);

/** Whether read models take the event in. */
export function isReadModelEvent(event: LaneEvent): event is ReadModelEvent {
  return kindsOfReadModel.has(event.kind);
}

/** A credit changed its state: the PayoutEvent or CommunityPayoutErrorEvent of the service feed. */
interface PayoutEvent {
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
  /** The reseed of the next cycle, and the part of it that the operator fronted. */
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

/** A player got tickets `first` to `first + count − 1` of a raffle's round; the record is as it is then. */
export interface TicketsAwardedEvent {
  readonly kind: 'TicketsAwarded';
  readonly first: number;
  readonly count: number;
  readonly record: TicketRecord;
}

/** Prizes of a raffle round, in the order of the draw; a round with many prizes takes several events. */
interface RaffleWonEvent {
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

type EpochEvent =
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
