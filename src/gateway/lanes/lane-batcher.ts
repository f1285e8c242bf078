import { crash } from '../../lib/crash.ts';
import type { Durations } from '../../lib/durations.ts';
import { pause } from '../../lib/pauses.ts';
import type { TraceParent } from '../../lib/tracing.ts';
import { encodeCommandBatch } from '../../messages/codec/codec.ts';
import type { Command } from '../../messages/commands.ts';
import { type Clock, type Log, LogError, type Random } from '../../ports.ts';
import { PublicError } from '../base/errors.ts';
import { Batch, type BatchOutcomes, BatchSize, Callers, commandSizeBytes, type Waiting } from './batch.ts';
import { type BatchTraces, traceBatch } from './batch-traces.ts';
import type { LaneAnswer, LaneCaller, LogPosition } from './lane-client.ts';
import { BatchLag } from './lane-health.ts';
import { batchLimits } from './limits.ts';

export interface BatcherPorts {
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  /** Runs a task when the requests at hand have been read: setImmediate, or the simulation's scheduler. */
  readonly defer: (task: () => void) => void;
  /** A fault of ours or of the log that one answer met: its caller gets an unknown outcome. */
  readonly report: (error: unknown) => void;
}

/** The ports of the batcher of a lane. */
interface BatchHost {
  readonly gateway: string;
  readonly appends: Durations;
  /** Answers to the batch are handed to it from now on. */
  expect(batch: Batch): void;
  forget(batch: Batch): void;
  /** Reads the outcomes of an acknowledged batch back from the log; null: they are not there yet. */
  rebuild(lane: number, batch: Batch): Promise<BatchOutcomes | null>;
  /** The answer to one of its commands will come later. */
  pend(batch: Batch, entry: Waiting, index: number): void;
}

/** Gathers the commands of one lane into batches, stores them, and hands each caller its outcome. */
export class LaneBatcher {
  readonly lag: BatchLag;
  readonly #lane: number;
  readonly #ports: BatcherPorts;
  readonly #home: BatchHost;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** When the first of those that wait came. */
  #waitingSinceMs = 0;
  #outstanding = 0;
  readonly #size = new BatchSize();
  /** Bytes of batches that are sent and not answered. */
  #sentBytes = 0;
  #inFlight = 0;
  #flushScheduled = false;
  /** Waiting commands that no wallet delays. */
  #urgent = 0;
  /** And those that are sampled. */
  #sampled = 0;
  #isGathering = false;
  #lastFlushMs = Number.NEGATIVE_INFINITY;
  readonly #callers = new Callers();
  /** Those who wait, wait for the other callers as well; null: they do not. */
  #endWait: (() => void) | null = null;

  constructor(lane: number, ports: BatcherPorts, home: BatchHost) {
    this.#lane = lane;
    this.#ports = ports;
    this.#home = home;
    this.lag = new BatchLag(ports.clock);
  }

  /** Commands that are not answered yet. */
  get outstanding(): number {
    return this.#outstanding;
  }

  send(command: Command, stored?: (position: LogPosition) => void, trace?: TraceParent): Promise<LaneAnswer> {
    this.#requireRoom();
    return new Promise<LaneAnswer>((resolve, reject) => {
      this.#take(command, { resolve, reject }, stored, trace);
    });
  }

  submit(command: Command, caller: LaneCaller): void {
    this.#requireRoom();
    this.#take(command, caller, undefined, undefined);
  }

