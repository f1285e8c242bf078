import { Counts } from '../../lib/counts.ts';
import type { Receiver } from '../delivery/delivery.ts';
import { outboxLimits } from '../delivery/limits.ts';

export interface EntryLimits {
  readonly storedPerReceiver: number;
  readonly storedPerOperator: number;
}

/** How many entries callbacks of each receiver and operator have in a lane. */
export class EntryCounts {
  readonly #limits: EntryLimits;
  readonly #ofReceiver = new Counts();
  readonly #ofOperator = new Counts();

  constructor(limits: EntryLimits = outboxLimits) {
    this.#limits = limits;
  }

  hasRoom({ operator, origin }: Receiver): boolean {
    const { storedPerReceiver, storedPerOperator } = this.#limits;
    return (
      this.#ofReceiver.of(`${operator} ${origin}`) < storedPerReceiver &&
      this.#ofOperator.of(operator) < storedPerOperator
    );
  }

  add({ operator, origin }: Receiver): void {
    this.#ofReceiver.add(`${operator} ${origin}`);
    this.#ofOperator.add(operator);
  }

  remove({ operator, origin }: Receiver): void {
    this.#ofReceiver.remove(`${operator} ${origin}`);
    this.#ofOperator.remove(operator);
  }
}
