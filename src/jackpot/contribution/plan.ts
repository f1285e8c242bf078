import type { Command, Contribute } from '../commands.ts';
import { Group } from '../draw/group.ts';
import { type Refusal, refused } from '../refusals.ts';
import type { Brand } from '../state/brands.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { playerHash } from '../state/players.ts';
import { pseudonymOf } from '../state/pseudonym.ts';
import { exchangeFor, toInstance } from './convert.ts';
import { ReadAhead } from './read-ahead.ts';
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
  readonly #entries: (Entry | Refusal | null)[] = [];
  readonly #groups = new Map<Instance, Group>();
  #last: Group | null = null;
  readonly #ahead = new ReadAhead();

  constructor(state: LaneState) {
    this.#state = state;
  }

  /** Forgets the last message. */
  clear(): void {
    this.#entries.length = 0;
    this.#groups.clear();
    this.#last = null;
  }

  get groups(): Iterable<Group> {
    return this.#groups.values();
  }

  /** Begins a message. */
  begin(commands: readonly Command[]): void {
    this.#ahead.read(this.#state, commands);
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
    const brand = this.#ahead.brand(index) ?? this.#state.brands.get(command.brand);
    if (brand === null) {
      this.#entries[index] = refused('brand_not_found', 'the brand is not known to the lane yet');
      return;
    }
    const named = this.#ahead.instance(index);
    const target = named ?? resolveTarget(this.#state, command);
    if (target === null) {
      const code = command.target.type === 'instance' ? 'instance_not_found' : 'jackpot_not_found';
      this.#entries[index] = refused(code);
      return;
    }
    const hash = named === null ? playerHash(brand.number, command.player) : this.#ahead.hash(index);
    const main = this.#admit(target, brand, command, hash);
    if (command.linked && target.links.length > 0) {
      main.links = target.links.flatMap((id) => {
        const instance = this.#state.instances.get(id);
        return instance === undefined ? [] : [this.#admit(instance, brand, command, hash)];
      });
    }
    this.#entries[index] = main;
  }

  #admit(instance: Instance, brand: Brand, command: Contribute, hash: number): Entry {
    const group = this.#groupOf(instance);
    const row = instance.players.find(brand.number, command.player, hash);
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