  #requireRoom(): void {
    if (
      this.#outstanding >= batchLimits.waitingCommands ||
      this.#sentBytes >= batchLimits.sentBytes ||
      this.lag.tooFarBehind()
    ) {
      throw new PublicError('overloaded');
    }
  }

  #take(command: Command, caller: LaneCaller, stored: Waiting['stored'], trace: Waiting['trace']): void {
    const sizeBytes = commandSizeBytes(command);
    this.#enqueue({ command, sizeBytes, retryUntilMs: null, stored, trace, caller });
  }

  #enqueue(entry: Waiting): void {
    const { sizeBytes } = entry;
    if (this.#waiting.length > 0 && this.#waitingBytes + sizeBytes > batchLimits.bytes) this.#flush();
    if (this.#waiting.length === 0) this.#waitingSinceMs = this.#ports.clock.elapsedMs();
    this.#outstanding += 1;
    if (!waitsForDebit(entry.command)) this.#urgent += 1;
    if (entry.trace !== undefined) this.#sampled += 1;
    this.#waiting.push(entry);
    this.#waitingBytes += sizeBytes;
    if (this.#waiting.length >= batchLimits.commands || this.#waitingBytes >= batchLimits.bytes)
      this.#flush();
    else this.#flushSoon();
  }

  /** The actor's answer to a batch is too large for the bus: it is read from the log. */
  answeredInLog(batch: Batch): void {
    batch.isInLog = true;
    if (batch.sequence === 0 || batch.settled) return;
    batch.cancelTimer();
    this.#readBack(batch);
  }

  /** The actor's answer to a batch. */
  answered(batch: Batch, outcomes: BatchOutcomes): void {
    if (batch.sequence === 0) batch.answer = outcomes;
    else this.#succeed(batch, outcomes);
  }

  /**
   * Sends the waiting commands when they are all that can be expected, half of many callers, or when nothing
   * is under way and the time in which callers come back is over.
   */
  #flushSoon(): void {
    if (this.#inFlight >= batchLimits.batchesInFlight) return;
    if (this.#urgent === 0 && this.#isGathered()) return;
    const callers = this.#callers;
    callers.saw(this.#outstanding);
    const waiting = this.#waiting.length;
    const isIdle = this.#inFlight === 0;
    if (callers.areHalf(waiting) || (isIdle && callers.areAll(waiting))) this.#flush();
    else if (callers.areAwaited) {
      if (isIdle) this.#awaitCallers();
    } else if (!this.#flushScheduled) {
      this.#flushScheduled = true;
      this.#flushWhenIdle(waiting, batchLimits.idleTurns);
    }
  }

  #awaitCallers(): void {
    this.#endWait ??= this.#ports.clock.after(batchLimits.callersMs, () => {
      this.#endWait = null;
      this.#flush();
      this.#callers.missed(this.#outstanding);
    });
  }

  /** Wallets take milliseconds: contributions that wait for them share messages (docs/decisions/0012). */
  #isGathered(): boolean {
    const { clock } = this.#ports;
    const pauseMs = Math.min(this.#lastFlushMs - clock.elapsedMs(), 0) + batchLimits.gatherMs;
    if (pauseMs <= 0) return false;
    if (!this.#isGathering) {
      this.#isGathering = true;
      clock.after(pauseMs, () => {
        this.#isGathering = false;
        if (this.#waiting.length > 0) this.#flushSoon();
      });
    }
    return true;
  }

  #flushWhenIdle(seen: number, turnsLeft: number): void {
    this.#ports.defer(() => {
      const waiting = this.#waiting.length;
      if (waiting > seen && turnsLeft > 0) {
        this.#flushWhenIdle(waiting, turnsLeft - 1);
        return;
      }
      this.#flushScheduled = false;
      if (waiting > 0 && this.#inFlight === 0) this.#flush();
    });
  }

  #flush(): void {
    const entries = this.#size.isReduced ? this.#waiting.slice(0, this.#size.commands) : this.#waiting;
    this.#waiting = this.#waiting.slice(entries.length);
    this.#waitingBytes = this.#waiting.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    this.#urgent = this.#waiting.filter(({ command }) => !waitsForDebit(command)).length;
    this.#callers.left(this.#endWait !== null);
    this.#endWait?.();
    this.#endWait = null;
    const batchId = this.#ports.random.bytes(16);
    const commands = entries.map((entry) => entry.command);
    const { deadlineMs, minAppendMs } = batchLimits;
    const nowMs = this.#ports.clock.elapsedMs();
    this.#lastFlushMs = nowMs;
    const batch = new Batch(
      Buffer.from(batchId.buffer, batchId.byteOffset, batchId.byteLength).toString('hex'),
      encodeCommandBatch({ batchId, gateway: this.#home.gateway, commands }),
      Math.max(this.#waitingSinceMs + deadlineMs, nowMs + minAppendMs),
      entries,
    );
    const traces = this.#sampled === 0 ? null : this.#trace(entries);
    this.#home.expect(batch);
    this.#sentBytes += batch.bytes.length;
    this.#inFlight += 1;
    this.#store(batch, traces).catch(crash);
  }

  #trace(entries: readonly Waiting[]): BatchTraces | null {
    this.#sampled = this.#waiting.filter(({ trace }) => trace !== undefined).length;
    return traceBatch(this.#lane, entries);
  }

  async #store(batch: Batch, traces: BatchTraces | null): Promise<void> {
    const beganMs = performance.now();
    const sequence = await this.#append(batch, traces?.header);
    traces?.stored(sequence instanceof PublicError ? null : sequence);
    this.#home.appends.observe((performance.now() - beganMs) / 1000);
    this.#inFlight -= 1;
    if (this.#waiting.length > 0) this.#flushSoon();
    if (sequence instanceof PublicError) return this.#fail(batch, sequence);
    batch.acknowledged(sequence);
    this.lag.stored(sequence, batch.commands, batch.bytes.length);
    if (batch.answer !== null) return this.#succeed(batch, batch.answer);
    if (batch.isInLog) return this.#readBack(batch);
    batch.cancelTimer = this.#ports.clock.after(batchLimits.answerGraceMs, () => this.#readBack(batch));
  }

  /** The same bytes under the same id until they are acknowledged or the deadline has passed. */
  async #append(batch: Batch, traces?: string): Promise<number | PublicError> {
    const { clock, log } = this.#ports;
    let mayBeStored = false;
    for (let delayMs: number = batchLimits.retryDelayMs; ; delayMs *= 2) {
      const leftMs = batch.deadlineMs - clock.elapsedMs();
      if (leftMs <= 0) break;
      try {
        const timeoutMs = Math.min(leftMs, batchLimits.appendTimeoutMs);
        const options = { messageId: batch.id, timeoutMs, traces };
        const result = await log.append(this.#lane, 'batch', batch.bytes, options);
        if (result.kind === 'stored') return result.sequence;
        mayBeStored = true;
        break;
      } catch (error) {
        const isOutage = error instanceof LogError;
        if (!isOutage) this.#ports.report(error);
        if (!isOutage || error.code === 'unknown') mayBeStored = true;
        if (!isOutage || !error.retryable) break;
      }
      const pauseMs = Math.min(delayMs, batchLimits.maxRetryDelayMs, batch.deadlineMs - clock.elapsedMs());
      if (pauseMs > 0) await pause(clock, pauseMs);
    }
    // The actor's answer proves that it is stored, whatever became of the acknowledgement; but not where.
    return new PublicError(mayBeStored || batch.answer !== null ? 'outcome_unknown' : 'storage_unavailable');
  }

  #readBack(batch: Batch): void {
    this.#rebuild(batch).catch(this.#ports.report);
  }

  /** No answer came: the log has the outcome, at the place in the acknowledgement. */
  async #rebuild(batch: Batch): Promise<void> {
    const { clock } = this.#ports;
    while (!batch.settled && clock.elapsedMs() < batch.deadlineMs) {
      let outcomes: BatchOutcomes | null = null;
      try {
        outcomes = await this.#home.rebuild(this.#lane, batch);
      } catch (error) {
        if (!(error instanceof LogError && error.retryable)) {
          this.#fail(batch, new PublicError('outcome_unknown'));
          throw error;
        }
      }
      if (outcomes !== null) return this.#succeed(batch, outcomes);
      await pause(clock, batchLimits.rebuildPollMs);
    }
    this.#fail(batch, new PublicError('outcome_unknown'));
  }

  #succeed(batch: Batch, outcomes: BatchOutcomes): void {
    if (batch.settled) return;
    this.#outstanding -= batch.commands;
    this.#sentBytes -= batch.bytes.length;
    this.#home.forget(batch);
    const later = (entry: Waiting, index: number): void => this.#home.pend(batch, entry, index);
    const overCapacity = batch.succeed(this.#lane, outcomes, later);
    this.#size.answered(batch.commands, overCapacity.length);
    for (const { entry, answer } of overCapacity) {
      entry.retryUntilMs ??= batch.deadlineMs;
      if (this.#ports.clock.elapsedMs() < entry.retryUntilMs) this.#enqueue(entry);
      else entry.caller.resolve(answer);
    }
  }

  #fail(batch: Batch, error: PublicError): void {
    if (batch.settled) return;
    this.#outstanding -= batch.commands;
    this.#sentBytes -= batch.bytes.length;
    this.#home.forget(batch);
    batch.fail(error);
  }
}

/** The gateway has authenticated its player at a wallet, which it most likely waits for. */
function waitsForDebit(command: Command): boolean {
  return command.kind === 'Contribute' && command.wallet;
}
