import type { MessageOutcome } from '../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument, SwitchModel } from '../../../src/messages/instance-commands.ts';
import type { EngineSettings } from '../../../src/messages/lane-commands.ts';
import {
  createInstance,
  handIn,
  openEpoch,
  seedOf,
  setBrand,
  setRates,
  setStatus,
} from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import {
  brands,
  randomAdjustment,
  randomBinding,
  randomBrand,
  randomBulk,
  randomChange,
  randomContribution,
  randomOptIn,
  randomOwner,
  randomParameters,
  randomRates,
  randomStatus,
  randomSwitch,
  randomTrigger,
  rateTables,
} from './commands.ts';
import { randomConfiguration, takesBeacons } from './configurations.ts';
import { Random } from './random.ts';

/** Instances that a history keeps going at once; one that is over makes room for a new one. */
const livingStatuses = 6;
const watched = 12;
/** Messages among which one switches an instance to a new model. */
const switchOnceIn = 30;
/** Messages for which the seeds of a switch's target may be late. */
const seedsLateFor = 20;
/** Histories among which one brings balances near their limit. */
const largeOnceIn = 5;
/** Questions to the outside world that are still remembered; older ones stay open. */
const maxOpen = 40;
const open: ReadonlySet<string> = new Set(['Pending', 'Active', 'Paused']);

/** What the outside world was asked for and has not answered yet. */
type Open =
  | { readonly kind: 'debit'; readonly id: string; readonly instance: string }
  | { readonly kind: 'credit'; readonly id: string }
  | { readonly kind: 'flush'; readonly id: string; readonly instance: string };

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
  /** Brands and gateways now and then disagree about the wallet, and reports of debits expire. */
  readonly fenced?: boolean;
}

/**
 * A long random history of every kind of command against one lane. It plays the outside world too: what the lane asks
 * for (seeds, reveals, ticks, settlements) comes back as commands, sooner or later. Deterministic by its seed.
 */
export class MixedRun {
  /** As a replay makes it: what the owner sets is in the log. */
  readonly lane = new TestLane();
  readonly random: Random;
  /** How many commands of each kind were applied. */
  readonly counts = new Map<string, number>();
  commands = 0;
  /** What the first owner sets. */
  readonly #settings: EngineSettings;
  readonly #most: number;
  readonly #isLarge: boolean;
  readonly #isFenced: boolean;
  readonly #made: Known[] = [];
  readonly #open: Open[] = [];
  readonly #statuses = new Map<string, string>();
  /** Targets of switches whose first seeds are late: until then the switches wait. */
  readonly #late = new Set<string>();
  #lastSwitch: SwitchModel | null = null;
  #jobs = 0;
  #rates = 1;

  constructor(seed: number, options: MixedOptions = {}) {
    this.random = new Random(seed);
    this.#settings = { epochMs: 10_000_000, epochSequences: 60, ...options.settings };
    this.#most = options.most ?? 14;
    this.#isLarge = seed % largeOnceIn === 0;
    this.#isFenced = options.fenced ?? false;
  }

  /** The instances that were made, the oldest first. */
  get instances(): readonly string[] {
    return this.#made.map((each) => each.id);
  }

  /** The newest of them: older ones are over, or will be left alone. */
  get watched(): readonly string[] {
    return this.#made.slice(-watched).map((each) => each.id);
  }

