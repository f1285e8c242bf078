import type { Clock } from '../../ports.ts';
import { batchLimits } from './limits.ts';

interface Open {
  readonly sequence: number;
  readonly commands: number;
  readonly bytes: number;
  readonly storedMs: number;
}

/** How far a lane is behind what this gateway has stored in it. */
export class BatchLag {
  readonly #clock: Clock;
  #open: Open[] = [];
  #first = 0;
  #commands = 0;
  #bytes = 0;
  #progress = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A message of ours was acknowledged. */
  stored(sequence: number, commands: number, bytes: number): void {
    if (sequence <= this.#progress) return;
    this.#open.push({ sequence, commands, bytes, storedMs: this.#clock.elapsedMs() });
    this.#commands += commands;
    this.#bytes += bytes;
  }

  /** The lane's outcome records are stored up to this sequence. */
  advanced(outcomeSequence: number): void {
    if (outcomeSequence <= this.#progress) return;
    this.#progress = outcomeSequence;
    while (this.#first < this.#open.length && this.#open[this.#first]!.sequence <= outcomeSequence) {
      this.#commands -= this.#open[this.#first]!.commands;
      this.#bytes -= this.#open[this.#first]!.bytes;
      this.#first += 1;
    }
    if (this.#first > 1024 || this.#first === this.#open.length) {
      this.#open = this.#open.slice(this.#first);
      this.#first = 0;
    }
  }

  tooFarBehind(): boolean {
    const oldest = this.#open[this.#first];
    if (oldest === undefined) return false;
    return (
      this.#clock.elapsedMs() - oldest.storedMs > batchLimits.lagMs ||
      this.#commands > batchLimits.lagCommands ||
      this.#bytes > batchLimits.lagBytes ||
      this.#open.length - this.#first > batchLimits.lagMessages
    );
  }

  /** Age of the oldest message without an outcome record, for the metrics. */
  ageMs(): number {
    const oldest = this.#open[this.#first];
    return oldest === undefined ? 0 : this.#clock.elapsedMs() - oldest.storedMs;
  }
}
