import { EarliestFirst } from '../../lib/earliest-first.ts';
import type { CreateInstance, TransferRule } from '../../messages/instance-commands.ts';
import type { LiveValuesSink } from '../../messages/live-values.ts';
import type { RowError } from '../../messages/outcomes.ts';
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
import { jobsOf } from '../commands/continue/continue.ts';
import { bulkStatus } from '../commands/opt-in/bulk.ts';
import { deadlineOf } from '../commands/status/tick.ts';
import { describe, liveValues, visitLiveValues } from '../rules/descriptions/describe.ts';
import { closingHeaderOf } from '../rules/epochs/header.ts';
import { statusRecord } from '../rules/opt-ins/status.ts';
import type { Job } from '../rules/steps/work.ts';
import type { Instance } from '../state/instance/instance.ts';
import { firstUse } from '../state/lane/first-use.ts';
import type { LaneState } from '../state/lane/lane-state.ts';
import { accountsOf } from '../state/money/ledger.ts';
import type { Deadline } from './engine.ts';
import type { EpochTask } from './queries/epochs.ts';
import { epochRecords, ownerTaskOf } from './queries/epochs.ts';
import { optInsOf, optInsOfPlayer } from './queries/opt-ins.ts';
import { previewSwitch, type SwitchPreview } from './queries/preview.ts';
import {
  openSettlement,
  type SettlementRows,
  settlementRows,
  settlementsOf,
} from './queries/settlement-rows.ts';
import { type TicketRows, ticketNamesOf, ticketRecordsOf, ticketRowsOf } from './queries/ticket-rows.ts';
import { type TicketQuestion, ticketsOf, ticketsOfPlayer } from './queries/tickets.ts';
import { SnapshotCopy } from './snapshots/copy.ts';

