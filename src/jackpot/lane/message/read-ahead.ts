import { playerHash } from '../../../lib/keyed-hash.ts';
import type { LoggedCommand } from '../../../messages/commands.ts';
import type { Brand } from '../../state/directory/brands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import { keyScopeOf } from '../../state/lane/first-use.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/**
 * Reads the table entries that a message's contributions will need, in short loops: the processor then waits
 * for many of them at once, and this waiting is most of the cost of a contribution.
 */
export class ReadAhead {
  readonly #brands: (Brand | null)[] = [];
  /** The instance that a contribution names; null where it names a source. */
  readonly #instances: (Instance | null)[] = [];
  readonly #hashes: number[] = [];
  /** Hashes of idempotency keys; 0 without one. */
  readonly #keyHashes: number[] = [];
  /** Numbers of the commands with a key. */
  readonly #keyed: number[] = [];
  readonly #rows: number[] = [];
  /** Kept so that no compiler removes the reads. */
  #sum = 0;

  read(state: LaneState, commands: readonly LoggedCommand[]): void {
    this.#peek(state, commands);
    let sum = 0;
    // Five loops, each so short that the processor has several of its rounds under way.
    for (let i = 0; i < this.#keyed.length; i++) sum ^= state.keys.warm(this.#keyHashes[this.#keyed[i]!]!);
    for (let i = 0; i < commands.length; i++) {
      const instance = this.#instances[i]!;
      if (instance !== null) sum ^= instance.players.warmIndex(this.#hashes[i]!);
    }
    for (let i = 0; i < commands.length; i++) {
      const instance = this.#instances[i]!;
      this.#rows[i] = instance === null ? -1 : instance.players.candidate(this.#hashes[i]!);
    }
    for (let i = 0; i < commands.length; i++) {
      const row = this.#rows[i]!;
      if (row >= 0) sum ^= this.#instances[i]!.players.warmRow(row);
    }
    this.#sum = sum;
  }

  /** Hash of the command's player; only where there is an instance. */
  hash(index: number): number {
    return this.#hashes[index]!;
  }

  /** Hash of the command's idempotency key; only where it is a contribution with a key. */
  keyHash(index: number): number {
    return this.#keyHashes[index]!;
  }

  #peek(state: LaneState, commands: readonly LoggedCommand[]): void {
    const { brands, hashing, instances, keys } = state;
    this.#keyed.length = 0;
    let brand = null as Brand | null;
    let instance = null as Instance | null;
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!;
      this.#brands[i] = null;
      this.#instances[i] = null;
      this.#hashes[i] = 0;
      this.#keyHashes[i] = 0;
      if (command.kind !== 'Contribute') continue;
      if (command.idempotencyKey !== null) {
        this.#keyHashes[i] = keys.hashOf(command.idempotencyKey, keyScopeOf(state, command));
        this.#keyed.push(i);
      }
      if (brand === null || brand.command.brand !== command.brand) brand = brands.get(command.brand);
      this.#brands[i] = brand;
      if (brand === null || command.target.type !== 'instance') continue;
      if (instance?.id !== command.target.id) instance = instances.get(command.target.id) ?? null;
      this.#instances[i] = instance;
      this.#hashes[i] = playerHash(hashing.tableSecret, brand.number, command.player);
    }
  }

  /** The brand as it was when the message began; null: not known then. */
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
