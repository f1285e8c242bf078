import type { Command } from '../../../src/messages/commands.ts';
import type { EngineSettings, SetBrand } from '../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { Placed } from './contribute.ts';
import { execute } from './execute.ts';
import type { OracleInstance } from './instance.ts';
import { big, closeGroup, type Group, hmac, newGroup, recordHead } from './jpd1.ts';
import { Rates } from './numbers.ts';
import { hasLeft, Players } from './players.ts';
import { unpriceable } from './price.ts';
import { OracleRaffle } from './raffle.ts';
import { resolve } from './resolve.ts';
import { type Json, rulesOf } from './rules.ts';
import {
  applyWaiting,
  type OpenCredit,
  type OracleBatch,
  type OracleDebit,
  reportedDebit,
  requiresDebits,
  settleDebit,
  settled,
  take,
  type Waiting,
} from './settle.ts';
import { endMessage } from './status.ts';
import { successorOf } from './switch.ts';
import { isFull } from './told.ts';
import type { OracleWin } from './win.ts';

/** The lane, recomputed the slow way from docs/rules alone. Outcomes: a text is a refusal's code. */
export class OracleLane {
  readonly instances = new Map<string, OracleInstance>();
  readonly rates = new Rates();
  readonly brands = new Map<string, SetBrand>();
  readonly bindings = new Map<string, Map<string, number>>();
  readonly segments = new Map<string, number>();
  readonly players = new Players();
  readonly keys = new Map<string, readonly [sequence: number, index: number, atMs: number]>();
  readonly touched = new Set<OracleInstance>();
  readonly debits = new Map<string, OracleDebit>();
  readonly waiting = new Set<Waiting>();
  readonly credits = new Map<string, OpenCredit>();
  readonly raffles = new Raffles();
  /** Bulk opt-ins that were done, by job. */
  readonly jobs = new Map<string, unknown>();
  /** Of the message at hand: what others have to do, and tickets with numbers. */
  work: unknown[] = [];
  batches: OracleBatch[] = [];
  awarded: unknown[] = [];
  won: OracleWin[] = [];
  /** Pots that an epoch of the message has enabled. */
  enabledAgain = 0;
  /** How much the message at hand has told. */
  announced = 0;
  /** What of switched instances came to their successors later, and how switches ended. */
  readonly switches = { debits: 0, flushes: 0, done: 0, refused: 0, cancelled: 0 };
  nowMs = 0;
  settings: EngineSettings;
  #groups = new Map<OracleInstance, Group>();
  /** Commands up to here were resolved. */
  #planned = 0;
  /** By command: the main target first, then its links; a text: why there is none. */
  #plan = new Map<number, Placed[] | string>();
  /** By settlement, or Tick: the debits to apply, each to its instance first, then to its links. */
  #settlements = new Map<number, Map<string, Placed[]>>();
  #place: readonly [sequence: number, index: number] = [0, 0];

  constructor(settings: EngineSettings) {
    this.settings = settings;
  }

  apply(sequence: number, timestampMs: number, commands: readonly Command[]): unknown[] {
    this.nowMs = Math.max(this.nowMs, timestampMs);
    this.#plan = new Map();
    this.#settlements = new Map();
    this.#planned = 0;
    this.work = [];
    this.batches = [];
    this.awarded = [];
    this.won = [];
    this.enabledAgain = 0;
    this.announced = 0;
    for (const instance of this.instances.values()) instance.made = [];
    const outcomes = commands.map((command, index) => {
      this.#place = [sequence, index];
      return this.#one(commands, command);
    });
    this.closeGroups();
    const most = this.announced + (this.settings.maximumMessageBytes ?? Number.POSITIVE_INFINITY);
    // What has no room is looked at when the next message ends, before anything else.
    for (const instance of this.touched) {
      if (this.announced >= most) break;
      endMessage(this, instance);
      this.touched.delete(instance);
    }
    return outcomes;
  }