  /** The messages that the history begins with. */
  begin(): readonly Command[] {
    return [
      { kind: 'Own', term: 1, host: 'host', settings: this.#settings },
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
    if (living.length < livingStatuses) return this.#newInstance();
    if (this.random.once(switchOnceIn)) return this.#switch(living);
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
    const outcome = this.lane.apply(...commands);
    this.#note(outcome);
    return outcome;
  }

  #note({ events, work }: MessageOutcome): void {
    for (const event of events) {
      if (event.kind === 'InstanceChanged')
        this.#statuses.set(event.instance.instance, event.instance.status);
      if (event.kind === 'StatusChanged') this.#statuses.set(event.instance, event.status);
    }
    for (const each of work) {
      if (each.kind === 'DebitDue') {
        const { transactionId: id, instance } = each.debit;
        this.#open.push({ kind: 'debit', id, instance });
      }
      if (each.kind === 'CreditDue') this.#open.push({ kind: 'credit', id: each.credit.transactionId });
      if (each.kind === 'FlushDue') {
        this.#open.push({ kind: 'flush', id: each.flush.flushId, instance: each.flush.instance });
      }
      if (each.kind !== 'CreditsDue') continue;
      for (const credit of this.lane.engine.openCredits(0, 1000, [], each.batch.batchId)) {
        this.#open.push({ kind: 'credit', id: credit.transactionId });
      }
    }
    if (this.#open.length > maxOpen) this.#open.splice(0, this.#open.length - maxOpen);
  }

  /** What the lane waits for: seeds, reveals, and the ticks of deadlines that have passed. */
  #due(): readonly Command[] {
    const { engine, nowMs } = this.lane;
    const commands = engine
      .epochTasks()
      .flatMap(({ instance, open, reveal }): readonly Command[] => [
        ...(open === null || this.#isLate(instance) ? [] : this.#opening(instance, open.epoch, open.commit)),
        ...reveal.map(
          ({ epoch }) => ({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) }) as const,
        ),
      ]);
    const jobs = engine.jobs().map(({ job, step }) => ({ kind: 'Continue', job, step }) as const);
    if (jobs.length > 0 && this.random.once(2)) commands.push(...jobs);
    const deadline = engine.nextDeadline();
    const late = deadline !== null && deadline.atMs <= nowMs && this.random.once(2);
    return late ? [...commands, { kind: 'Tick', instance: deadline.instance }] : commands;
  }

  #isLate(instance: string): boolean {
    if (this.#late.size > 0 && this.random.once(seedsLateFor)) this.#late.delete(instance);
    return this.#late.has(instance);
  }

  /** The beacons of even epochs come with their commitments, the others later. */
  #opening(instance: string, epoch: number, committed: readonly number[]): readonly Command[] {
    const { currency } = this.#made.find(({ id }) => id === instance)!;
    const beacons = committed.filter((each) => each % 2 === 0).map((each) => handIn(instance, each));
    const late = epoch === 0 ? [] : [handIn(instance, epoch + 1)];
    return [openEpoch(instance, epoch, committed), ...(takesBeacons(currency) ? [...beacons, ...late] : [])];
  }