/** The queries of a lane; they change nothing. */
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

  get engineVersion(): number {
    return this.state.engineVersion;
  }

  keys(): { readonly count: number; readonly oldestMs: number | null } {
    const { size, oldestMs } = this.state.keys;
    return { count: size, oldestMs };
  }

  instances(): Iterable<string> {
    return this.state.instances.keys();
  }

  get hasInstances(): boolean {
    return this.state.instances.size > 0;
  }

  describe(instance: string): InstanceDescription | null {
    return this.#with(instance, describe);
  }

  liveValues(instance: string): LiveValues | null {
    return this.#with(instance, liveValues);
  }

  writeLiveValues(instance: string, sink: LiveValuesSink): void {
    this.#with(instance, (found) => visitLiveValues(found, sink));
  }

  bindings(): Iterable<BindingList> {
    return this.state.bindings.all();
  }

  /** [owner/segment, priority] of every segment that the lane knows. */
  segmentPriorities(): readonly (readonly [key: string, priority: number])[] {
    return this.state.bindings.segmentPriorities();
  }

  optInStatus(instance: string, brand: string, player: string): OptInStatusRecord | null {
    return this.#with(instance, (found) => {
      const number = this.state.brands.get(brand)?.number ?? -1;
      return statusRecord(
        this.state,
        found,
        brand,
        player,
        number < 0 ? -1 : found.players.find(number, player),
      );
    });
  }

  optIns(
    instance: string,
    optedIn: boolean | null,
    offset: number,
    limit: number,
    owners: readonly string[] = [],
  ): readonly OptInStatusRecord[] | null {
    return this.#with(instance, (found) => optInsOf(this.state, found, optedIn, offset, limit, owners));
  }

  playerOptIns(brand: string, player: string, offset: number, limit: number): readonly OptInStatusRecord[] {
    return optInsOfPlayer(this.state, brand, player, offset, limit);
  }

  /** Newest first; empty pot or brand: any. */
  winners(instance: string, pot: string, brand: string, limit: number): readonly WinnerRecord[] | null {
    return this.#with(instance, (found) => found.winners.newest(pot, brand, limit));
  }

  accounts(instance: string): readonly (readonly [name: string, atoms: bigint])[] | null {
    return this.#with(instance, (found) =>
      accountsOf(
        found.balances,
        found.pots.map((pot) => pot.effective.id),
      ),
    );
  }

  epochs(instance: string): readonly EpochRecord[] | null {
    return this.#with(instance, (found) => epochRecords(found, this.state.settings.epochMs));
  }

  closing(instance: string): string | null {
    return this.#with(instance, (found) =>
      closingHeaderOf(this.state.hashing, found, this.state.rules.drawRules),
    );
  }

  rateVersion(brand: string): number {
    return this.state.rates.version(brand);
  }

  knowsBrand(brand: string): boolean {
    return this.state.brands.get(brand) !== null;
  }

  idempotencyKey(key: Uint8Array, brand = ''): { readonly sequence: number; readonly index: number } | null {
    return firstUse(this.state, key, brand);
  }

  get keysAreOfBrands(): boolean {
    return this.state.rules.keysAreOfBrands;
  }

  /** Keys that the lane remembers, and when the oldest of them came. */
  idempotencyKeys(): { readonly count: number; readonly oldestMs: number | null } {
    return { count: this.state.keys.size, oldestMs: this.state.keys.oldestMs };
  }

  openDebits(after: number, limit: number): readonly DebitRecord[] {
    return this.state.debits.page(after, limit, () => true);
  }

  openCredits(
    after: number,
    limit: number,
    states: readonly CreditState[],
    batch: string,
  ): readonly CreditRecord[] {
    return this.state.credits.page(after, limit, (credit) => {
      return (
        (states.length === 0 || states.includes(credit.state)) && (batch === '' || credit.batchId === batch)
      );
    });
  }

  openCredit(transactionId: string): CreditRecord | null {
    return this.state.credits.get(transactionId);
  }

  openSettlement(transactionId: string): SettlementRecord | null {
    return openSettlement(this.state, transactionId);
  }

  settlementRows(query: SettlementRowsQuery): SettlementRows {
    return settlementRows(this.state, query);
  }

  settlements(numbers: readonly number[]): readonly SettlementRecord[] {
    return settlementsOf(this.state, numbers);
  }

  openFlushes(offset: number, limit: number): readonly FlushRecord[] {
    const flushes: FlushRecord[] = [];
    for (const { flush } of this.state.instances.values()) if (flush !== null) flushes.push(flush);
    return flushes.slice(offset, offset + limit);
  }

  pendingAnswer(sequence: number, index: number) {
    const { debits } = this.state;
    return {
      position: debits.answerTo(sequence, index),
      open: debits.contribution(sequence, index) !== null,
    };
  }

  epochTasks(_nowMs: number, limit = Number.POSITIVE_INFINITY): readonly EpochTask[] {
    const tasks: EpochTask[] = [];
    for (const instance of this.state.withOwnerTasks) {
      if (tasks.length >= limit) break;
      const task = ownerTaskOf(instance);
      if (task === null) this.state.withOwnerTasks.delete(instance);
      else tasks.push(task);
    }
    return tasks;
  }

  epochTask(instance: string): EpochTask | null {
    return this.#with(instance, ownerTaskOf);
  }

  jobs(): readonly Job[] {
    return jobsOf(this.state);
  }

  tickets(question: TicketQuestion): readonly TicketRecord[] | null {
    return this.#with(question.instance, (found) => ticketsOf(this.state, found, question));
  }

  playerTickets(brand: string, player: string, limit: number, offset = 0): readonly TicketRecord[] {
    return ticketsOfPlayer(this.state, brand, player, offset, limit);
  }

  ticketRows(instance: string, fromRow: number): TicketRows | null {
    return this.#with(instance, (found) => ticketRowsOf(found, fromRow));
  }

  ticketNames(instance: string, rows: readonly number[]): readonly string[] | null {
    return this.#with(instance, (found) => ticketNamesOf(this.state, found, rows));
  }

  playerCount(instance: string): number | null {
    return this.#with(instance, ({ players }) => players.size);
  }

  largeRaffles(minPlayers: number): readonly string[] {
    const large: string[] = [];
    for (const { id, raffle, players } of this.state.instances.values())
      if (raffle !== null && raffle.round !== null && players.size > minPlayers) large.push(id);
    return large;
  }

  brandPath(number: number): string {
    return this.state.brands.byNumber(number).command.brand;
  }

  ticketRecords(instance: string, rows: readonly number[]): readonly TicketRecord[] | null {
    return this.#with(instance, (found) => ticketRecordsOf(this.state, found, rows));
  }

  previewSwitch(
    instance: string,
    target: CreateInstance,
    rules: readonly TransferRule[],
    override: boolean,
  ): SwitchPreview | Refusal {
    return previewSwitch(this.state, instance, target, rules, override);
  }

  bulkOptIn(
    job: string,
    offset: number,
  ): { readonly remaining: number; readonly errors: readonly RowError[] } | null {
    return bulkStatus(this.state, job, offset);
  }

  nextDeadline(): Deadline | null {
    return this.deadlinesUntil(Number.POSITIVE_INFINITY, 1)[0] ?? null;
  }

  deadlinesUntil(untilMs: number, limit: number): readonly Deadline[] {
    const [waiting] = this.state.touched;
    // The end of the next message looks at all of them first.
    if (waiting !== undefined) return [{ atMs: this.state.nowMs, instance: waiting.id }];
    return this.#movedDeadlines()
      .firstUntil(untilMs, limit)
      .map(({ key, atMs }) => ({ atMs, instance: key.id }));
  }

  deadlineOf(instance: string): number | null {
    return this.#with(instance, (found) => this.#movedDeadlines().of(found));
  }

  #movedDeadlines(): EarliestFirst<Instance> {
    const { movedDeadlines } = this.state;
    for (const instance of movedDeadlines) this.#deadlines.set(instance, deadlineOf(this.state, instance));
    movedDeadlines.clear();
    return this.#deadlines;
  }

  /** One at a time: beginning another one abandons the one before. */
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
