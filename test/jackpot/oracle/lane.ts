import type { Command, Contribute, SetBrand } from '../../../src/jackpot/commands.ts';
import { contribute, type Placed } from './contribute.ts';
import { execute } from './execute.ts';
import type { OracleInstance } from './instance.ts';
import { big, closeGroup, type Group, hmac, newGroup, recordHead } from './jpd1.ts';
import { Rates } from './numbers.ts';
import { Players } from './players.ts';
import { unpriceable } from './price.ts';
import { resolve } from './resolve.ts';
import { type Json, rulesOf } from './rules.ts';
import { endMessage } from './status.ts';

/** The lane, recomputed the slow way from domain.md alone. Outcomes: a text is a refusal's code. */
export class OracleLane {
  readonly instances = new Map<string, OracleInstance>();
  readonly rates = new Rates();
  readonly brands = new Map<string, SetBrand>();
  readonly bindings = new Map<string, Map<string, number>>();
  readonly segments = new Map<string, number>();
  readonly players = new Players();
  readonly keys = new Map<string, readonly [sequence: number, index: number, atMs: number]>();
  readonly touched = new Set<OracleInstance>();
  nowMs = 0;
  readonly settings: { readonly epochMs: number; readonly epochSequences: number };
  #groups = new Map<OracleInstance, Group>();
  /** By command: the main target first, then its links; a text: why there is none. */
  #plan = new Map<number, Placed[] | string>();

  constructor(settings: { readonly epochMs: number; readonly epochSequences: number }) {
    this.settings = settings;
  }

  apply(sequence: number, timestampMs: number, commands: readonly Command[]): unknown[] {
    this.nowMs = Math.max(this.nowMs, timestampMs);
    this.#plan = new Map();
    for (const instance of this.instances.values()) instance.made = [];
    const outcomes = commands.map((command, index) => this.#one(sequence, commands, command, index));
    this.closeGroups();
    for (const instance of this.touched) endMessage(this, instance);
    this.touched.clear();
    return outcomes;
  }

  isOptedIn(instance: OracleInstance, brand: string, player: string, currency: string): boolean {
    const found = this.players.find(instance.id, brand, player);
    if (found === undefined) return false;
    if (!rulesOf(instance.document).perCurrency) return found.optedIn;
    return found.byCurrency.some(([code, , optedIn]) => code === currency && optedIn);
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

  #one(sequence: number, commands: readonly Command[], command: Command, index: number): unknown {
    const key =
      'idempotencyKey' in command && command.idempotencyKey !== null
        ? Buffer.from(command.idempotencyKey).toString('hex')
        : null;
    if (command.kind === 'Contribute' && !this.#plan.has(index)) this.#resolveFrom(commands, index);
    if (command.kind === 'AdjustPot' || command.kind === 'TriggerPot') this.closeGroups();
    const first = key === null ? undefined : this.keys.get(key);
    if (first !== undefined && first[2] + 24 * 3_600_000 > this.nowMs) {
      return { kind: 'Duplicate', sequence: first[0], index: first[1] };
    }
    const outcome = command.kind === 'Contribute' ? this.#contribute(command, index) : execute(this, command);
    if (key !== null && (typeof outcome !== 'string' || outcome === 'done'))
      this.keys.set(key, [sequence, index, this.nowMs]);
    return outcome;
  }

  /** All targets before the first draw; A22 and A30 are messages of their own (section 10) and part a log message. */
  #resolveFrom(commands: readonly Command[], from: number): void {
    for (let i = from; i < commands.length; i++) {
      const command = commands[i]!;
      if (command.kind === 'AdjustPot' || command.kind === 'TriggerPot') return;
      if (command.kind !== 'Contribute') continue;
      if (!this.brands.has(command.brand)) this.#plan.set(i, 'brand_not_found');
      else {
        const main = resolve(this, command);
        const missing = command.target.type === 'instance' ? 'instance_not_found' : 'jackpot_not_found';
        const links = main === null || !command.linked ? [] : main.links;
        const targets = main === null ? [] : [main, ...links.map((id) => this.instances.get(id)!)];
        this.#plan.set(i, main === null ? missing : targets.map((each) => this.#place(each, command)));
      }
    }
  }

  #place(instance: OracleInstance, command: Contribute): Placed {
    const group = this.#groups.get(instance) ?? newGroup(instance);
    this.#groups.set(instance, group);
    const { brand, currency, baseWagerAtoms } = command;
    const own = instance.document.currency;
    const priced = unpriceable(this.rates, brand, currency, own) === null;
    const wager = priced ? this.rates.convert(brand, baseWagerAtoms, currency, own) : 0n;
    const u64 = wager < 0n || wager >= 1n << 64n ? 0n : wager;
    const pseudonym = this.pseudonym(brand, command.player);
    const input = group.inputs.length;
    group.inputs.push(Buffer.concat([command.contributionId, big(u64, 8), pseudonym]));
    return { instance, group, input };
  }

  #contribute(command: Contribute, index: number): unknown {
    const placed = this.#plan.get(index)!;
    if (typeof placed === 'string') return placed;
    const [main, ...links] = placed;
    const result = contribute(this, main!, command);
    if (typeof result === 'string') return result;
    const others = links.map((link) => contribute(this, link, command));
    return { kind: 'Contributed', results: [result, ...others.filter((each) => typeof each !== 'string')] };
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
