import type { CreateInstance, TransferRule } from './instance-commands.ts';
import type { RowError } from './outcomes.ts';
import type { PlacementOrder, PlacementView } from './placement.ts';
import type {
  BindingList,
  EpochRecord,
  InstanceDescription,
  LiveValues,
  OptInStatusRecord,
  PackedInstance,
  TicketRecord,
  WinnerRecord,
} from './records.ts';
import type {
  CreditRecord,
  CreditState,
  DebitRecord,
  FlushRecord,
  SettlementRecord,
  SettlementRowsQuery,
} from './settlements.ts';

/** What tickets can be sorted by; `joined`: as the players came to the raffle. */
export const ticketFields = [
  'joined',
  'player_id',
  'ext_player_id',
  'brand_id',
  'ticket_count',
  'accumulated_cost',
  'timestamp_start',
  'timestamp_end',
] as const;
export type TicketField = (typeof ticketFields)[number];

/** A participant's place in an order: the field as text, and the row, which breaks ties. */
export interface TicketPosition {
  readonly value: string;
  readonly row: number;
}

/** `query.<lane>`: bounded work each. `minSequence`: the answer must not be older than that lane sequence. */
export type LaneQuery =
  /** A page of what a read model needs to start: instances, then binding lists, as many as fit. */
  | { readonly kind: 'state'; readonly offset: number }
  /** `packed`: the answer may be `packed_instances`, which costs less. */
  | { readonly kind: 'instances'; readonly ids: readonly string[]; readonly packed?: boolean }
  | {
      readonly kind: 'opt_in_status';
      readonly instance: string;
      readonly brand: string;
      readonly player: string;
    }
  | {
      readonly kind: 'opt_ins';
      readonly instance: string;
      readonly optedIn: boolean | null;
      /** Players of these brands, or of brands of these operators; empty: all. */
      readonly owners: readonly string[];
      readonly offset: number;
      readonly limit: number;
      /** The records of the rows behind this one. */
      readonly after?: number | undefined;
      /** Counts the records of all pages until it is passed. */
      readonly countsTo?: number | undefined;
    }
  | {
      readonly kind: 'player_opt_ins';
      readonly brand: string;
      readonly player: string;
      readonly offset: number;
      readonly limit: number;
    }
  | {
      readonly kind: 'winners';
      readonly instance: string;
      readonly pot: string;
      readonly brand: string;
      readonly limit: number;
    }
  | { readonly kind: 'accounts'; readonly instance: string }
  /** All faults of a configuration at once, and warnings. */
  | { readonly kind: 'check_configuration'; readonly configuration: unknown }
  /** Waits until the owner has copied the facts of the directory up to that revision into the lane. */
  | { readonly kind: 'directory'; readonly revision: number }
  /** Epochs of a number above `after`, as many as fit; −1: from the first one. */
  | { readonly kind: 'epochs'; readonly instance: string; readonly after: number }
  /** Where an idempotency key was first used; `brand` empty: by a change of an administrator. */
  | { readonly kind: 'idempotency_key'; readonly key: Uint8Array; readonly brand: string }
  /** Raffle tickets of an instance's current round; brand or player empty: any. */
  | {
      readonly kind: 'tickets';
      readonly instance: string;
      readonly brand: string;
      readonly player: string;
      readonly newestFirst: boolean;
      readonly offset: number;
      readonly limit: number;
    }
  /** A player's tickets in the lane's active raffles. */
  | {
      readonly kind: 'player_tickets';
      readonly brand: string;
      readonly player: string;
      readonly limit: number;
      readonly offset: number;
    }
  /** A page of the participants of a raffle's current round in an order, which may be some seconds old. */
  | {
      readonly kind: 'ticket_page';
      readonly instance: string;
      /** As of opt_ins. */
      readonly owners: readonly string[];
      readonly field: TicketField;
      readonly direction: 1 | -1;
      readonly offset: number;
      readonly limit: number;
      /** The participants behind that place in the order. */
      readonly after?: TicketPosition | undefined;
    }
  /** A28: previews a switch to a new instance. Nothing changes. */
  | {
      readonly kind: 'switch_preview';
      readonly instance: string;
      readonly target: CreateInstance;
      readonly rules: readonly TransferRule[];
      readonly override: boolean;
    }
  /** Debits after number `after` that wait for the wallet or for their instance. */
  | { readonly kind: 'open_debits'; readonly after: number; readonly limit: number }
  /** Unsettled credits after number `after`: in one of the states (empty: any), of a batch (empty: any). */
  | {
      readonly kind: 'open_credits';
      readonly after: number;
      readonly limit: number;
      readonly states: readonly CreditState[];
      readonly batch: string;
    }
  /** One credit, while it is open. */
  | { readonly kind: 'open_credit'; readonly transactionId: string }
  /** A debit or a credit, while it is open. */
  | { readonly kind: 'open_settlement'; readonly transactionId: string }
  /** Open debits or credits as columns, for sorted lists. */
  | ({ readonly kind: 'settlement_rows' } & SettlementRowsQuery)
  /** Those with these numbers, at most 500; those that are not open any more are left out. */
  | { readonly kind: 'settlement_records'; readonly numbers: readonly number[] }
  /** Unsettled diversion flushes, from `offset` on. */
  | { readonly kind: 'open_flushes'; readonly offset: number; readonly limit: number }
  /** Where the answer to a pending contribution is, by the place of the contribution in the command log. */
  | { readonly kind: 'pending_answer'; readonly sequence: number; readonly index: number }
  /** The outcome record of a message, recomputed if OUT lost it: from byte `offset` on, as much as fits. */
  | { readonly kind: 'rebuilt_outcome'; readonly sequence: number; readonly offset: number }
  /** Where all lanes are, as the host of this one sees it. */
  | { readonly kind: 'placement' }
  /** The host of this lane writes the order, which all hosts follow. */
  | { readonly kind: 'placement_order'; readonly order: PlacementOrder }
  /** The progress of a bulk opt-in; errors from `offset` on. */
  | { readonly kind: 'bulk_opt_in'; readonly job: string; readonly offset: number };

