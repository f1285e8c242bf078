import { EarliestFirst } from '../../lib/earliest-first.ts';
import type { CreateInstance, TransferRule } from '../../messages/instance-commands.ts';
import type {
  BindingList,
  EpochRecord,
  InstanceDescription,
  LiveValues,
  LiveValuesSink,
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
import { jobsOf } from '../commands/continue/continue.ts';
import { bulkStatus } from '../commands/opt-in/bulk.ts';
import { deadlineOf } from '../commands/status/tick.ts';
import { describe, liveValues, visitLiveValues } from '../rules/descriptions/describe.ts';
import { closingHeaderOf } from '../rules/epochs/header.ts';
import { statusRecord } from '../rules/opt-ins/status.ts';
import type { Job } from '../rules/steps/steps.ts';
import type { Instance } from '../state/instance/instance.ts';
import type { Position } from '../state/keys/idempotency.ts';
import { firstUse } from '../state/lane/first-use.ts';
import type { LaneState } from '../state/lane/lane-state.ts';
import { accountsOf } from '../state/money/ledger.ts';
import { type EpochTask, epochRecords, ownerTaskOf } from './queries/epochs.ts';
import { type OptInQuestion, optInsOf, optInsOfPlayer } from './queries/opt-ins.ts';
import { previewSwitch, type SwitchPreview } from './queries/preview.ts';
import {
  openSettlement,
  type SettlementRows,
  settlementRows,
  settlementsOf,
} from './queries/settlement-rows.ts';
import {
  type TicketQuestion,
  type TicketRows,
  ticketNamesOf,
  ticketRecordsOf,
  ticketRowsOf,
  ticketsOf,
  ticketsOfPlayer,
} from './queries/tickets.ts';
import { SnapshotCopy } from './snapshots/copy.ts';

/** A Tick of the instance has work to do from then on. */
export interface Deadline {
  readonly atMs: number;
  readonly instance: string;
}

/** The queries of a lane. They change nothing, and answer null where there is no such instance. */
export class LaneQueries {
  protected readonly state: LaneState;
  readonly #deadlines = new EarliestFirst<Instance>((a, b) => a.id < b.id);

  constructor(state: LaneState) {
    this.state = state;
  }

  get appliedSequence(): number {
    return this.state.appliedSequence;
  }
  get timestampMs(): number {
    return this.state.nowMs;
  }
  get ownerTerm(): number {
    return this.state.ownerTerm;
  }
  /** The version that decides what the next command does. */
  get engineVersion(): number {
    return this.state.engineVersion;
  }
  get hasInstances(): boolean {
    return this.state.instances.size > 0;
  }
  /** Whether keys of contributions are those of brands, by the lane's version. */
  get keysAreOfBrands(): boolean {
    return this.state.rules.keysAreOfBrands;
  }

  /** Idempotency keys, and about when the oldest was taken; null: there is none. */
  keys(): { readonly count: number; readonly oldestMs: number | null } {
    const { size, oldestMs } = this.state.keys;
    return { count: size, oldestMs };
  }

  /** Where a key was met first; null: unknown, or forgotten. `brand` empty: a change by an administrator. */
  idempotencyKey = (key: Uint8Array, brand = ''): Position | null => firstUse(this.state, key, brand);

  /** Where the answer to a pending contribution is; `open`: it does not exist yet. */
  pendingAnswer(
    sequence: number,
    index: number,
  ): { readonly position: Position | null; readonly open: boolean } {
    const { debits } = this.state;
    return {
      position: debits.answerTo(sequence, index),
      open: debits.contribution(sequence, index) !== null,
    };
  }

  instances = (): Iterable<string> => this.state.instances.keys();
  describe = (instance: string): InstanceDescription | null => this.#with(instance, describe);
  liveValues = (instance: string): LiveValues | null => this.#with(instance, liveValues);

  writeLiveValues(instance: string, sink: LiveValuesSink): void {
    this.#with(instance, (found) => visitLiveValues(found, sink));
  }

  bindings = (): Iterable<BindingList> => this.state.bindings.all();
  /** [owner/segment, priority] of every segment that the lane knows. */
  segmentPriorities = () => this.state.bindings.segmentPriorities();
  knowsBrand = (brand: string): boolean => this.state.brands.get(brand) !== null;
  /** The path of the brand with that number in this lane. */
  brandPath = (number: number): string => this.state.brands.byNumber(number).command.brand;
  /** Version of the brand's rate table (empty: the default one); 0 without one. */
  rateVersion = (brand: string): number => this.state.rates.version(brand);

  accounts(instance: string): readonly (readonly [name: string, atoms: bigint])[] | null {
    return this.#with(instance, ({ balances, pots }) =>
      accountsOf(
        balances,
        pots.map((pot) => pot.effective.id),
      ),
    );
  }

  optInStatus(instance: string, brand: string, player: string): OptInStatusRecord | null {
    const number = this.state.brands.get(brand)?.number ?? -1;
    return this.#with(instance, (found) => {
      const row = number < 0 ? -1 : found.players.find(number, player);
      return statusRecord(this.state, found, brand, player, row);
    });
  }

  /** In order of appearance; `optedIn` null: both; of players of these `owners` (empty: of all). */
  optIns(instance: string, optedIn: boolean | null, offset: number, limit: number, owners: string[] = []) {
    return this.optInPage(instance, { optedIn, owners, offset, limit })?.statuses ?? null;
  }

  /** The same with the players' rows, and with the total where `countsTo` asks for it. */
  optInPage = (instance: string, question: OptInQuestion) =>
    this.#with(instance, (found) => optInsOf(this.state, found, question));

  playerOptIns(brand: string, player: string, offset: number, limit: number): readonly OptInStatusRecord[] {
    return optInsOfPlayer(this.state, brand, player, offset, limit);
  }

  /** How far a bulk opt-in is, and its errors from `offset` on, at most 500; null: no such job. */
  bulkOptIn = (job: string, offset: number) => bulkStatus(this.state, job, offset);
  /** Newest first, at most 500; empty pot or brand: any. */
  winners = (instance: string, pot: string, brand: string, limit: number): readonly WinnerRecord[] | null =>
    this.#with(instance, (found) => found.winners.newest(pot, brand, limit));
  /** Epochs that the state still holds: begun ones in order, then committed ones. */
  epochs = (instance: string): readonly EpochRecord[] | null =>
    this.#with(instance, (found) => epochRecords(found, this.state.settings.epochMs));

  /**
   * The header of an epoch that would begin now, as JSON; for a terminal instance, the end of its last one.
   */
  closing(instance: string): string | null {
    return this.#with(instance, (found) =>
      closingHeaderOf(this.state.hashing, found, this.state.rules.drawRules),
    );
  }

  /** What the owner has to write for epochs; of at most `limit` instances. */
  epochTasks(limit = Number.POSITIVE_INFINITY): readonly EpochTask[] {
    const tasks: EpochTask[] = [];
    for (const instance of this.state.withOwnerTasks) {
      if (tasks.length >= limit) break;
      const task = ownerTaskOf(instance);
      if (task === null) this.state.withOwnerTasks.delete(instance);
      else tasks.push(task);
    }
    return tasks;
  }

  epochTask = (instance: string): EpochTask | null => this.#with(instance, ownerTaskOf);
  /** Work that is cut into steps: the owner writes Continue commands for it, in order of steps. */
  jobs = (): readonly Job[] => jobsOf(this.state);
  tickets = (question: TicketQuestion): readonly TicketRecord[] | null =>
    this.#with(question.instance, (found) => ticketsOf(this.state, found, question));
  /** A player's tickets in the lane's active raffles. */
  playerTickets = (brand: string, player: string, limit: number, offset = 0): readonly TicketRecord[] =>
    ticketsOfPlayer(this.state, brand, player, offset, limit);
  /** Participants of the current round: a slice of the players from `fromRow` on. */
  ticketRows = (instance: string, fromRow: number): TicketRows | null =>
    this.#with(instance, (found) => ticketRowsOf(found, fromRow));
  /** The players of these rows, as `operator:brand:player`. */
  ticketNames = (instance: string, rows: readonly number[]): readonly string[] | null =>
    this.#with(instance, (found) => ticketNamesOf(this.state, found, rows));
  ticketRecords = (instance: string, rows: readonly number[]): readonly TicketRecord[] | null =>
    this.#with(instance, (found) => ticketRecordsOf(this.state, found, rows));
  /** Players of an instance, with those who have only opted in. */
  playerCount = (instance: string): number | null => this.#with(instance, ({ players }) => players.size);

  /** Raffles with a round and more players than that. */
  largeRaffles(minPlayers: number): readonly string[] {
    return [...this.state.instances.values()].flatMap(({ id, raffle, players }) =>
      raffle !== null && raffle.round !== null && players.size > minPlayers ? [id] : [],
    );
  }

  /** A28: previews a switch to a new instance. */
  previewSwitch(
    instance: string,
    target: CreateInstance,
    rules: readonly TransferRule[],
    override: boolean,
  ): SwitchPreview | Refusal {
    return previewSwitch(this.state, instance, target, rules, override);
  }

  /** Debits that are not settled, with a number above `after`. */
  openDebits = (after: number, limit: number): readonly DebitRecord[] =>
    this.state.debits.page(after, limit, () => true);

  /** Credits in one of the states (empty: any) and of a batch (empty: any). */
  openCredits(
    after: number,
    limit: number,
    states: readonly CreditState[],
    batch: string,
  ): readonly CreditRecord[] {
    return this.state.credits.page(after, limit, ({ state, batchId }) => {
      return (states.length === 0 || states.includes(state)) && (batch === '' || batchId === batch);
    });
  }

  openCredit = (transactionId: string): CreditRecord | null => this.state.credits.get(transactionId);
  openSettlement = (transactionId: string): SettlementRecord | null =>
    openSettlement(this.state, transactionId);
  /** A slice of the open debits or credits as columns. */
  settlementRows = (query: SettlementRowsQuery): SettlementRows => settlementRows(this.state, query);
  /** By their numbers; those that are not open are left out. */
  settlements = (numbers: readonly number[]): readonly SettlementRecord[] =>
    settlementsOf(this.state, numbers);

  openFlushes(offset: number, limit: number): readonly FlushRecord[] {
    const flushes = [...this.state.instances.values()].flatMap(({ flush }) => flush ?? []);
    return flushes.slice(offset, offset + limit);
  }

  /** When the next Tick is due (end of an epoch, reveal deadline, timestamp_start, …); null: none. */
  nextDeadline = (): Deadline | null => this.deadlinesUntil(Number.POSITIVE_INFINITY, 1)[0] ?? null;

  /** Those that are over at `untilMs`, the earliest first. */
  deadlinesUntil(untilMs: number, limit: number): readonly Deadline[] {
    const [waiting] = this.state.touched;
    // The end of the next message looks at all of them first.
    if (waiting !== undefined) return [{ atMs: this.state.nowMs, instance: waiting.id }];
    return this.#movedDeadlines()
      .firstUntil(untilMs, limit)
      .map(({ key, atMs }) => ({ atMs, instance: key.id }));
  }

  deadlineOf = (instance: string): number | null =>
    this.#with(instance, (found) => this.#movedDeadlines().of(found));

  #movedDeadlines(): EarliestFirst<Instance> {
    const { movedDeadlines } = this.state;
    for (const instance of movedDeadlines) this.#deadlines.set(instance, deadlineOf(this.state, instance));
    movedDeadlines.clear();
    return this.#deadlines;
  }

  /**
   * A consistent copy of the state in chunks, between which commands may be applied; it ends the last copy.
   */
  snapshot(): Iterable<Uint8Array> {
    const copy = new SnapshotCopy(this.state);
    this.state.snapshot = copy;
    return copy.chunks();
  }

  #with<T>(instance: string, read: (instance: Instance) => T): T | null {
    const found = this.state.instances.get(instance);
    return found === undefined ? null : read(found);
  }
}
