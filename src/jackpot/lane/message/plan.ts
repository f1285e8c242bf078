import { assert } from '../../../lib/assert.ts';
import { playerHash } from '../../../lib/keyed-hash.ts';
import type { LoggedCommand } from '../../../messages/commands.ts';
import type { Tick } from '../../../messages/lane-commands.ts';
import type { Contribute } from '../../../messages/player-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { DebitSettled } from '../../../messages/settlement-commands.ts';
import type { Entry, SettlementEntry } from '../../commands/contribution/entry.ts';
import { maxAppliedAtOnce, openDebitOf, requiresDebits } from '../../commands/debit/settle.ts';
import { resolveTarget } from '../../rules/admission/admission.ts';
import { Group } from '../../rules/draws/group.ts';
import { inputBytes } from '../../rules/keystreams/names.ts';
import { exchangeFor, toInstance } from '../../rules/prices/convert.ts';
import { successorOf } from '../../rules/switches/successor.ts';
import { type Brand, pseudonymOf } from '../../state/directory/brands.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import type { OpenDebit } from '../../state/settlements/open-debits.ts';
import { ReadAhead } from './read-ahead.ts';

const maxWager = 1n << 64n;
const none: readonly SettlementEntry[] = [];

/** Resolves a run's contributions and settlements before its first draw, and opens their groups. */
export class Plan {
  readonly #state: LaneState;
  readonly #pool: Group[] = [];
  readonly #entries: (Entry | Refusal | null)[] = [];
  readonly #settlements = new Map<number, SettlementEntry[]>();
  readonly #groups = new Map<Instance, Group>();
  #last: Group | null = null;
  readonly #ahead = new ReadAhead();

  constructor(state: LaneState) {
    this.#state = state;
  }

  clear(): void {
    this.#entries.length = 0;
    if (this.#settlements.size > 0) this.#settlements.clear();
    this.#groups.clear();
    this.#last = null;
  }

  get groups(): Iterable<Group> {
    return this.#groups.values();
  }

  begin(commands: readonly LoggedCommand[]): void {
    this.#ahead.read(this.#state, commands);
  }

  /** Hash of the idempotency key of the contribution at `index`. */
  keyHash(index: number): number {
    return this.#ahead.keyHash(index);
  }

  /** What was resolved for the command at `index`; null: not yet. */
  entry(index: number): Entry | Refusal | null {
    return this.#entries[index] ?? null;
  }

  /** What was resolved for the settlement, or the Tick, at `index`. */
  settlements(index: number): readonly SettlementEntry[] {
    return this.#settlements.get(index) ?? none;
  }

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
    const hash = named === null ? this.#playerHash(brand, command) : this.#ahead.hash(index);
    const main = this.#admit(target, brand, command, hash, false);
    if (command.linked && target.links.length > 0) main.links = this.#links(target, brand, command, hash);
    this.#entries[index] = main;
  }

  /** A settlement resolves to its instance or its successor; an unknown or repeated one to nothing. */
  resolveSettlement(index: number, command: DebitSettled): void {
    const debit = openDebitOf(this.#state, command);
    if (debit === null) return;
    this.#settlements.set(index, [this.#settlement(debit, command.result === 'debited')]);
  }

  /** Debits that waited for the instance of a Tick, oldest first. */
  resolveWaiting(index: number, { instance }: Tick): void {
    const { debits } = this.#state;
    if (debits.debitedOf(instance) === 0 || !requiresDebits(this.#state, instance)) return;
    const waiting = debits.page(0, maxAppliedAtOnce, (debit) => debit.debited && debit.instance === instance);
    this.#settlements.set(
      index,
      waiting.map((debit) => this.#settlement(debit, true)),
    );
  }

  #settlement(debit: OpenDebit, withLinks: boolean): SettlementEntry {
    const { brands, debits } = this.#state;
    const command = debits.contribution(debit.sequence, debit.index)?.command;
    const instance = successorOf(this.#state, debit.instance);
    const brand = brands.get(debit.brand);
    assert(
      command !== undefined && instance !== undefined && brand !== null,
      'a debit belongs to a contribution, an instance and a brand',
    );
    const hash = this.#playerHash(brand, command);
    const entry = this.#admit(instance, brand, command, hash, debit.part > 0);
    this.#writeWager(entry, debit.wagerAtoms);
    const links = withLinks && debit.part === 0 && command.linked && instance.links.length > 0;
    if (links) entry.links = this.#links(instance, brand, command, hash);
    return { transactionId: debit.transactionId, entry };
  }

  #links(target: Instance, brand: Brand, command: Contribute, hash: number): Entry[] {
    return target.links.flatMap((id) => {
      const instance = this.#state.instances.get(id);
      return instance === undefined ? [] : [this.#admit(instance, brand, command, hash, true)];
    });
  }

  /** The wager of a settlement is priced at the place of its contribution in the log. */
  #writeWager({ group, inputIndex }: Entry, wagerAtoms: bigint): void {
    group.inputsView.setBigUint64(inputIndex * inputBytes + 16, wagerAtoms);
  }

  #admit(instance: Instance, brand: Brand, command: Contribute, hash: number, isLink: boolean): Entry {
    const group = this.#groupOf(instance);
    const row = instance.players.find(brand.number, command.player, hash);
    const inputIndex = group.inputCount;
    const at = group.addInput();
    // Word by word: for sixteen bytes the built-in copy costs more than it does.
    const view = group.inputsView;
    const id = command.contributionId;
    view.setInt32(at, wordOf(id, 0));
    view.setInt32(at + 4, wordOf(id, 4));
    view.setInt32(at + 8, wordOf(id, 8));
    view.setInt32(at + 12, wordOf(id, 12));
    view.setBigUint64(at + 16, this.#wagerOf(instance, command));
    if (row >= 0) instance.players.copyPseudonym(row, view, at + 24);
    else group.inputs.set(pseudonymOf(this.#state.hashing, brand, command.player), at + 24);
    return { instance, group, brand, inputIndex, row, isLink, links: null };
  }

  /** Base wager in the instance's currency, 0 where it cannot be priced. */
  #wagerOf(instance: Instance, command: Contribute): bigint {
    const to = instance.configuration.currency;
    const atoms = command.baseWagerAtoms;
    if (atoms < 0n) return 0n;
    if (command.currency === to) return atoms < maxWager ? atoms : 0n;
    const { rates, nowMs, settings } = this.#state;
    const maxAgeMs = settings.maximumRateAgeMs ?? null;
    const exchange = exchangeFor(rates, command.brand, command.currency, to, nowMs, maxAgeMs);
    if ('kind' in exchange) return 0n;
    const wager = toInstance(exchange, atoms);
    return wager < maxWager ? wager : 0n;
  }

  #playerHash({ number }: Brand, { player }: Contribute): number {
    return playerHash(this.#state.hashing.tableSecret, number, player);
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

/** Four bytes, the first one highest; missing ones are zero. */
function wordOf(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
}