/** What lies around a page of tickets. */
export interface TicketPagePlace {
  /** Participants of all pages. */
  readonly total: number;
  /** Behind which the list goes on; null: nothing comes after the page. */
  readonly last: TicketPosition | null;
}

export interface LaneQueryRequest {
  readonly minSequence: number;
  readonly query: LaneQuery;
}

export type LaneQueryAnswer =
  | {
      readonly kind: 'state';
      readonly sequence: number;
      /** Number of instances and binding lists. */
      readonly total: number;
      /** Where the next page begins; `total`: this is the last one. */
      readonly next: number;
      readonly instances: readonly {
        readonly description: InstanceDescription;
        readonly liveValues: LiveValues;
      }[];
      readonly bindings: readonly BindingList[];
    }
  | {
      readonly kind: 'instances';
      readonly sequence: number;
      /** How many of the ids are answered; the others did not fit. */
      readonly answered: number;
      readonly instances: readonly InstanceDescription[];
    }
  /** As instances. Each configuration is there once, in the bytes of the codec. */
  | {
      readonly kind: 'packed_instances';
      readonly sequence: number;
      readonly answered: number;
      readonly configurations: readonly Uint8Array[];
      readonly instances: readonly PackedInstance[];
    }
  | { readonly kind: 'opt_in_status'; readonly status: OptInStatusRecord }
  /** `more`: further ones did not fit. */
  | {
      readonly kind: 'opt_ins';
      readonly statuses: readonly OptInStatusRecord[];
      readonly more: boolean;
      /** Those of an instance's players; a host of the release before gives none. */
      readonly rows: readonly number[];
      readonly total?: number | undefined;
    }
  | { readonly kind: 'winners'; readonly winners: readonly WinnerRecord[] }
  | {
      readonly kind: 'accounts';
      readonly currency: string;
      readonly accounts: readonly (readonly [name: string, atoms: bigint])[];
      readonly head: Uint8Array;
      readonly sequence: number;
    }
  | {
      readonly kind: 'check_configuration';
      readonly faults: readonly string[];
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'directory'; readonly revision: number }
  /** By number; `more`: some did not fit. */
  | { readonly kind: 'epochs'; readonly epochs: readonly EpochRecord[]; readonly more: boolean }
  | {
      readonly kind: 'idempotency_key';
      /** null: the lane does not know the key. */
      readonly position: { readonly sequence: number; readonly index: number } | null;
      /** By the lane's version of the engine, keys belong to operator and brand, and not to users. */
      readonly ofBrands: boolean;
    }
  /** `more`: further ones did not fit. */
  | {
      readonly kind: 'tickets';
      readonly tickets: readonly TicketRecord[];
      readonly more: boolean;
      /** Where a page in an order is; a host of the release before gives none. */
      readonly place?: TicketPagePlace | undefined;
    }
  | {
      readonly kind: 'switch_preview';
      readonly source: InstanceDescription;
      readonly target: InstanceDescription;
    }
  | { readonly kind: 'bulk_opt_in'; readonly remaining: number; readonly errors: readonly RowError[] }
  | { readonly kind: 'open_debits'; readonly debits: readonly DebitRecord[] }
  | { readonly kind: 'open_credits'; readonly credits: readonly CreditRecord[] }
  /** `more`: further ones did not fit. */
  | {
      readonly kind: 'settlements';
      readonly settlements: readonly SettlementRecord[];
      readonly more: boolean;
    }
  | {
      readonly kind: 'settlement_rows';
      readonly numbers: readonly number[];
      /** The field to sort by, a value for each number. */
      readonly values: readonly bigint[];
      /** Where the next slice begins; null: there is no more. */
      readonly next: number | null;
    }
  | { readonly kind: 'open_flushes'; readonly flushes: readonly FlushRecord[] }
  | {
      readonly kind: 'pending_answer';
      /** null: it is still open, or was answered too long ago. */
      readonly position: { readonly sequence: number; readonly index: number } | null;
      readonly open: boolean;
    }
  /** `part` null: not recomputed yet, or impossible. `totalBytes` is the length of the whole record. */
  | {
      readonly kind: 'rebuilt_outcome';
      readonly part: Uint8Array | null;
      readonly totalBytes: number;
    }
  /** `ends`: the last sequence of each lane's command log; null: unknown. */
  | {
      readonly kind: 'placement';
      readonly view: PlacementView;
      readonly ends: readonly (number | null)[];
    }
  /** The order is in force. */
  | { readonly kind: 'placement_order' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string };
