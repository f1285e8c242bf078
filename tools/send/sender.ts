import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamItem, StreamResult } from '../../sdk/src/index.ts';
import type { RecordPlace } from '../../src/lib/csv/record-cutter.ts';
import type { InputLine } from './contributions.ts';
import type { Tally } from './tally.ts';

/** A line that is under way. */
export interface Sent {
  readonly line: number;
  readonly offset: number;
  readonly ref: string | number | null;
}

/** How far the input is, at one moment. */
export interface Progress {
  readonly next: RecordPlace;
  readonly open: readonly (readonly [number, number])[];
}

/** Contributions in, results out; `send` of one stream. */
export type Send = (items: AsyncIterable<StreamItem<Sent>>) => AsyncIterable<StreamResult<Sent>>;

export interface SenderInput {
  readonly lines: AsyncIterator<InputLine>;
  readonly from: Progress;
  readonly tally: Tally;
  /** Contributions a second; null: as many as go. */
  readonly rate: number | null;
  /** A line of the results file, with its line feed. May be asked to wait. */
  readonly write: (text: string) => Promise<void> | undefined;
}

const minSleepMs = 5;
const maxSleepMs = 200;
const localCode = 'invalid_line';

/**
 * Takes lines from the input for any number of streams, and turns each one's result into a line and a count.
 */
export class Sender {
  readonly #input: SenderInput;
  readonly #open = new Map<number, number>();
  readonly #before: ReadonlyMap<number, number>;
  #next: RecordPlace;
  #isStopped = false;
  #isEnded = false;
  #taking: Promise<InputLine | null> = Promise.resolve(null);
  #beganMs = 0;
  #sent = 0;

  constructor(input: SenderInput) {
    this.#input = input;
    this.#next = input.from.next;
    // Until they are taken again, they stay open in the journal.
    this.#before = new Map(input.from.open);
    for (const [line, offset] of input.from.open) this.#open.set(line, offset);
  }

  get progress(): Progress {
    return { next: this.#next, open: [...this.#open] };
  }

  /** The whole input has its results. */
  get isDone(): boolean {
    return this.#isEnded && this.#open.size === 0;
  }

  /** No more lines are taken. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Sends with one stream until the input ends. Several may run at once. */
  async run(send: Send): Promise<void> {
    for await (const result of send(this.#items())) {
      const waiting = this.#take(result);
      if (waiting !== undefined) await waiting;
    }
  }

  async *#items(): AsyncGenerator<StreamItem<Sent>> {
    for (;;) {
      const line = await this.#nextLine();
      if (line === null) return;
      const { ref, line: number, offset } = line;
      if ('contribution' in line)
        yield { ref: { ref, line: number, offset }, contribution: line.contribution };
    }
  }

  /** One stream after the other. */
  #nextLine(): Promise<InputLine | null> {
    this.#taking = this.#taking.then(() => this.#takeLine());
    return this.#taking;
  }

  async #takeLine(): Promise<InputLine | null> {
    while (!this.#isStopped) {
      const { value: line, done } = await this.#input.lines.next();
      if (done === true) {
        this.#isEnded = true;
        return null;
      }
      const isBehind = line.line >= this.#next.line;
      if (!isBehind && !this.#before.has(line.line)) continue;
      if (isBehind) {
        this.#open.set(line.line, line.offset);
        this.#next = line.behind;
      }
      if ('contribution' in line) {
        await this.#pace();
        return line;
      }
      const waiting = this.#refuseLocally(line, line.fault);
      if (waiting !== undefined) await waiting;
    }
    return null;
  }

  async #pace(): Promise<void> {
    const { rate } = this.#input;
    if (rate === null) return;
    const nowMs = performance.now();
    if (this.#sent === 0) this.#beganMs = nowMs;
    const dueMs = this.#beganMs + (this.#sent * 1000) / rate;
    this.#sent += 1;
    for (
      let aheadMs = dueMs - nowMs;
      aheadMs >= minSleepMs && !this.#isStopped;
      aheadMs = dueMs - performance.now()
    )
      await sleep(Math.min(aheadMs, maxSleepMs));
  }

  #take(result: StreamResult<Sent>): Promise<void> | undefined {
    const { tally } = this.#input;
    const { line, ref } = result.ref;
    const { idempotency_key } = result;
    if (!result.ok) {
      const { error, outcome } = result;
      tally.refuse(error.code, line);
      return this.#record(line, { line, ref, idempotency_key, status: 'refused', error, outcome });
    }
    const { results, replayed, contribution_id } = result;
    tally.accept(results, replayed);
    const status = replayed ? 'repeated' : 'applied';
    const accepted = contribution_id === null ? {} : { contribution_id };
    return this.#record(line, { line, ref, idempotency_key, status, results, ...accepted });
  }

  #refuseLocally({ line, ref, key }: InputLine, message: string): Promise<void> | undefined {
    this.#input.tally.refuse(localCode, line);
    const error = { status_code: null, code: localCode, message, retry_after_ms: null };
    return this.#record(line, {
      line,
      ref,
      idempotency_key: key,
      status: 'refused',
      error,
      outcome: 'not_applied',
    });
  }

  #record(line: number, value: object): Promise<void> | undefined {
    this.#open.delete(line);
    return this.#input.write(`${JSON.stringify(value)}\n`);
  }
}
