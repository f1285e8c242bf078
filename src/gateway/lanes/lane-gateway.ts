import type { LaneFault } from '../../directory/lane-conditions.ts';
import { Durations } from '../../lib/durations.ts';
import { fnv1a32 } from '../../lib/hashes.ts';
import { pause } from '../../lib/pauses.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import type { ReceivedReply } from '../../messages/bus-messages.ts';
import {
  decodeBatchReply,
  decodeHeartbeat,
  decodeLaneQueryAnswer,
  decodeOutcomeRecord,
  encodeLaneQueryRequest,
} from '../../messages/codec/codec.ts';
import type { Command } from '../../messages/commands.ts';
import type { LaneQuery, LaneQueryAnswer } from '../../messages/queries.ts';
import { replyChangesOf } from '../../messages/reply-changes.ts';
import { type Bus, isUnreadable, LogError } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import type { Batch, BatchOutcomes } from './batch.ts';
import { FullLanes } from './full-lanes.ts';
import { type BatcherPorts, LaneBatcher } from './lane-batcher.ts';
import type { LaneAnswer, LaneCaller, LaneClient, LogPosition, RecordedCommand } from './lane-client.ts';
import { gapBoundsSeconds, LanePulse, type LaneTraffic, PastEnd } from './lane-health.ts';
import { batchLimits } from './limits.ts';
import { PendingAnswers, type PendingCommand } from './pending-answers.ts';
import { RecordedMessages, recordedMessage } from './recorded-outcome.ts';

const appendBoundsSeconds = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

/** Subjects of the bus (they are named in src/log). */
export interface LaneSubjects {
  reply(gateway: string): string;
  query(lane: number): string;
  heartbeat(lane: number): string;
}

interface LaneGatewayOptions extends BatcherPorts {
  readonly bus: Bus;
  readonly subjects: LaneSubjects;
  readonly lanes: number;
  /** Why nothing can be asked of a lane now; absent: no fault is known. */
  readonly laneFault?: (lane: number) => LaneFault | null;
  /** Name of this gateway process, unique among all; a part of a subject. */
  readonly gateway: string;
}

/** The way of this gateway into all lanes: a batcher a lane, one inbox for answers, queries, reading back. */
export class LaneGateway implements LaneClient {
  readonly lanes: number;
  /** From the publication of a batch to its acknowledgement. */
  readonly appends = new Durations(appendBoundsSeconds);
  /** How long lanes went without an owner. */
  readonly gaps = new Durations(gapBoundsSeconds);
  readonly #options: LaneGatewayOptions;
  readonly #batchers: readonly LaneBatcher[];
  readonly #pulses: readonly LanePulse[];
  readonly #pastEnds: readonly PastEnd[];
  /** Each lane's batches, oldest first; nearly always answered in this order. */
  readonly #expected: readonly Batch[][];
  readonly #laneOfGroup = new Map<string, number>();
  /** The highest sequence of each lane that a caller has seen the effect of. */
  readonly #shown: Float64Array;
  readonly #listeners: ((reply: ReceivedReply) => void)[] = [];
  readonly #pending: PendingAnswers;
  readonly #full: FullLanes;
  readonly #recorded = new RecordedMessages();
  readonly #subscriptions: { stop(): void }[] = [];

