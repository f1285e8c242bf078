import { utf8 } from '../../../lib/bytes.ts';
import type { Hashing } from '../../../lib/hashing.ts';
import type { BindingOwnerKind, SwitchModel } from '../../../messages/instance-commands.ts';
import type { SwitchEnd } from '../../../messages/records.ts';
import type { FlushRecord } from '../../../messages/settlements.ts';
import type { Configuration, PotConfiguration } from '../configuration/configuration.ts';
import type { Brand } from '../directory/brands.ts';
import { balanceCount, enabledAt, potAt } from '../money/accounts.ts';
import type { Quote } from '../money/quote.ts';
import { flagsAt } from '../players/player-segment.ts';
import { PlayerTable } from '../players/players.ts';
import { Epochs } from './epochs.ts';
import { Raffle } from './raffle.ts';
import { Winners } from './winners.ts';

export type InstanceStatus =
  | 'Pending'
  | 'Active'
  | 'Paused'
  | 'Resolving'
  | 'Completed'
  | 'Cancelled'
  | 'Switched';

export interface Pot {
  readonly index: number;
  readonly createdMs: number;
  /** In force for the running cycle. */
  effective: PotConfiguration;
  /** Binds at the next cycle. */
  pending: PotConfiguration | null;
}

/** A switch from its first command on: opt-ins are copied in steps, then everything moves at once. */
export interface SwitchOrder
  extends Pick<SwitchModel, 'target' | 'rules' | 'transferOptIns' | 'override' | 'reason' | 'user'> {
  readonly step: number;
  /** Rows before it are copied, and their opt-ins are copied again when they change. */
  readonly nextRow: number;
  /** null: it is under way. */
  readonly end: SwitchEnd | null;
}

/** Work that a switch leaves, done in steps, in this order. */
export interface SwitchWork {
  readonly step: number;
  /** Lists of bindings, and instances with other links, that are not announced yet. */
  readonly unannouncedBindings: readonly {
    readonly of: BindingOwnerKind;
    readonly owner: string;
    readonly id: string;
  }[];
  readonly unannouncedInstances: readonly string[];
  /** In the engine's first version: row from which opt-ins must still be copied; null: all are copied. */
  readonly nextRow: number | null;
}

export interface InstanceFacts {
  readonly id: string;
  readonly group: string;
  readonly owner: string;
  readonly templateOwner: string;
  readonly template: string;
  readonly gameCode: string;
  readonly createdMs: number;
  readonly startMs: number | null;
  readonly endMs: number | null;
}

/** One jackpot. Its money and counters are the `balances`; its other facts change by command or win. */
export class Instance {
  readonly facts: InstanceFacts;
  readonly idHash: Uint8Array;
  name = '';
  description = '';
  status: InstanceStatus = 'Pending';
  /** Paused by itself: contributions get `instance_suspended`. */
  suspended = false;
  reason = '';
  /**
   * When it last became Active again after a pause, in an epoch whose rules count from there; null: never.
   */
  resumedMs: number | null = null;
  version = 1;
  lastUpdatedMs: number;
  sequence = 0;
  /** Event counter, gapless over wins and status events. */
  counter = 0;
  links: readonly string[] = [];
  switchedTo = '';
  /** The instance whose balances it took by a switch: then its activation posts no initial seeds. */
  switchedFrom = '';
  /** The last switch of this instance that took more than one command. */
  switchOrder: SwitchOrder | null = null;
  /** Row from which opt-ins must be taken back that a switch had copied before it ended; null: none. */
  takingBackFrom: number | null = null;
  /** Work that the switch of this instance to another one leaves. */
  switching: SwitchWork | null = null;
  /** Instance-level configuration in force, and the one that binds with the next epoch. */
  configuration: Configuration;
  pendingConfiguration: Configuration | null = null;
  readonly pots: readonly Pot[];
  readonly balances: Float64Array;
  /** The words before the command at hand. */
  readonly saved: Float64Array;
  readonly epochs = new Epochs();
  readonly players: PlayerTable;
  readonly winners = new Winners();
  /** The diversion pool that is on its way, and how many there were. */
  flush: FlushRecord | null = null;
  flushes = 0;
  readonly raffle: Raffle | null;
  /** Parameters came into force in the current message, whose end announces it. */
  hasRebound = false;
  /** The pot that was enabled last had its last cycle: the instance is over. */
  isSpent = false;
  /** Currencies of contributions, the jackpot's first: players' rows hold their number. */
  readonly currencies: string[];
  /** Bit i: pot i is enabled. Derived from the words. */
  enabledMask = 0;
  /** By base wager; derived from configuration and rates. */
  readonly quotes = new Map<number, Quote>();
  /** Brand that passed the brand check last; the check's inputs change by command only. */
  admittedBrand = '';
  /** The last snapshot that has a copy of it, or that it is younger than. */
  captured = 0;

  constructor(facts: InstanceFacts, configuration: Configuration, hashing: Hashing) {
    this.facts = facts;
    this.configuration = configuration;
    this.currencies = [configuration.currency];
    this.idHash = hashing.sha256(utf8(facts.id)).slice(0, 16);
    this.lastUpdatedMs = facts.createdMs;
    this.pots = configuration.pots.map((effective, index) => ({
      index,
      createdMs: facts.createdMs,
      effective,
      pending: null,
    }));
    this.balances = new Float64Array(balanceCount(this.pots.length));
    this.saved = new Float64Array(this.balances.length);
    this.players = new PlayerTable(hashing.tableSecret, this.pots.length, configuration.raffle !== null);
    this.raffle = configuration.raffle === null ? null : new Raffle();
  }

  /** A pot's next cycle begins under the parameters that waited for it. */
  bindPending(pot: Pot): void {
    if (pot.pending === null) return;
    pot.effective = pot.pending;
    pot.pending = null;
    this.hasRebound = true;
  }

  get id(): string {
    return this.facts.id;
  }

  /** To be called whenever something that derived values rest on has changed. */
  refresh(): void {
    this.enabledMask = 0;
    for (const pot of this.pots) {
      if (this.balances[potAt(pot.index) + enabledAt] === 1) this.enabledMask |= 1 << pot.index;
    }
    this.quotes.clear();
    this.admittedBrand = '';
  }

  potIndex(id: string): number {
    return this.pots.findIndex((pot) => pot.effective.id === id);
  }
}

/** Currencies that an instance numbers for its players' rows; others count as the jackpot's. */
const maxCurrencies = 1000;

/** The currency's number in players' rows, from 1. */
export function currencyNumber(instance: Instance, currency: string): number {
  if (instance.currencies[0] === currency) return 1;
  const known = instance.currencies.indexOf(currency);
  if (known >= 0) return known + 1;
  if (instance.currencies.length >= maxCurrencies) return 1;
  instance.currencies.push(currency);
  return instance.currencies.length;
}

/** The currency of the player's last contribution to the instance, else the jackpot's. */
export function lastCurrency(instance: Instance, brand: Brand, player: string): string {
  const row = instance.players.find(brand.number, player);
  return row < 0 ? instance.configuration.currency : currencyOfRow(instance, row);
}

export function currencyOfRow(instance: Instance, row: number): string {
  const { players } = instance;
  const number = players.segmentOf(row).rows[players.at(row) + flagsAt]! >>> 16;
  return instance.currencies[number - 1] ?? instance.configuration.currency;
}
