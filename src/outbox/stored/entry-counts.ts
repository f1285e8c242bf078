import type { Receiver } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';

export interface EntryLimits {
  readonly storedPerReceiver: number;
  readonly storedPerOperator: number;
}

/** How many entries callbacks of each receiver and operator have in a lane. */
export class EntryCounts {
  readonly #limits: EntryLimits;
  readonly #counts = new Map<string, number>();

  constructor(limits: EntryLimits = outboxLimits) {
    this.#limits = limits;
  }

  has(receiver: Receiver): boolean {
    const [ofReceiver, ofOperator] = keysOf(receiver).map((key) => this.#counts.get(key) ?? 0);
    const { storedPerReceiver, storedPerOperator } = this.#limits;
    return ofReceiver! < storedPerReceiver && ofOperator! < storedPerOperator;
  }

  enter(receiver: Receiver): void {
    for (const key of keysOf(receiver)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  leave(receiver: Receiver): void {
    for (const key of keysOf(receiver)) {
      const left = (this.#counts.get(key) ?? 0) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    }
  }
}

function keysOf({ operator, origin }: Receiver): [string, string] {
  return [`${operator} ${origin}`, operator];
}
