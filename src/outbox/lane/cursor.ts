import { crash } from '../../lib/crash.ts';
import type { Clock } from '../../ports.ts';
import { outboxLimits } from '../limits.ts';
import type { DeliveryTable } from '../store/delivery-table.ts';
import { Stopped } from '../store/persistently.ts';

/** Where a lane continues after a restart: everything before was delivered or is stored. */
export class Cursor {
  readonly #clock: Clock;
  readonly #table: DeliveryTable;
  /** Records that are not done, in their order. */
  readonly #open = new Set<number>();
  #next: number;
  #written: number;
  #cancel: (() => void) | null = null;
  #writing: Promise<void> | null = null;

  constructor(from: number, { clock, table }: { readonly clock: Clock; readonly table: DeliveryTable }) {
    this.#clock = clock;
    this.#table = table;
    this.#next = from;
    this.#written = from;
  }

  /** The lowest sequence that is not done. */
  get sequence(): number {
    for (const sequence of this.#open) return sequence;
    return this.#next;
  }

  get openRecords(): number {
    return this.#open.size;
  }

  begin(sequence: number): void {
    this.#open.add(sequence);
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

  /** Writes what is left to write. */
  async stop(): Promise<void> {
    this.#cancel?.();
    await this.#writing;
    await this.#write();
  }

  #writeSoon(): void {
    if (this.#cancel !== null || this.#writing !== null || this.sequence === this.#written) return;
    this.#cancel = this.#clock.after(outboxLimits.cursorEveryMs, () => {
      this.#cancel = null;
      this.#writing = this.#write()
        .catch((error: unknown) => {
          if (!(error instanceof Stopped)) crash(error);
        })
        .finally(() => {
          this.#writing = null;
          this.#writeSoon();
        });
    });
  }

  async #write(): Promise<void> {
    const { sequence } = this;
    if (sequence === this.#written) return;
    await this.#table.writeCursor(sequence);
    this.#written = sequence;
  }
}
