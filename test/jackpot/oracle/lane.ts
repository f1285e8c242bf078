import type {
  AdjustPot,
  Command,
  Contribute,
  OptIn,
  SetBrand,
  SetParameters,
  TriggerPot,
} from '../../../src/jackpot/commands.ts';
import { breaks, contribute, type Placed } from './contribute.ts';
import { beginEpoch } from './epoch.ts';
import { newInstance, type OracleInstance } from './instance.ts';
import { big, canonical, closeGroup, type Group, hmac, newGroup, recordHead } from './jpd1.ts';
import { amount, LARGEST, Rates } from './numbers.ts';
import { Players } from './players.ts';
import { highestValue, standardValue, unpriceable } from './price.ts';
import { admission, resolve } from './resolve.ts';
import { type Json, maximumOf, rulesOf } from './rules.ts';
import { openWindows } from './triggers.ts';
import { pay } from './win.ts';

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
  readonly #settings: { readonly epochMs: number; readonly epochSequences: number };
  #groups = new Map<OracleInstance, Group>();
  /** By command: the main target first, then its links; a text: why there is none. */
  #plan = new Map<number, Placed[] | string>();

  constructor(settings: { readonly epochMs: number; readonly epochSequences: number }) {
    this.#settings = settings;
  }

  apply(sequence: number, timestampMs: number, commands: readonly Command[]): unknown[] {
    this.nowMs = Math.max(this.nowMs, timestampMs);
    this.#plan = new Map();
    const outcomes = commands.map((command, index) => this.#one(sequence, commands, command, index));
    this.#closeGroups();
    for (const instance of this.touched) this.#endMessage(instance);
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
    const first = key === null ? undefined : this.keys.get(key);
    if (first !== undefined && first[2] + 24 * 3_600_000 > this.nowMs) {
      return { kind: 'Duplicate', sequence: first[0], index: first[1] };
    }
    const outcome = command.kind === 'Contribute' ? this.#contribute(command, index) : this.#execute(command);
    if (key !== null && typeof outcome !== 'string') this.keys.set(key, [sequence, index, this.nowMs]);
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

  #closeGroups(): void {
    for (const group of this.#groups.values()) closeGroup(group);
    this.#groups = new Map();
  }

  #execute(command: Exclude<Command, Contribute>): unknown {
    switch (command.kind) {
      case 'SetBrand': {
        const salt = this.brands.get(command.brand)?.salt ?? command.salt;
        this.brands.set(command.brand, { ...command, salt });
        return 'done';
      }
      case 'SetRates':
        this.rates.tables.set(command.brand, command);
        return 'done';
      case 'SetSegment':
        this.segments.set(`${command.owner}/${command.segment}`, command.priority!);
        return 'done';
      case 'Bind':
        for (const id of command.ids) {
          const key = `${command.of}/${command.owner}/${id}`;
          const list = this.bindings.get(key) ?? new Map<string, number>();
          this.bindings.set(key, list);
          const next = Math.max(-1, ...list.values()) + 1;
          list.set(command.instance, command.priority ?? list.get(command.instance) ?? next);
        }
        return 'done';
      case 'CreateInstance':
        this.instances.set(
          command.instance,
          newInstance(command.instance, command.owner, command.configuration),
        );
        return 'done';
      case 'SetLinks':
        this.instances.get(command.instance)!.links = command.links;
        return 'done';
      case 'OpenEpoch': {
        const { seeds } = this.instances.get(command.instance)!;
        for (const { epoch, commit, sealed } of command.seeds) {
          if (!seeds.has(epoch)) seeds.set(epoch, { seed: sealed, commit, beacon: command.beacon });
        }
        this.touched.add(this.instances.get(command.instance)!);
        return 'done';
      }
      case 'SetStatus':
        return this.#setStatus(this.instances.get(command.instance)!, command.status);
      case 'SetParameters':
        return this.#setParameters(this.instances.get(command.instance)!, command);
      case 'OptIn':
        return this.#optIn(command);
      case 'AdjustPot':
        this.#closeGroups();
        return this.#adjust(this.instances.get(command.instance)!, command);
      case 'TriggerPot':
        this.#closeGroups();
        return this.#trigger(this.instances.get(command.instance)!, command);
      default:
        return 'done';
    }
  }

  #setStatus(instance: OracleInstance, status: string): unknown {
    if (instance.status === 'Pending' && status === 'Active') {
      for (const pot of instance.pots) {
        const seed = amount(pot.document.seed_strategy?.initial_seed_value ?? 0);
        instance.accounts.operator_capital! -= seed;
        pot.accounts.current += seed;
        pot.initialCost = seed;
        pot.lastDrawn = pot.accounts.current;
        pot.cycleStart = this.nowMs;
        openWindows(pot, this.nowMs);
      }
      beginEpoch(instance, this.nowMs);
    }
    const from = instance.status;
    const known =
      (from === 'Pending' && status === 'Active') ||
      (from === 'Active' && status === 'Paused') ||
      (from === 'Paused' && status === 'Active');
    if (!known) return 'invalid_transition';
    instance.status = status;
    if (status === 'Active') instance.suspended = false;
    instance.counter += 1;
    this.touched.add(instance);
    return 'done';
  }

  #setParameters(instance: OracleInstance, { configuration }: SetParameters): unknown {
    if (!['Pending', 'Active', 'Paused'].includes(instance.status)) return 'invalid_transition';
    instance.pending = configuration;
    instance.endRequested = true;
    instance.pots.forEach((pot, i) => {
      const next = configuration.pots[i] as Json;
      const [now, then] = [maximumOf(pot.document), maximumOf(next)];
      if (now !== null && (then === null || then > now)) {
        const { maximum_pot_value: _, ...rest } = pot.document;
        pot.document = then === null ? rest : { ...rest, maximum_pot_value: next.maximum_pot_value };
      }
      pot.pending = canonical(pot.document) === canonical(next) ? null : next;
    });
    this.touched.add(instance);
    return 'done';
  }

  #optIn(command: OptIn): unknown {
    const main = this.instances.get(command.instance)!;
    const refusal = this.#move(main, command);
    if (refusal !== null) return refusal;
    const links = command.linked ? main.links : [];
    const moved = links.map(
      (id) => this.#move(this.instances.get(id)!, { ...command, valueAtoms: null }) === null,
    );
    return {
      kind: 'OptedIn',
      succeeded: [main.id, ...links.filter((_, i) => moved[i])],
      failed: links.filter((_, i) => !moved[i]),
    };
  }

  #move(instance: OracleInstance, command: OptIn): string | null {
    const open = ['Pending', 'Active', 'Paused'].includes(instance.status);
    if (!open) return 'instance_not_active';
    const { document } = instance;
    const reachable: OracleInstance = {
      ...instance,
      status: 'Active',
      pots: [{ ...instance.pots[0]!, enabled: true }],
    };
    const refusal = admission(reachable, command.brand, command.country);
    if (refusal !== null) return refusal;
    const currency = command.currency === '' ? document.currency : command.currency;
    const value = command.optIn ? command.valueAtoms : null;
    const { perCurrency } = rulesOf(document);
    if (value === null && perCurrency && command.optIn) {
      const fault = unpriceable(this.rates, command.brand, currency, document.currency);
      if (fault !== null) return fault;
    }
    if (value !== null) {
      const fault = unpriceable(this.rates, command.brand, currency, document.currency);
      if (fault !== null) return fault;
      if ('Percentage' in rulesOf(document).type) return 'amount_out_of_range';
      const highest = highestValue(document, command.brand, currency, this.rates) ?? LARGEST;
      const lowest = standardValue(document, command.brand, currency, this.rates);
      if (value < lowest || value > highest) return 'amount_out_of_range';
    }
    this.touched.add(instance);
    const player = this.players.enter(instance.id, command.brand, command.player);
    if (perCurrency) {
      const before = player.byCurrency.find(([code]) => code === currency);
      if (command.optIn || before !== undefined) {
        player.byCurrency = player.byCurrency.filter(([code]) => code !== currency);
        player.byCurrency.push([currency, value ?? before?.[1] ?? null, command.optIn]);
      }
      player.optedIn = player.byCurrency.some(([, , optedIn]) => optedIn);
    } else {
      if (value !== null) player.byCurrency = [[currency, value, command.optIn]];
      player.optedIn = command.optIn;
    }
    return null;
  }

  #adjust(instance: OracleInstance, command: AdjustPot): unknown {
    const { pot: id, account, targetAtoms: target } = command;
    if (!['Pending', 'Active', 'Paused'].includes(instance.status)) return 'invalid_transition';
    const pot = instance.pots.find((each) => each.id === id);
    if (pot === undefined && id !== 'house') return 'pot_not_found';
    if (pot === undefined && account !== 'current_value') return 'invalid_parameter';
    const maximum = pot === undefined ? null : maximumOf(pot.document);
    if (account === 'current_value' && maximum !== null && target > maximum) return 'pot_limit_exceeded';
    const name = ({ current_value: 'current', seed_value: 'seed', surplus_seed: 'surplus' } as const)[
      account
    ];
    const before = pot === undefined ? instance.accounts.house! : pot.accounts[name];
    if (pot === undefined) instance.accounts.house = target;
    else pot.accounts[name] = target;
    instance.accounts.adjustment! -= target - before;
    const detail = { account, before: String(before), after: String(target) };
    this.#ownMessage(instance, { type: 'adjustment', seq: instance.sequence + 1, pot: id, ...detail });
    return 'done';
  }

  #trigger(instance: OracleInstance, command: TriggerPot): unknown {
    const index = instance.pots.findIndex((pot) => pot.id === command.pot);
    const pot = instance.pots[index];
    if (pot === undefined) return 'pot_not_found';
    const types = (pot.document.pot_types ?? []) as Json[];
    if (!types.some((type) => 'External' in type)) return 'trigger_not_supported';
    if (instance.status !== 'Active')
      return instance.suspended ? 'instance_suspended' : 'instance_not_active';
    if (!pot.enabled) return 'instance_not_active';
    if (pot.accounts.current === 0n) return 'pot_empty';
    const before = structuredClone(instance);
    const { brand, player } = command;
    const currency =
      this.players.find(instance.id, brand, player)?.currency ?? (instance.document.currency as string);
    const win = pay(this, instance, index, null, {
      sequence: instance.sequence + 1,
      brand,
      name: player,
      currency,
    });
    if (breaks(instance)) {
      Object.assign(instance, before, { status: 'Paused', suspended: true, counter: before.counter + 1 });
      this.touched.add(instance);
      return 'instance_suspended';
    }
    this.#ownMessage(instance, win.detail);
    return { kind: 'Triggered', pot: win.pot, winAmountAtoms: win.win };
  }

  #ownMessage(instance: OracleInstance, detail: Json): void {
    const group = newGroup(instance);
    group.entries.push(recordHead(instance.sequence + 1, 0n, this.nowMs, 0, 0));
    group.details.push(detail);
    instance.sequence += 1;
    this.touched.add(instance);
    closeGroup(group);
  }

  #endMessage(instance: OracleInstance): void {
    if (instance.status === 'Active' && !instance.pots.some((pot) => pot.enabled)) {
      instance.status = 'Resolving';
      instance.counter += 1;
    }
    const { epoch } = instance;
    if (epoch === null || !instance.seeds.has(epoch.number + 1)) return;
    const { epochMs, epochSequences } = this.#settings;
    const given = instance.sequence - epoch.firstSequence + 1;
    if (instance.endRequested || this.nowMs >= epoch.startedMs + epochMs || given >= epochSequences) {
      beginEpoch(instance, this.nowMs);
    }
  }
}
