import type { Command } from '../../../src/jackpot/commands.ts';
import type { EngineSettings, MessageOutcome } from '../../../src/jackpot/engine.ts';
import { createInstance, openEpoch, seedOf, setBrand, setRates, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import {
  brands,
  randomAdjustment,
  randomBinding,
  randomBrand,
  randomChange,
  randomContribution,
  randomOptIn,
  randomParameters,
  randomRates,
  randomStatus,
  randomTrigger,
  rateTables,
} from './commands.ts';
import { randomConfiguration } from './configurations.ts';
import { Random } from './random.ts';

/** Instances that a history keeps going at once; one that is over makes room for a new one. */
const LIVING = 6;
const WATCHED = 12;
const open: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

interface Known {
  readonly id: string;
  readonly currency: string;
  readonly pots: number;
  readonly raffle: boolean;
}

export interface MixedOptions {
  readonly settings?: Partial<EngineSettings>;
  /** Most commands of one message; 1: every command is a message of its own. */
  readonly most?: number;
}

/**
 * A long random history of every kind of command against one lane. It plays the outside world too: what the lane asks
 * for (seeds, reveals, ticks, settlements) comes back as commands, sooner or later. Deterministic by its seed.
 */
export class MixedRun {
  readonly lane: TestLane;
  readonly random: Random;
  /** How many commands of each kind were applied. */
  readonly counts = new Map<string, number>();
  commands = 0;
  readonly #most: number;
  readonly #made: Known[] = [];
  #rates = 1;

  constructor(seed: number, options: MixedOptions = {}) {
    this.random = new Random(seed);
    this.lane = new TestLane({ epochMs: 10_000_000, epochSequences: 60, ...options.settings });
    this.#most = options.most ?? 14;
  }

  /** The instances that were made, the oldest first. */
  get instances(): readonly string[] {
    return this.#made.map((each) => each.id);
  }

  /** The newest of them: older ones are over, or will be left alone. */
  get watched(): readonly string[] {
    return this.#made.slice(-WATCHED).map((each) => each.id);
  }

  /** The messages that the history begins with. */
  begin(): readonly Command[] {
    return [
      setRates(rateTables[0]!),
      ...brands.map((brand, index) =>
        setBrand({ brand, salt: new Uint8Array(32).fill(index), wallet: brand === 'op:vault' }),
      ),
      { kind: 'SetSegment', owner: 'op', segment: 'vip', priority: 1 },
      { kind: 'SetSegment', owner: 'op:main', segment: 'new', priority: 0 },
    ];
  }

  /** The next message; `apply` it, or nothing after it is deterministic. */
  next(): readonly Command[] {
    const due = this.#due();
    if (due.length > 0) return due;
    const living = this.#living();
    if (living.length < LIVING) return this.#newInstance();
    this.lane.nowMs += this.random.weighted([
      [6, 0],
      [4, 700],
      [2, 20_000],
      [1, 1_900_000],
      [this.random.once(4) ? 1 : 0, 30_000_000],
    ]);
    const ids = living.map((each) => each.id);
    const count = 1 + this.random.below(this.#most);
    return Array.from({ length: count }, () => this.#command(living, ids));
  }

  apply(commands: readonly Command[]): MessageOutcome {
    for (const { kind } of commands) this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.commands += commands.length;
    return this.lane.apply(...commands);
  }

  /** What the lane waits for: seeds, reveals, and the ticks of deadlines that have passed. */
  #due(): readonly Command[] {
    const { engine, nowMs } = this.lane;
    const commands = engine
      .epochDuties(nowMs)
      .flatMap(({ instance, open, reveal }): readonly Command[] => [
        ...(open === null ? [] : [openEpoch(instance, open.epoch, open.commit)]),
        ...reveal.map(
          ({ epoch }) => ({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) }) as const,
        ),
      ]);
    const deadline = engine.nextDeadline();
    const late = deadline !== null && deadline.atMs <= nowMs && this.random.once(2);
    return late ? [...commands, { kind: 'Tick', instance: deadline.instance }] : commands;
  }

  #living(): readonly Known[] {
    return this.#made.filter(({ id }) => open.has(this.#statusOf(id)));
  }

  #statusOf(id: string): string {
    return this.lane.engine.headline(id)?.status ?? '';
  }

  #newInstance(): readonly Command[] {
    const { random } = this;
    const instance = `i-${this.#made.length}`;
    const configuration = randomConfiguration(random);
    this.#made.push({
      id: instance,
      currency: configuration.currency,
      pots: configuration.pots.length,
      raffle: configuration.jackpot_type === 'Raffle',
    });
    const timestampEndMs = random.once(4) ? this.lane.nowMs + 90_000_000 : null;
    return [
      createInstance(configuration, { instance, timestampEndMs }),
      openEpoch(instance, 0, [0, 1, 2]),
      ...(random.once(6) ? [] : [setStatus('Active', instance)]),
    ];
  }

  #command(living: readonly Known[], ids: readonly string[]): Command {
    const { random } = this;
    const one = random.once(20) ? random.pick(...this.#made.slice(-WATCHED)) : random.pick(...living);
    const stopped = living.find(({ id }) => this.#statusOf(id) !== 'Active');
    if (stopped !== undefined && random.once(12)) return setStatus('Active', stopped.id);
    const make = random.weighted<() => Command>([
      [80, () => randomContribution(random, ids)],
      [8, () => randomOptIn(random, one.id)],
      [3, () => randomAdjustment(random, one.id)],
      [3, () => randomTrigger(random, one.id)],
      [1, () => randomStatus(random, one.id)],
      [1, () => randomParameters(random, one.id, one)],
      [1, () => randomBinding(random, one.id)],
      [1, () => randomChange(random, one.id, ids)],
      [1, () => ({ kind: 'Tick', instance: one.id })],
      [random.once(3) ? 1 : 0, () => randomRates(random, ++this.#rates)],
      [random.once(3) ? 1 : 0, () => randomBrand(random)],
      [random.once(9) ? 1 : 0, () => ({ kind: 'Own', epoch: random.below(9), host: 'host' })],
      [random.once(9) ? 1 : 0, () => ({ kind: 'UpgradeTo', version: 1 })],
    ]);
    return make();
  }
}
