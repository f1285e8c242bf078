import type { Command } from '../commands.ts';
import type { Brand } from '../state/brands.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { playerHash } from '../state/players.ts';

/**
 * Reads what the contributions of a message will need from the lane's large tables, one after the other in short loops:
 * the processor then waits for many of them at once, and that waiting is most of what a contribution costs.
 */
export class ReadAhead {
  readonly #brands: (Brand | null)[] = [];
  /** The instance that a contribution names; null where it names a source. */
  readonly #instances: (Instance | null)[] = [];
  readonly #rows: number[] = [];
  /** What was read: kept, so that no compiler leaves the reading out. */
  #sum = 0;

  read(state: LaneState, commands: readonly Command[]): void {
    const { instances, brands, keys } = state;
    let sum = 0;
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!;
      this.#brands[i] = null;
      this.#instances[i] = null;
      this.#rows[i] = -1;
      if (command.kind !== 'Contribute') continue;
      if (command.idempotencyKey !== null) sum += keys.warm(command.idempotencyKey);
      const brand = brands.get(command.brand);
      const named = command.target.type === 'instance' ? instances.get(command.target.id) : undefined;
      this.#brands[i] = brand;
      if (brand === null || named === undefined) continue;
      this.#instances[i] = named;
      this.#rows[i] = named.players.candidate(playerHash(brand.number, command.player));
    }
    for (let i = 0; i < commands.length; i++) {
      const row = this.#rows[i]!;
      if (row >= 0) sum += this.#instances[i]!.players.warm(row);
    }
    this.#sum = sum;
  }

  /** Of the command at `index`, as it was when the message began; null: not known then. */
  brand(index: number): Brand | null {
    return this.#brands[index] ?? null;
  }

  instance(index: number): Instance | null {
    return this.#instances[index] ?? null;
  }

  get bytesTouched(): number {
    return this.#sum;
  }
}
