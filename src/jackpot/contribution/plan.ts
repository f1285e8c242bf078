import type { Command, Contribute } from '../commands.ts';
import { Group } from '../draw/group.ts';
import { type Refusal, refused } from '../refusals.ts';
import type { Brand } from '../state/brands.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { playerHash } from '../state/players.ts';
import { pseudonymOf } from '../state/pseudonym.ts';
import { exchangeFor, toInstance } from './convert.ts';
import { resolveTarget } from './resolve.ts';

const MAXIMUM_WAGER = 1n << 64n;

/** One contribution to one instance: the main target of a command, or one of its links. */
export interface Entry {
  instance: Instance;
  group: Group;
  brand: Brand;
  /** Place in the group's inputs. */
  inputIndex: number;
  /** The player's row when the message began, −1 where unknown. */
  row: number;
  links: Entry[] | null;
}

/**
 * Resolves every contribution of a message, links included, before its first draw, and opens the groups that they are
 * drawn in. A22 and A30 cut a message into runs; each run has groups of its own.
 */
export class Plan {
  readonly #state: LaneState;
  readonly #pool: Group[] = [];
  #entries: (Entry | Refusal | null)[] = [];
  #groups = new Map<Instance, Group>();
  #last: Group | null = null;
  /** First candidate row of each command's player, where its instance is named. */
  readonly #candidates: number[] = [];
  /** What reading ahead has read: kept, so that no compiler leaves it out. */
  readAhead = 0;

  constructor(state: LaneState) {
    this.#state = state;
  }

  /** Forgets the last message. */
  clear(): void {
    this.#entries = [];
    this.#groups.clear();
    this.#last = null;
  }

  get groups(): Iterable<Group> {
    return this.#groups.values();
  }

  /**
   * Reads what the commands of a message will need from the lane's large tables, command after command in short loops:
   * the processor then waits for many of them at once, which is most of what a contribution costs.
   */
  warm(commands: readonly Command[]): void {
    const { instances, brands, keys } = this.#state;
    let sum = 0;
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!;
      this.#candidates[i] = -1;
      if (command.kind !== 'Contribute') continue;
      if (command.idempotencyKey !== null) sum += keys.warm(command.idempotencyKey);
      const brand = brands.get(command.brand);
      const instance = instances.get(command.target.id);
      if (brand === null || instance === undefined) continue;
      this.#candidates[i] = instance.players.candidate(playerHash(brand.number, command.player));
    }
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!;
      const row = this.#candidates[i]!;
      if (row >= 0 && command.kind === 'Contribute')
        sum += instances.get(command.target.id)!.players.warm(row);
    }
    this.readAhead = sum;
  }

  /** What was resolved for the command at `index`; null: not yet. */
  entry(index: number): Entry | Refusal | null {
    return this.#entries[index] ?? null;
  }

  /** Ends the run: groups that follow are new ones. */
  endRun(): void {
    this.#groups.clear();
    this.#last = null;
  }

  resolve(index: number, command: Contribute): void {
    const { brands } = this.#state;
    const brand = brands.get(command.brand);
    if (brand === null) {
      this.#entries[index] = refused('brand_not_found', 'the brand is not known to the lane yet');
      return;
    }
    const target = resolveTarget(this.#state, command);
    if (target === null) {
      const code = command.target.type === 'instance' ? 'instance_not_found' : 'jackpot_not_found';
      this.#entries[index] = refused(code);
      return;
    }
    const main = this.#admit(target, brand, command);
    if (command.linked && target.links.length > 0) {
      main.links = target.links.flatMap((id) => {
        const instance = this.#state.instances.get(id);
        return instance === undefined ? [] : [this.#admit(instance, brand, command)];
      });
    }
    this.#entries[index] = main;
  }

  #admit(instance: Instance, brand: Brand, command: Contribute): Entry {
    const group = this.#groupOf(instance);
    const row = instance.players.find(brand.number, command.player);
    const inputIndex = group.inputCount;
    const at = group.addInput();
    // A loop: for sixteen bytes the built-in copy costs more than it does.
    const { inputs } = group;
    const id = command.contributionId;
    for (let i = 0; i < 16; i++) inputs[at + i] = id[i]!;
    group.inputsView.setBigUint64(at + 16, this.#wagerOf(instance, command));
    if (row >= 0) instance.players.copyPseudonym(row, group.inputsView, at + 24);
    else group.inputs.set(pseudonymOf(this.#state.hashing, brand, command.player), at + 24);
    return { instance, group, brand, inputIndex, row, links: null };
  }

  /** Base wager in the instance's currency, 0 where it cannot be priced. */
  #wagerOf(instance: Instance, command: Contribute): bigint {
    const to = instance.configuration.currency;
    const atoms = command.baseWagerAtoms;
    if (atoms < 0n) return 0n;
    if (command.currency === to) return atoms < MAXIMUM_WAGER ? atoms : 0n;
    const { rates, nowMs, settings } = this.#state;
    const maximumAgeMs = settings.maximumRateAgeMs ?? null;
    const exchange = exchangeFor(rates, command.brand, command.currency, to, nowMs, maximumAgeMs);
    if ('kind' in exchange) return 0n;
    const wager = toInstance(exchange, atoms);
    return wager < MAXIMUM_WAGER ? wager : 0n;
  }

  #groupOf(instance: Instance): Group {
    if (this.#last !== null && this.#last.instance === instance) return this.#last;
    let group = this.#groups.get(instance);
    if (group === undefined) {
      group = this.#pool[this.#groups.size] ?? new Group();
      this.#pool[this.#groups.size] = group;
      group.begin(instance);
      this.#groups.set(instance, group);
    }
    this.#last = group;
    return group;
  }
}
