import type { LoggedCommand } from '../../messages/commands.ts';
import type { CreateInstance, TransferRule } from '../../messages/instance-commands.ts';
import type { LiveValuesSink } from '../../messages/live-values.ts';
import type { OutcomeRecord, RowError } from '../../messages/outcomes.ts';
import type {
  BindingList,
  EpochRecord,
  InstanceDescription,
  LiveValues,
  OptInStatusRecord,
  TicketRecord,
  WinnerRecord,
} from '../../messages/records.ts';
import type { Refusal } from '../../messages/refusals.ts';
import type {
  CreditRecord,
  CreditState,
  DebitRecord,
  FlushRecord,
  SettlementRecord,
  SettlementRowsQuery,
} from '../../messages/settlements.ts';
import type { Job } from '../rules/steps/work.ts';
import type { Recorder } from '../state/lane/recorder.ts';
import type { EpochTask } from './queries/epochs.ts';
import type { SwitchPreview } from './queries/preview.ts';
import type { SettlementRows } from './queries/settlement-rows.ts';
import type { TicketRows } from './queries/ticket-rows.ts';
import type { TicketQuestion } from './queries/tickets.ts';

/** One message of a lane's command log, decoded. */
export interface EngineMessage {
  readonly sequence: number;
  /** The message's stream timestamp; the lane's time is max(previous, this). */
  readonly timestampMs: number;
  readonly commands: readonly LoggedCommand[];
  /** Who waits for the answers; a contribution whose debit is pending is answered there later. Absent: nobody. */
  readonly gateway?: string;
  readonly batchId?: Uint8Array;
}

/** An outcome record without its place in the chain of lane heads. */
export type MessageOutcome = Omit<OutcomeRecord, 'laneHead'>;

/** A Tick of the instance has work to do from then on. */
export interface Deadline {
  readonly atMs: number;
  readonly instance: string;
}

