import type { LoggedCommand } from '../../messages/commands.ts';
import type { Brand } from '../state/brands.ts';
import type { Instance } from '../state/instance.ts';
import { playerHash } from '../state/keyed-hash.ts';
import type { LaneState } from '../state/lane-state.ts';

/**
 * Reads ahead in the large tables of the lane what the contributions of a message will need, in short loops: the
 * processor then waits for many entries at once, and this waiting is most of the cost of a contribution.
 */
export class ReadAhead {
  readonly #brands: (Brand | null)[] = [];
  /** The instance that a contribution names; null where it names a source. */
  readonly #instances: (Instance | null)[] = [];
  readonly #hashes: number[] = [];
  readonly #keys: (Uint8Array | null)[] = [];
  readonly #rows: number[] = [];
  /** Kept so that no compiler removes the reads. */
  #sum = 0;

  read(state: LaneState, commands: readonly LoggedCommand[]): void {
    this.#peek(state, commands);
    let sum = 0;
    // Each loop is so short that the processor has several of its rounds under way; that is why they are five.
    for (let i = 0; i < commands.length; i++) {
      const key = this.#keys[i]!;
      if (key !== null) sum += state.keys.warm(key);
    }
    for (let i = 0; i < commands.length; i++) {
      const instance = this.#instances[i]!;
      if (instance !== null) sum += instance.players.warmIndex(this.#hashes[i]!);
    }
    for (let i = 0; i < commands.length; i++) {
      const instance = this.#instances[i]!;
      this.#rows[i] = instance === null ? -1 : instance.players.candidate(this.#hashes[i]!);
    }
    for (let i = 0; i < commands.length; i++) {
      const row = this.#rows[i]!;
      if (row >= 0) sum += this.#instances[i]!.players.warmRow(row);
    }
    this.#sum = sum;
  }

  /** Hash of the command's player; only where there is an instance. */
  hash(index: number): number {
    return this.#hashes[index]!;
  }

  #peek({ brands, hashing, instances }: LaneState, commands: readonly LoggedCommand[]): void {
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!;
      this.#brands[i] = null;
      this.#instances[i] = null;
      this.#hashes[i] = 0;
      this.#keys[i] = command.kind === 'Contribute' ? command.idempotencyKey : null;
      if (command.kind !== 'Contribute') continue;
      const brand = brands.get(command.brand);
      this.#brands[i] = brand;
      if (brand === null || command.target.type !== 'instance') continue;
      this.#instances[i] = instances.get(command.target.id) ?? null;
      this.#hashes[i] = playerHash(hashing.tableSecret, brand.number, command.player);
    }
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