  constructor(options: LaneGatewayOptions) {
    this.#options = options;
    this.lanes = options.lanes;
    this.#shown = new Float64Array(options.lanes);
    this.#pending = new PendingAnswers(options.clock, (pending) => this.#findAnswer(pending), options.report);
    this.#full = new FullLanes(options.lanes);
    this.#expected = Array.from({ length: options.lanes }, () => []);
    this.#batchers = Array.from({ length: options.lanes }, (_, lane) => this.#createBatcher(lane));
    this.#pulses = this.#batchers.map(({ lag }) => new LanePulse(options.clock, lag, this.gaps));
    this.#pastEnds = this.#batchers.map(() => new PastEnd(options.clock));
    const { bus, subjects } = options;
    this.#subscriptions.push(
      bus.subscribe(subjects.reply(options.gateway), (message) => this.#onReply(message.bytes)),
    );
    for (let lane = 0; lane < options.lanes; lane += 1) {
      this.#subscriptions.push(
        bus.subscribe(subjects.heartbeat(lane), (message) => {
          this.#onHeartbeat(lane, message.bytes);
          this.#pulses[lane]!.observe();
        }),
      );
    }
  }

  laneOf(group: string): number {
    const known = this.#laneOfGroup.get(group);
    if (known !== undefined) return known;
    const lane = fnv1a32(group) % this.lanes;
    // Only known groups are asked for, so there are no more than instances' owners.
    this.#laneOfGroup.set(group, lane);
    return lane;
  }

  send(
    lane: number,
    command: Command,
    stored?: (position: LogPosition) => void,
    trace?: TraceParent,
  ): Promise<LaneAnswer> {
    this.#requireRoom(lane, command);
    return this.#batchers[lane]!.send(command, stored, trace);
  }

  submit(lane: number, command: Command, caller: LaneCaller): void {
    this.#requireRoom(lane, command);
    this.#batchers[lane]!.submit(command, caller);
  }

  async timeOf(lane: number, sequence: number): Promise<number> {
    try {
      const message = await this.#options.log.readCommand(lane, sequence);
      if (message !== null) return message.timestampMs;
    } catch (error) {
      if (!(error instanceof LogError && error.retryable)) throw error;
    }
    throw new PublicError('outcome_unknown');
  }

  async readBack(lane: number, sequence: number, index: number): Promise<RecordedCommand> {
    const { clock } = this.#options;
    const deadlineMs = clock.elapsedMs() + batchLimits.deadlineMs;
    for (;;) {
      try {
        const found = await this.#recorded.get(lane, sequence, () =>
          recordedMessage(lane, sequence, this.#options, batchLimits.queryTimeoutMs),
        );
        if (found !== null) {
          const { commands, record } = found;
          const command = commands[index];
          const outcome = record.outcomes[index];
          if (command === undefined || outcome === undefined) throw new PublicError('outcome_unknown');
          this.#show(lane, sequence);
          return { command, outcome, lane, sequence, index, timestampMs: record.timestampMs };
        }
      } catch (error) {
        // The message can no longer be read: its outcome stays unknown.
        if (isUnreadable(error)) throw new PublicError('outcome_unknown');
        if (!(error instanceof LogError && error.retryable)) throw error;
      }
      if (clock.elapsedMs() >= deadlineMs) throw new PublicError('outcome_unknown');
      await pause(clock, batchLimits.rebuildPollMs);
    }
  }

  async query(lane: number, query: LaneQuery): Promise<LaneQueryAnswer> {
    const { bus, clock, subjects } = this.#options;
    const request = encodeLaneQueryRequest({ minSequence: this.#shown[lane]!, query });
    const deadlineMs = clock.elapsedMs() + batchLimits.deadlineMs;
    for (;;) {
      this.#requireLane(lane);
      try {
        const bytes = await bus.request(subjects.query(lane), request, batchLimits.queryTimeoutMs);
        return decodeLaneQueryAnswer(bytes);
      } catch (error) {
        if (!(error instanceof LogError && error.retryable)) throw error;
      }
      // A lane that is changing hands answers within two seconds.
      if (clock.elapsedMs() + batchLimits.rebuildPollMs >= deadlineMs) throw new PublicError('overloaded');
      await pause(clock, batchLimits.rebuildPollMs);
    }
  }

  onReply(listener: (reply: ReceivedReply) => void): void {
    this.#listeners.push(listener);
  }

  pastEnd(lane: number): number {
    return this.#pastEnds[lane]?.sequence ?? 0;
  }

  /** The condition of each lane, as far as this gateway knows. */
  status(): LaneTraffic[] {
    return this.#batchers.map((batcher, lane) => ({
      outstanding: batcher.outstanding,
      lagMs: batcher.lag.ageMs(),
      silentMs: this.#pulses[lane]!.silentMs(),
      health: this.#pulses[lane]!.health(),
    }));
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
    this.#pending.stop();
  }

  #requireRoom(lane: number, command: Command): void {
    this.#requireLane(lane);
    this.#full.check(lane, command.kind);
    if (command.kind === 'Contribute' && command.wallet && command.callback === null) {
      if (!this.#pending.hasRoom(command.brand)) throw new PublicError('wallet_unavailable');
    }
  }

  #requireLane(lane: number): void {
    const fault = this.#options.laneFault?.(lane) ?? null;
    if (fault !== null) throw new PublicError(fault);
  }

  #createBatcher(lane: number): LaneBatcher {
    const expected = this.#expected[lane]!;
    return new LaneBatcher(lane, this.#options, {
      gateway: this.#options.gateway,
      appends: this.appends,
      expect: (batch) => void expected.push(batch),
      forget: (batch) => {
        expected.splice(expected.indexOf(batch), 1);
        if (batch.sequence > 0) this.#show(lane, batch.sequence);
      },
      rebuild: (_, batch) => this.#rebuild(lane, batch),
      pend: ({ id: batchId, sequence, deadlineMs }, entry, index) =>
        this.#pending.add({
          batchId,
          lane,
          sequence,
          index,
          deadlineMs: deadlineMs + batchLimits.pendingGraceMs,
          brand: entry.command.kind === 'Contribute' ? entry.command.brand : '',
          entry,
        }),
    });
  }

  /** An unreadable heartbeat is of another version: the read model judges the lane. */
  #onHeartbeat(lane: number, bytes: Uint8Array): void {
    try {
      const { condition, storedOutcome } = decodeHeartbeat(bytes);
      this.#full.observe(lane, condition);
      this.#batchers[lane]!.lag.advanced(storedOutcome);
      this.#pastEnds[lane]!.advanced(storedOutcome);
    } catch (error) {
      if (!(error instanceof LogError)) throw error;
    }
  }

  #onReply(bytes: Uint8Array): void {
    const reply = decodeBatchReply(bytes);
    this.#notifyListeners(reply);
    if (reply.late.length > 0) {
      this.#show(reply.lane, reply.sequence);
      this.#pending.arrived(reply);
      return;
    }
    const { buffer, byteOffset, byteLength } = reply.batchId;
    const id = Buffer.from(buffer, byteOffset, byteLength).toString('hex');
    const batch = this.#expected[reply.lane]?.find((each) => each.id === id);
    if (batch === undefined) return;
    // A batch has commands: an answer without outcomes says that they are in the log.
    if (reply.outcomes.length === 0) this.#batchers[reply.lane]!.answeredInLog(batch);
    else this.#batchers[reply.lane]!.answered(batch, reply);
  }

  #notifyListeners(reply: ReceivedReply): void {
    for (const listener of this.#listeners) listener(reply);
  }

  async #findAnswer({ lane, sequence, index }: PendingCommand): Promise<LaneAnswer | null> {
    const answer = await this.query(lane, { kind: 'pending_answer', sequence, index });
    if (answer.kind !== 'pending_answer' || answer.position === null) return null;
    const { outcome, timestampMs } = await this.readBack(
      lane,
      answer.position.sequence,
      answer.position.index,
    );
    if (outcome.kind !== 'Settled') throw new Error(`A debit was settled by ${outcome.kind}.`);
    const settled = outcome.contributions.find((each) => each.sequence === sequence && each.index === index);
    if (settled === undefined) throw new Error('A contribution is not among those that were settled.');
    return { outcome: settled.result, lane, sequence, index, timestampMs };
  }

  async #rebuild(lane: number, batch: Batch): Promise<BatchOutcomes | null> {
    const { sequence } = batch;
    const recorded = await this.#options.log.readOutcome(lane, sequence);
    if (recorded === null) return null;
    this.#batchers[lane]!.lag.advanced(sequence);
    const { outcomes, events, timestampMs } = decodeOutcomeRecord(recorded.bytes);
    const reply = {
      lane,
      sequence,
      timestampMs,
      outcomes,
      ...replyChangesOf(events),
      allLiveValues: [],
      late: [],
    };
    // A caller answered from the log reads its own write as well.
    if (!batch.settled) this.#notifyListeners({ ...reply, batchId: Buffer.from(batch.id, 'hex') });
    return reply;
  }

  #show(lane: number, sequence: number): void {
    if (sequence > this.#shown[lane]!) this.#shown[lane] = sequence;
  }
}