/** The state machine of one lane: deterministic, synchronous, total. Created by `createLane(hashing, settings)`. */
export interface LaneEngine {
  readonly appliedSequence: number;
  readonly timestampMs: number;
  readonly ownerTerm: number;
  /** The version that decides what the next command does. */
  readonly engineVersion: number;
  /** Idempotency keys, and about when the oldest was taken; null: there is none. */
  keys(): { readonly count: number; readonly oldestMs: number | null };
  /** With a recorder: it gets every group of draw records of the message (a revealed epoch is replayed that way). */
  apply(message: EngineMessage, recorder?: Recorder | null): MessageOutcome;
  instances(): Iterable<string>;
  readonly hasInstances: boolean;
  describe(instance: string): InstanceDescription | null;
  liveValues(instance: string): LiveValues | null;
  /** The same; nothing where there is no such instance. */
  writeLiveValues(instance: string, sink: LiveValuesSink): void;
  bindings(): Iterable<BindingList>;
  optInStatus(instance: string, brand: string, player: string): OptInStatusRecord | null;
  accounts(instance: string): readonly (readonly [name: string, atoms: bigint])[] | null;
  /** Opt-in records in order of appearance; `optedIn` null: both; of players of these `owners`; empty: all. */
  optIns(
    instance: string,
    optedIn: boolean | null,
    offset: number,
    limit: number,
    owners?: readonly string[],
  ): readonly OptInStatusRecord[] | null;
  playerOptIns(brand: string, player: string, offset: number, limit: number): readonly OptInStatusRecord[];
  /** Newest first, at most 500; empty pot or brand: any. */
  winners(instance: string, pot: string, brand: string, limit: number): readonly WinnerRecord[] | null;
  /** Epochs that the state still holds: begun ones in order, then committed ones. */
  epochs(instance: string): readonly EpochRecord[] | null;
  /** JSON text of the header of an epoch that would begin now: the end of the last one of a terminal instance. */
  closing(instance: string): string | null;
  segmentPriorities(): readonly (readonly [key: string, priority: number])[];
  /** Where a key was met first; null: it is not known (any more). `brand`: of a contribution; default '': of a change by an administrator. */
  idempotencyKey(
    key: Uint8Array,
    brand?: string,
  ): { readonly sequence: number; readonly index: number } | null;
  /** Whether keys of contributions are those of brands, by the lane's version. */
  readonly keysAreOfBrands: boolean;
  /** Keys that the lane remembers, and when the oldest of them came. */
  idempotencyKeys(): { readonly count: number; readonly oldestMs: number | null };
  /** Version of the rate table that the lane has for a brand ('' default), 0 without one; the brands it knows. */
  rateVersion(brand: string): number;
  knowsBrand(brand: string): boolean;
  /** What the owner has to write for epochs; of at most `limit` instances. */
  epochTasks(nowMs: number, limit?: number): readonly EpochTask[];
  /** The same for one of them; null: nothing, or no such instance. */
  epochTask(instance: string): EpochTask | null;
  /** Work that is cut into steps: the owner writes Continue commands for it, in order of steps. */
  jobs(): readonly Job[];
  /** Tickets of a raffle's current round, in order of appearance; empty brand or player: any. null: no such instance. */
  tickets(question: TicketQuestion): readonly TicketRecord[] | null;
  /** A player's tickets in the lane's active raffles. */
  playerTickets(brand: string, player: string, limit: number, offset?: number): readonly TicketRecord[];
  /** Participants of the current round, a slice of the players from `fromRow` on; null: no such instance. */
  ticketRows(instance: string, fromRow: number): TicketRows | null;
  /** The players of these rows, as `operator:brand:player`. */
  ticketNames(instance: string, rows: readonly number[]): readonly string[] | null;
  /** Players of an instance, with those who have only opted in; null: no such instance. */
  playerCount(instance: string): number | null;
  /** Raffles with a round and more players than that. */
  largeRaffles(minPlayers: number): readonly string[];
  /** The path of the brand with that number in this lane. */
  brandPath(number: number): string;
  /** Ticket records of these rows. */
  ticketRecords(instance: string, rows: readonly number[]): readonly TicketRecord[] | null;
  /** A28: previews a switch to a new instance. */
  previewSwitch(
    instance: string,
    target: CreateInstance,
    rules: readonly TransferRule[],
    override: boolean,
  ): SwitchPreview | Refusal;
  /** How far a bulk opt-in is, and its errors from `offset` on, at most 500; null: no such job. */
  bulkOptIn(
    job: string,
    offset: number,
  ): { readonly remaining: number; readonly errors: readonly RowError[] } | null;
  /** Debits that are not settled, behind number `after`; the pages below are the same. */
  openDebits(after: number, limit: number): readonly DebitRecord[];
  /** Credits in one of the states (empty: any) and of a batch (empty: any). */
  openCredits(
    after: number,
    limit: number,
    states: readonly CreditState[],
    batch: string,
  ): readonly CreditRecord[];
  openCredit(transactionId: string): CreditRecord | null;
  /** A debit or a credit, by its transaction id. */
  openSettlement(transactionId: string): SettlementRecord | null;
  /** A slice of the open debits or credits as columns. */
  settlementRows(query: SettlementRowsQuery): SettlementRows;
  /** By their numbers; those that are not open are left out. */
  settlements(numbers: readonly number[]): readonly SettlementRecord[];
  openFlushes(offset: number, limit: number): readonly FlushRecord[];
  /** Where the answer to a pending contribution is; `open`: it does not exist yet. */
  pendingAnswer(
    sequence: number,
    index: number,
  ): {
    readonly position: { readonly sequence: number; readonly index: number } | null;
    readonly open: boolean;
  };
  /** The next moment at which a Tick command is due for an instance (epoch end, reveal deadline, timestamp_start, …). */
  nextDeadline(): Deadline | null;
  /** Those that are over at `untilMs`, the earliest first, at most `limit`. */
  deadlinesUntil(untilMs: number, limit: number): readonly Deadline[];
  /** The next one of an instance; null: none, or no such instance. */
  deadlineOf(instance: string): number | null;
  /** A consistent copy of the state, in chunks; apply() may run between chunks (copy on write). */
  snapshot(): Iterable<Uint8Array>;
}