  /** A key that was met and answered at this place. */
  remember(key: Uint8Array, brand: string): void {
    this.keys.set(`${Buffer.from(key).toString('hex')} ${brand}`, [...this.#place, this.nowMs]);
  }

  isOptedIn(instance: OracleInstance, brand: string, player: string, currency: string): boolean {
    const found = this.players.find(instance.id, brand, player);
    if (found === undefined) return false;
    if (!rulesOf(instance.document).perCurrency) return found.optedIn;
    return found.byCurrency.some(([code, , optedIn]) => code === currency && optedIn);
  }

  /** By a move of the player's own, until the next opt-in. */
  isOptedOut(instance: OracleInstance, brand: string, player: string, currency: string): boolean {
    const found = this.players.find(instance.id, brand, player);
    if (found === undefined) return false;
    if (!rulesOf(instance.document).perCurrency) return hasLeft(found);
    const [, , optedIn] = found.byCurrency.find(([code]) => code === currency) ?? ['', null, !found.isOut];
    return !optedIn;
  }

  preferences(instance: OracleInstance, brand: string, player: string) {
    const found = this.players.find(instance.id, brand, player);
    return (found?.byCurrency ?? []).map(([currency, value]) => [currency, value] as const);
  }

  pseudonym(brand: string, player: string): Uint8Array {
    return hmac(this.brands.get(brand)!.salt, player).subarray(0, 16);
  }

  verificationLimit(brand: string): readonly [bigint, string] | null {
    const { verificationLimitAtoms, verificationCurrency } = this.brands.get(brand)!;
    return verificationLimitAtoms === null ? null : [verificationLimitAtoms, verificationCurrency];
  }

  #one(commands: readonly Command[], command: Command): unknown {
    const [, index] = this.#place;
    const key = 'idempotencyKey' in command ? command.idempotencyKey : null;
    const keysBrand = command.kind === 'Contribute' ? command.brand : '';
    const first = key === null ? undefined : this.#known(key, keysBrand);
    if (index >= this.#planned && this.#needsPlan(command)) this.#resolveFrom(commands, index);
    if (isOwnMessage(command)) this.closeGroups();
    if (first !== undefined) return { kind: 'Duplicate', sequence: first[0], index: first[1] };
    const outcome = this.#do(command, index);
    const isAnswer = typeof outcome !== 'string' || outcome === 'done';
    if (key !== null && isAnswer && (outcome as Json).kind !== 'Pending') this.remember(key, keysBrand);
    return outcome;
  }

  #known(key: Uint8Array, brand: string): readonly [sequence: number, index: number] | undefined {
    const text = Buffer.from(key).toString('hex');
    for (const { sequence, index, command } of this.waiting) {
      const open = command.idempotencyKey;
      const isSame = open !== null && Buffer.from(open).toString('hex') === text;
      if (isSame && command.brand === brand) return [sequence, index];
    }
    const found = this.keys.get(`${text} ${brand}`);
    const isFresh = found !== undefined && found[2] + 24 * 3_600_000 > this.nowMs;
    return isFresh ? [found[0], found[1]] : undefined;
  }

  #do(command: Command, index: number): unknown {
    const settlements = this.#settlements.get(index) ?? new Map<string, Placed[]>();
    if (command.kind === 'Contribute') {
      const placed = this.#plan.get(index)!;
      if (typeof placed === 'string') return placed;
      return isFull(this) ? 'overloaded' : take(this, ...this.#place, command, placed);
    }
    if (command.kind === 'DebitSettled') return settleDebit(this, command, settlements);
    if (command.kind !== 'Tick') return execute(this, command);
    const applied = settled(applyWaiting(this, settlements));
    const ticked = execute(this, command);
    return applied === 'done' ? ticked : applied;
  }

  #needsPlan(command: Command): boolean {
    if (command.kind === 'Contribute') return true;
    if (command.kind === 'DebitSettled') return this.debits.has(command.transactionId);
    return command.kind === 'Tick' && this.#debitedFor(command.instance).length > 0;
  }

