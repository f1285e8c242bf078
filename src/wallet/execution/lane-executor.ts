import { crash } from '../../lib/crash.ts';
import { WakeablePauses } from '../../lib/pauses.ts';
import { decodeOutcomeRecord } from '../../messages/codec/codec.ts';
import type { LaneWork } from '../../messages/settlements.ts';
import { type Follower, LogError, type StoredOutcome } from '../../ports.ts';
import { Credits } from './credits.ts';
import { Debits } from './debits.ts';
import { type ExecutionMonitor, type LaneContext, TracedWork } from './lane-context.ts';
import { LaneQuestions, type LaneQuestionsPorts } from './lane-questions.ts';
import { executionLimits } from './limits.ts';
import type { BrandQueues } from './queues.ts';
import { SettlementWriter } from './settlement-writer.ts';
import { Sweeps } from './sweeps.ts';

interface LaneExecutorPorts extends LaneQuestionsPorts {
  readonly queues: BrandQueues;
  readonly monitor: ExecutionMonitor;
  /** The lane's log does not answer; it is asked again. */
  readonly trouble: (lane: number, error: unknown) => void;
  /** A bug of ours. */
  readonly report: (error: unknown) => void;
}

/** How long reports that are under way may take when the executor stops. */
const lastReportsMs = 1_000;

/**
 * Executes the debits and credits of one lane: those of its outcome records, and those that it has open. Work
 * is known by its transaction id, so meeting it twice does nothing.
 */
export class LaneExecutor {
  readonly debits: Debits;
  readonly credits: Credits;
  readonly #lane: number;
  readonly #ports: LaneExecutorPorts;
  readonly #questions: LaneQuestions;
  readonly #writer: SettlementWriter;
  #newestMs = 0;
  #follower: Follower | null = null;
  readonly #sweeps: Sweeps;
  readonly #traces = new TracedWork();
  readonly #pauses: WakeablePauses;
  #stopped = false;
  readonly #running: Promise<void>[];

  constructor(lane: number, ports: LaneExecutorPorts) {
    const { log, clock, random, queues, monitor, trouble, report } = ports;
    this.#lane = lane;
    this.#ports = ports;
    this.#pauses = new WakeablePauses(clock);
    this.#questions = new LaneQuestions(lane, ports, (timeMs) => this.#see(timeMs));
    const writerTrouble = (error: LogError): void => trouble(lane, error);
    this.#writer = new SettlementWriter(lane, { log, clock, random, trouble: writerTrouble, report });
    const context: LaneContext = {
      ...{ lane, clock, queues, monitor, report, traces: this.#traces },
      questions: this.#questions,
      writer: this.#writer,
      timeMs: () => Math.max(clock.nowMs(), this.#newestMs),
    };
    this.debits = new Debits(context);
    this.credits = new Credits(context);
    this.#sweeps = new Sweeps({
      timeMs: context.timeMs,
      questions: this.#questions,
      debits: this.debits,
      credits: this.credits,
      elapsedMs: () => clock.elapsedMs(),
    });
    this.#running = [this.#follow(), this.#sweepAlways()];
    for (const each of this.#running) each.catch(crash);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#questions.stop();
    this.debits.stop();
    this.credits.stop();
    this.#pauses.wake();
    await this.#follower?.stop();
    await Promise.all([...this.#running, this.#writer.stop(lastReportsMs)]);
  }

  async #follow(): Promise<void> {
    let pauseMs: number = executionLimits.retryMs;
    while (!this.#stopped) {
      try {
        const { log } = this.#ports;
        const from = (await log.lastOutcome(this.#lane)) + 1;
        if (this.#stopped) return;
        this.#follower = log.followOutcomes(this.#lane, from, { wallet: true }, this.#handlers());
        // A sweep finds what was open before.
        this.#sweeps.ask();
        this.#pauses.wake();
        pauseMs = executionLimits.retryMs;
        await this.#follower.done;
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
        if (!this.#stopped) this.#ports.trouble(this.#lane, error);
      }
      if (this.#stopped) return;
      await this.#pauses.pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, executionLimits.maxRetryMs);
    }
  }

  async #sweepAlways(): Promise<void> {
    while (!this.#stopped) {
      try {
        if (this.#follower !== null && this.#sweeps.isDue) await this.#sweeps.run();
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
        if (!this.#stopped) this.#ports.trouble(this.#lane, error);
      }
      if (!this.#stopped) await this.#pauses.pause(executionLimits.retryMs);
    }
  }

  #handlers() {
    return {
      message: (stored: StoredOutcome): void => {
        const record = decodeOutcomeRecord(stored.bytes);
        if (stored.traces !== undefined) this.#traces.take(stored.traces);
        this.#see(record.timestampMs);
        for (const work of record.work) this.#take(work, record.timestampMs);
      },
    };
  }

  #see(timeMs: number): void {
    this.#newestMs = Math.max(this.#newestMs, timeMs);
  }

  #take(work: LaneWork, timestampMs: number): void {
    switch (work.kind) {
      case 'DebitDue':
        this.debits.due(work.debit);
        break;
      case 'CreditDue':
        this.credits.due(work.credit);
        break;
      case 'CreditsDue':
        this.credits.batchDue(work.batch, timestampMs);
        break;
      case 'FlushDue':
        // The outbox has it.
        break;
    }
  }
}
