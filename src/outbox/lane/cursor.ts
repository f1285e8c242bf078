import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import { outboxLimits } from '../delivery/limits.ts';
import type { DeliveryTable } from '../store/delivery-table.ts';
import { Stopped } from '../store/persistently.ts';

/** Where a lane continues after a restart: everything before was delivered or is stored. */
export class Cursor {
  readonly #clock: Clock;
  readonly #table: DeliveryTable;
  /** When records that are not done were made, in the order of the records. */
  readonly #open = new Map<number, number>();
  #next: number;
  #written: number;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> = Promise.resolve();
  #isFenced = false;
  readonly #overtaken: () => void;

  constructor(
    from: number,
    {
      clock,
      table,
      overtaken,
    }: { readonly clock: Clock; readonly table: DeliveryTable; readonly overtaken: () => void },
  ) {
    this.#clock = clock;
    this.#table = table;
    this.#overtaken = overtaken;
    this.#next = from;
    this.#written = from;
  }

  /** The lowest sequence that is not done. */
  get sequence(): number {
    for (const sequence of this.#open.keys()) return sequence;
    return this.#next;
  }

  /** The first record that has not come yet. */
  get next(): number {
    return this.#next;
  }

  get openRecords(): number {
    return this.#open.size;
  }

  /** The time of the lowest record that is not done; null: all are. */
  get oldestMs(): number | null {
    for (const timestampMs of this.#open.values()) return timestampMs;
    return null;
  }

  begin(sequence: number, timestampMs: number): void {
    this.#open.set(sequence, timestampMs);
    this.#next = sequence + 1;
  }

  done(sequence: number): void {
    this.#open.delete(sequence);
    this.#writeSoon();
  }

  /** There is nothing to deliver up to this sequence but what has begun. */
  passed(sequence: number): void {
    if (sequence < this.#next) return;
    this.#next = sequence + 1;
    this.#writeSoon();
  }

  /**
   * From now on no earlier run writes the cursor: this one has written it.
   * @throws Stopped where another run has
   */
  async fence(): Promise<void> {
    if (!this.#isFenced) await this.#put();
  }

  /** Writes what is left to write. */
  async stop(): Promise<void> {
    this.#cancel?.();
    if (this.sequence !== this.#written) await this.#put();
  }

  #writeSoon(): void {
    if (this.#cancel !== null || this.sequence === this.#written) return;
    this.#cancel = this.#clock.after(outboxLimits.cursorEveryMs, () => {
      this.#put().then(
        () => {
          this.#cancel = null;
          this.#writeSoon();
        },
        (error: unknown) => {
          if (!(error instanceof Stopped)) crash(error);
        },
      );
    });
  }

  /** One write after the other: each expects the revision of the one before. */
  #put(): Promise<void> {
    const put = this.#writing.then(() => this.#putNow());
    this.#writing = put.catch(() => {});
    return put;
  }

  async #putNow(): Promise<void> {
    const { sequence } = this;
    if (!(await this.#table.writeCursor(sequence))) {
      this.#overtaken();
      throw new Stopped('Another run has the lane.');
    }
    this.#written = sequence;
    this.#isFenced = true;
  }
}
