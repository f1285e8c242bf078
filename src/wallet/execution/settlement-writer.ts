import { assert } from '../../lib/assert.ts';
import { pause } from '../../lib/pauses.ts';
import { type TraceParent, tracer, writeTraces } from '../../lib/tracing.ts';
import { appendSettlement, settlementMessage } from '../../log/lanes/ask-lane.ts';
import type { CreditSettled, DebitSettled } from '../../messages/settlement-commands.ts';
import { type Clock, type Log, LogError, type Random } from '../../ports.ts';
import { settlementLimits } from './limits.ts';

export type Settlement = DebitSettled | CreditSettled;

/** Reports that must be in one message, or none of them. */
interface Report {
  readonly commands: readonly Settlement[];
  /** What the first command is about, where that is sampled. */
  readonly trace: TraceParent | undefined;
  readonly resolve: (sequence: number) => void;
  readonly reject: (error: unknown) => void;
}

interface SettlementWriterPorts {
  readonly log: Log;
  readonly clock: Clock;
  readonly random: Random;
  /** A report cannot be stored for now; it is repeated. */
  readonly trouble: (error: LogError) => void;
  /** A bug of ours; what it kept from being stored is repeated. */
  readonly report: (error: unknown) => void;
}

/**
 * Writes the reports of one lane to its settlement channel, a message at a time: those that come shortly
 * after a message or during one share the next (docs/decisions/0012). A message is repeated until it is
 * stored.
 */
export class SettlementWriter {
  readonly #lane: number;
  readonly #ports: SettlementWriterPorts;
  readonly #queue: Report[] = [];
  /** How many reports go out by themselves: one of them cannot be written. */
  #alone = 0;
  #isInFlight = false;
  #isDue = false;
  #lastMs = Number.NEGATIVE_INFINITY;
  #stopped = false;
  #idle = () => {};

  constructor(lane: number, ports: SettlementWriterPorts) {
    this.#lane = lane;
    this.#ports = ports;
  }

  /** Reports that are not stored yet. */
  get open(): number {
    return this.#queue.length + (this.#isInFlight ? 1 : 0);
  }

  /**
   * Resolves with the sequence of the message, once it is stored; never, if the writer stops before. Rejects
   * where the report cannot be written at all, which is a bug of ours.
   */
  write(commands: readonly Settlement[], trace?: TraceParent): Promise<number> {
    assert(
      weightOf(commands) <= settlementLimits.messageWeight &&
        bytesOf(commands) <= settlementLimits.messageBytes,
      'a report fits one message',
    );
    return new Promise((resolve, reject) => {
      this.#queue.push({ commands, trace, resolve, reject });
      this.#flushSoon();
    });
  }

  /** Waits for what is under way, at most so long. */
  async stop(waitMs: number): Promise<void> {
    if (this.open > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#idle = resolve;
      });
      await Promise.race([idle, pause(this.#ports.clock, waitMs)]);
    }
    this.#stopped = true;
    this.#queue.length = 0;
  }

  #flushSoon(): void {
    if (this.#isDue || this.#isInFlight || this.#queue.length === 0 || this.#stopped) return;
    this.#isDue = true;
    const flush = (): void => {
      this.#isDue = false;
      this.#flush();
    };
    const { clock } = this.#ports;
    const pauseMs = this.#lastMs + settlementLimits.gatherMs - clock.elapsedMs();
    if (pauseMs > 0) clock.after(pauseMs, flush);
    else queueMicrotask(flush);
  }

  #flush(): void {
    if (this.#queue.length === 0 || this.#stopped) return;
    const reports = this.#nextMessage();
    this.#isInFlight = true;
    this.#lastMs = this.#ports.clock.elapsedMs();
    this.#append(reports)
      .then(
        (sequence) => {
          if (sequence !== null) for (const { resolve } of reports) resolve(sequence);
        },
        (error: unknown) => this.#cannotWrite(reports, error),
      )
      .finally(() => {
        this.#isInFlight = false;
        this.#flushSoon();
        if (this.open === 0) this.#idle();
      });
  }

  #cannotWrite(reports: readonly Report[], error: unknown): void {
    if (reports.length === 1) reports[0]?.reject(error);
    else {
      this.#queue.unshift(...reports);
      this.#alone = reports.length;
    }
  }

  #nextMessage(): readonly Report[] {
    if (this.#alone > 0) {
      this.#alone -= 1;
      return this.#queue.splice(0, 1);
    }
    const { messageWeight, messageBytes } = settlementLimits;
    let weight = 0;
    let bytes = 0;
    let count = 0;
    for (const { commands } of this.#queue) {
      weight += weightOf(commands);
      bytes += bytesOf(commands);
      if (count > 0 && (weight > messageWeight || bytes > messageBytes)) break;
      count += 1;
    }
    return this.#queue.splice(0, count);
  }

  /** null: stopped. */
  async #append(reports: readonly Report[]): Promise<number | null> {
    const { log, clock, random, trouble, report } = this.#ports;
    const commands = reports.flatMap((report) => report.commands);
    const traces = tracesOf(reports);
    const message = settlementMessage(random, commands);
    let pauseMs: number = settlementLimits.retryMs;
    while (!this.#stopped) {
      try {
        return await appendSettlement(log, this.#lane, message, traces);
      } catch (error) {
        if (error instanceof LogError) trouble(error);
        else report(error);
      }
      await pause(clock, pauseMs);
      pauseMs = Math.min(2 * pauseMs, settlementLimits.maxRetryMs);
    }
    return null;
  }
}

/** By the places of the commands in the message; undefined: none is sampled. */
function tracesOf(reports: readonly Report[]): string | undefined {
  if (tracer === null) return undefined;
  const traces = new Map<string, TraceParent>();
  let index = 0;
  for (const { commands, trace } of reports) {
    if (trace !== undefined) traces.set(String(index), trace);
    index += commands.length;
  }
  return traces.size === 0 ? undefined : writeTraces(traces);
}

/** What the outcome of the commands may take, in outcomes of a credit. */
function weightOf(commands: readonly Settlement[]): number {
  return commands.reduce(
    (sum, command) =>
      sum + (command.kind === 'DebitSettled' ? settlementLimits.debitWeight : command.transactionIds.length),
    0,
  );
}

/** The most bytes of a command without its ids and its reason, and of an id. */
const bytesOfCommand = 16;
const bytesOfId = 38;
const bytesOfDebit = 96;

/** What the commands take in the message at most. */
function bytesOf(commands: readonly Settlement[]): number {
  return commands.reduce((sum, command) => {
    if (command.kind === 'DebitSettled') return sum + bytesOfDebit;
    const { transactionIds, reason } = command;
    return sum + bytesOfCommand + bytesOfId * transactionIds.length + Buffer.byteLength(reason);
  }, 0);
}
