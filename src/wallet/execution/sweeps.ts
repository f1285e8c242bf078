import { LogError } from '../../ports.ts';
import type { Credits } from './credits.ts';
import type { Debits } from './debits.ts';
import type { LaneQuestions } from './lane-questions.ts';
import { executionLimits } from './limits.ts';

interface SweepsPorts {
  readonly questions: LaneQuestions;
  readonly debits: Debits;
  readonly credits: Credits;
  /** The process's clock, of which only differences mean something. */
  readonly elapsedMs: () => number;
  /** The lane's time, as far as it was seen. */
  readonly timeMs: () => number;
}

/**
 * Asks a lane for what it has open: at the start, every minute, and once there is room again for rejected
 * work. Nothing is taken from an answer before the records of the state that it shows are stored.
 */
export class Sweeps {
  readonly #ports: SweepsPorts;
  #isAsked = true;
  /** The lane's time at the first sweep: a process that has died since may have tried debits from before. */
  #startedMs: number | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** How many jobs there were after the last sweep; null: it found room for everything. */
  #jobsThen: number | null = null;

  constructor(ports: SweepsPorts) {
    this.#ports = ports;
  }

  /** The next sweep is due now. */
  ask(): void {
    this.#isAsked = true;
  }

  get isDue(): boolean {
    const sinceMs = this.#ports.elapsedMs() - this.#lastMs;
    if (this.#isAsked || sinceMs >= executionLimits.sweepEveryMs) return true;
    const { debits, credits } = this.#ports;
    const hasRejected = debits.takeRejected();
    if (credits.takeRejected() || hasRejected) this.#jobsThen ??= this.#jobs;
    const hasRoom = this.#jobsThen !== null && this.#jobs <= this.#jobsThen / 2;
    return hasRoom && sinceMs >= executionLimits.sweepAgainMs;
  }

  /** @throws LogError while the lane does not answer */
  async run(): Promise<void> {
    const { questions, debits, credits } = this.#ports;
    debits.takeRejected();
    credits.takeRejected();
    this.#isAsked = false;
    try {
      const sequence = await questions.recorded();
      this.#startedMs ??= this.#ports.timeMs();
      const startedMs = this.#startedMs;
      await this.#pages(
        debits,
        (after) => questions.openDebits(after, sequence),
        (debit) => (debit.openedMs <= startedMs ? debits.open(debit) : debits.due(debit)),
      );
      debits.swept();
      await this.#pages(
        credits,
        (after) => questions.openCredits(after, sequence, ['pending', 'unknown']),
        (credit) => credits.open(credit),
      );
    } catch (error) {
      if (error instanceof LogError) this.#isAsked = true;
      throw error;
    }
    this.#lastMs = this.#ports.elapsedMs();
    const hasRejected = debits.takeRejected();
    this.#jobsThen = credits.takeRejected() || hasRejected ? this.#jobs : null;
  }

  get #jobs(): number {
    return this.#ports.debits.size + this.#ports.credits.size;
  }

  async #pages<T extends { readonly number: number }>(
    work: { readonly isFull: boolean },
    read: (after: number) => Promise<readonly T[]>,
    take: (item: T) => void,
  ): Promise<void> {
    for (let after = 0; !work.isFull; ) {
      const page = await read(after);
      const last = page.at(-1);
      if (last === undefined) return;
      await this.#ports.questions.recorded();
      for (const item of page) take(item);
      after = last.number;
    }
  }
}
