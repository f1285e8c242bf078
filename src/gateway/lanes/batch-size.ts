import { batchLimits } from './limits.ts';

/**
 * How many commands a batch of a lane takes. Where contributions bring so much that their message has no room for all, the next
 * batch is no larger than what had room; from there it grows again.
 */
export class BatchSize {
  #commands: number = batchLimits.commands;

  get commands(): number {
    return this.#commands;
  }

  get isReduced(): boolean {
    return this.#commands < batchLimits.commands;
  }

  /** A batch was answered; `overCapacity` of its commands had none. */
  answered(commands: number, overCapacity: number): void {
    if (overCapacity > 0) this.#commands = Math.max(1, Math.min(this.#commands, commands - overCapacity));
    else if (this.isReduced) this.#commands = Math.min(batchLimits.commands, 2 * this.#commands);
  }
}