  #living(): readonly Known[] {
    return this.#made.filter(({ id }) => open.has(this.#statusOf(id)));
  }

  #statusOf(id: string): string {
    return this.#statuses.get(id) ?? '';
  }

  /** The target is made and everything moves there, at once or when its seeds have come. */
  #switch(living: readonly Known[]): readonly Command[] {
    const fit = living.filter(({ id, raffle }) => this.#statuses.get(id) === 'Active' && !raffle);
    const source = this.random.pick(...(fit.length > 0 && !this.random.once(5) ? fit : living));
    const [create, ...others] = this.#newInstance({
      currency: source.currency,
      raffle: source.raffle,
    });
    const target = this.#made.at(-1)!;
    const activate = others.filter(({ kind }) => kind === 'SetStatus' && this.random.once(4));
    const open = others.filter(({ kind }) => kind !== 'SetStatus');
    this.#lastSwitch = randomSwitch(this.random, source, target);
    // Its players are about to pay, so that debits and flushes stay behind.
    const brand = 'op:vault';
    const allow = {
      kind: 'SetBrandAllowed',
      instance: source.id,
      brand,
      allowed: true,
      user: 'admin',
    } as const;
    const payers = Array.from({ length: 4 }, () => ({
      ...randomContribution(this.random, [source.id], false),
      target: { type: 'instance', id: source.id } as const,
      brand,
      wallet: true,
    }));
    const switching = [allow, ...payers, this.#lastSwitch, ...activate];
    if (this.random.once(2)) return [create!, ...open, ...switching];
    this.#late.add(target.id);
    return [create!, ...switching];
  }

  #newInstance(kept: { readonly currency?: string; readonly raffle?: boolean } = {}): readonly Command[] {
    const { random } = this;
    const instance = `i-${this.#made.length}`;
    const configuration = randomConfiguration(random, kept);
    this.#made.push({
      id: instance,
      currency: configuration.currency,
      pots: configuration.pots.length,
      raffle: configuration.jackpot_type === 'Raffle',
    });
    const owner = random.pick('op', 'op', 'op', 'op', 'op:main', 'op:other');
    const timestampStartMs = random.once(8) ? this.lane.nowMs + 5000 : null;
    const timestampEndMs = random.once(4) ? this.lane.nowMs + 90_000_000 : null;
    return [
      createInstance(configuration, { instance, owner, timestampStartMs, timestampEndMs }),
      ...this.#opening(instance, 0, [0, 1, 2]),
      ...(random.once(6) ? [] : [setStatus('Active', instance)]),
    ];
  }

  #command(living: readonly Known[], ids: readonly string[]): Command {
    const { random } = this;
    const one = random.once(20) ? random.pick(...this.#made.slice(-watched)) : random.pick(...living);
    const closed = living.find(({ id }) => this.#openPots(id) === 0);
    if (closed !== undefined && random.once(12)) return this.#openOrClose(closed);
    const stopped = living.find(({ id }) => this.#statusOf(id) !== 'Active');
    if (stopped !== undefined && random.once(12)) {
      return setStatus(random.once(9) ? 'Cancelled' : 'Active', stopped.id);
    }
    const make = random.weighted<() => Command>([
      [80, () => randomContribution(random, ids, this.#isLarge)],
      [14, () => this.#answer()],
      [2, () => this.#end(ids)],
      [1, () => randomBulk(random, `job-${random.once(5) ? 0 : ++this.#jobs}`, ids)],
      [8, () => randomOptIn(random, one.id)],
      [3, () => randomAdjustment(random, one.id, this.#isLarge)],
      [3, () => randomTrigger(random, one.id)],
      [1, () => randomStatus(random, one.id)],
      [1, () => randomParameters(random, one.id, one)],
      [3, () => this.#openOrClose(one)],
      [2, () => this.#awardLast(living) ?? randomTrigger(random, one.id)],
      [1, () => randomBinding(random, one.id)],
      [1, () => randomChange(random, one.id, ids)],
      [this.#lastSwitch === null ? 0 : this.#late.size > 0 ? 12 : 1, () => this.#switchAgain(ids)],
      [1, () => ({ kind: 'Tick', instance: one.id })],
      [random.once(3) ? 1 : 0, () => randomRates(random, ++this.#rates)],
      [random.once(3) ? 1 : 0, () => this.#brand()],
      [random.once(9) ? 1 : 0, () => randomOwner(random, this.#settings)],
      [random.once(9) ? 1 : 0, () => ({ kind: 'UpgradeTo', version: 1 })],
    ]);
    return make();
  }

  /** A pot that closes with its next cycle, and is the last one that is open. */
  #awardLast(living: readonly Known[]): Command | null {
    for (const { id } of living) {
      const { pots, pendingConfiguration } = this.lane.engine.describe(id)!;
      const stored = (pendingConfiguration as InstanceConfigurationDocument | null)?.pots;
      const [last, ...others] = pots.filter(({ enabled }) => enabled);
      const closes = stored?.some((pot) => pot.id === last?.pot && pot.enabled === false);
      if (last !== undefined && closes === true && others.length === 0)
        return { ...randomTrigger(this.random, id), pot: last.pot } as Command;
    }
    return null;
  }

  #openPots(id: string): number {
    return this.lane.engine.describe(id)!.pots.filter(({ enabled }) => enabled).length;
  }

  /** A person disables pots, or enables them again, and changes nothing else. */
  #openOrClose({ id }: Known): Command {
    const { configuration, pendingConfiguration } = this.lane.engine.describe(id)!;
    const stored = (pendingConfiguration ?? configuration) as InstanceConfigurationDocument;
    const close = this.random.once(2);
    return {
      kind: 'SetParameters',
      instance: id,
      configuration: {
        ...stored,
        pots: stored.pots.map((pot) => ({
          ...pot,
          enabled: close ? this.random.once(4) : !this.random.once(4),
        })),
      },
      reason: 'test',
      user: 'admin',
      expectedVersion: null,
    };
  }

  /** The last switch again, the same or another one, or its end. */
  #switchAgain(ids: readonly string[]): Command {
    const { random } = this;
    const last = this.#lastSwitch!;
    const target = random.once(5) ? random.pick(...ids) : last.target;
    if (random.once(2))
      return { kind: 'CancelSwitch', instance: last.instance, target, reason: 'test', user: 'admin' };
    return { ...last, target, transferOptIns: random.once(4) ? !last.transferOptIns : last.transferOptIns };
  }

  /** The outside world answers something, not always for good. */
  #answer(): Command {
    const { random } = this;
    if (this.#open.length === 0 || random.once(6)) return this.#decide();
    const isLeft = (each: Open) => each.kind !== 'credit' && this.#statusOf(each.instance) === 'Switched';
    const left = random.once(2) ? this.#open.findIndex(isLeft) : -1;
    const at = left >= 0 ? left : random.below(this.#open.length);
    const open = this.#open[at]!;
    const isDone = !random.once(4);
    if (isDone) this.#open.splice(at, 1);
    if (open.kind === 'debit') {
      const result = random.pick('debited', 'debited', 'debited', 'refused', 'cancelled');
      const settled = { kind: 'DebitSettled', transactionId: open.id, result } as const;
      if (!this.#isFenced || random.once(3)) return settled;
      const found = this.lane.engine.openDebits(0, 500).find((each) => each.transactionId === open.id);
      return { ...settled, expiresMs: found?.deadlineMs ?? this.lane.nowMs };
    }
    if (open.kind === 'flush') {
      const result = random.pick('confirmed', 'confirmed', 'failed');
      return { kind: 'FlushSettled', instance: open.instance, flushId: open.id, result };
    }
    const result = isDone ? 'accepted' : random.pick('refused', 'unknown', 'exhausted');
    return { kind: 'CreditSettled', transactionIds: [open.id], result, reason: 'test' };
  }

  #brand(): Command {
    const { random } = this;
    const facts = randomBrand(random);
    if (!this.#isFenced) return facts;
    return {
      ...facts,
      wallet: random.once(3) ? !facts.wallet : facts.wallet,
      walletMustMatch: !random.once(4),
    };
  }

  /** A person looks at the credits that wait for one. */
  #decide(): Command {
    const { random } = this;
    const waiting = this.lane.engine.openCredits(0, 20, ['withheld', 'dead', 'unknown'], '');
    const transactionId = waiting.length === 0 ? 'nothing' : random.pick(...waiting).transactionId;
    const kind = random.pick('ReleaseCredit', 'RetryCredit', 'ResolveCredit');
    return { kind, transactionId, reason: 'test', user: 'admin' };
  }

  /** What resolves is completed, by an instance of its currency where there is one. */
  #end(ids: readonly string[]): Command {
    const { random } = this;
    const resolving = this.#made
      .slice(-3 * watched)
      .filter((each) => this.#statusOf(each.id) === 'Resolving');
    if (resolving.length === 0) return setStatus('Completed', random.pick(...ids));
    const one = random.pick(...resolving);
    const same = this.#living().filter(({ currency }) => currency === one.currency);
    const to = random.once(5) ? '' : random.pick(...(same.length > 0 ? same : this.#made)).id;
    return { ...setStatus('Completed', one.id), to };
  }
}