  #debitedFor(instance: string): OracleDebit[] {
    return [...this.debits.values()].filter((debit) => debit.debited && debit.instance.id === instance);
  }

  /** All targets before the first draw, up to a command that is a message of its own. */
  #resolveFrom(commands: readonly Command[], from: number): void {
    let i = from;
    for (; i < commands.length; i++) {
      const command = commands[i]!;
      if (isOwnMessage(command)) break;
      if (command.kind === 'Contribute') this.#plan.set(i, this.#resolved(command));
      if (command.kind === 'DebitSettled') {
        const debit = reportedDebit(this, command);
        if (debit === null) continue;
        this.#settlements.set(i, new Map([this.#settlement(debit, command.result === 'debited')]));
      }
      if (command.kind === 'Tick') {
        const waiting = this.#debitedFor(command.instance).filter(({ instance }) =>
          requiresDebits(successorOf(this, instance)),
        );
        this.#settlements.set(i, new Map(waiting.map((debit) => this.#settlement(debit, true))));
      }
    }
    this.#planned = i;
  }

  #resolved(command: Contribute): Placed[] | string {
    if (!this.brands.has(command.brand)) return 'brand_not_found';
    const main = resolve(this, command);
    if (main === null) return command.target.type === 'instance' ? 'instance_not_found' : 'jackpot_not_found';
    const links = command.linked ? main.links : [];
    return [main, ...links.map((id) => this.instances.get(id)!)].map((each) =>
      this.#input(each, command, null),
    );
  }

  #settlement(debit: OracleDebit, withLinks: boolean): readonly [string, Placed[]] {
    const { of, part, priced } = debit;
    const instance = successorOf(this, debit.instance);
    const main = this.#input(instance, of.command, priced.wager);
    const links = withLinks && part === 0 && of.command.linked ? instance.links : [];
    return [debit.id, [main, ...links.map((id) => this.#input(this.instances.get(id)!, of.command, null))]];
  }

  /** `wager` in the instance's currency; null: as it is priced now. */
  #input(instance: OracleInstance, command: Contribute, wager: bigint | null): Placed {
    const group = this.#groups.get(instance) ?? newGroup(instance);
    this.#groups.set(instance, group);
    const { brand, currency, baseWagerAtoms } = command;
    const own = instance.document.currency;
    const priced = unpriceable(this.rates, brand, currency, own) === null;
    const now = priced ? this.rates.convert(brand, baseWagerAtoms, currency, own) : 0n;
    const atoms = wager ?? now;
    const u64 = atoms < 0n || atoms >= 1n << 64n ? 0n : atoms;
    const input = group.inputs.length;
    group.inputs.push(
      Buffer.concat([command.contributionId, big(u64, 8), this.pseudonym(brand, command.player)]),
    );
    return { instance, group, input };
  }

  /** A22, A30 and the like are messages of their own for draws (section 10). */
  ownMessage(instance: OracleInstance, detail: Json): void {
    const group = newGroup(instance);
    group.entries.push(recordHead(instance.sequence + 1, 0n, this.nowMs, 0, 0));
    group.details.push(detail);
    instance.sequence += 1;
    this.touched.add(instance);
    closeGroup(group);
  }

  closeGroups(): void {
    for (const group of this.#groups.values()) closeGroup(group);
    this.#groups = new Map();
  }
}

/** Raffles by instance. */
class Raffles {
  readonly #all = new Map<string, OracleRaffle>();

  get({ id, document }: OracleInstance): OracleRaffle | null {
    if (document.jackpot_type !== 'Raffle') return null;
    const found = this.#all.get(id) ?? new OracleRaffle();
    this.#all.set(id, found);
    return found;
  }
}

function isOwnMessage(command: Command): boolean {
  if (command.kind === 'SetStatus') return ['Completed', 'Active'].includes(command.status);
  if (command.kind === 'Continue') return command.job.startsWith('move/');
  return ['AdjustPot', 'TriggerPot', 'SwitchModel', 'CancelDebit', 'FlushSettled'].includes(command.kind);
}
