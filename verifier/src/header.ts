import { Disagreement } from './disagreement.ts';
import {
  anyObject,
  balanceAt,
  bytesAt,
  countAt,
  flagAt,
  listAt,
  type Members,
  objectAt,
  textAt,
} from './shape.ts';

export const accountNames = [
  'house',
  'diversion',
  'diversion_pending',
  'win_liability',
  'player',
  'operator_capital',
  'operator_fee',
  'external',
  'fx',
  'adjustment',
  'transfer',
] as const;

export type AccountName = (typeof accountNames)[number];

/** The state of a Time trigger; milliseconds. */
export interface TimeWindow {
  readonly trigger: number;
  /** The window is named by its end; null: the trigger draws nothing any more. */
  readonly end: number | null;
  readonly lastEvaluated: number | null;
  readonly paidEnd: number | null;
}

/** A pot as an epoch opens it. */
export interface OpeningPot {
  readonly id: string;
  readonly enabled: boolean;
  readonly cycle: number;
  readonly cycleStart: number;
  readonly cycleContributions: number;
  readonly lastDrawn: bigint;
  readonly windows: readonly TimeWindow[];
  readonly current: bigint;
  readonly seed: bigint;
  readonly surplus: bigint;
  readonly overflow: bigint;
  readonly carry: bigint;
}

/** The round of a raffle that runs, or has just been drawn, when an epoch begins. */
export interface OpeningRound {
  readonly round: number;
  readonly start: number;
  readonly end: number;
  readonly last: boolean;
  readonly tickets: number;
}

/** Data that was public before the first draw. */
export interface Header {
  /** As it is hashed. */
  readonly json: Members;
  readonly instance: string;
  readonly epoch: number;
  readonly firstSequence: number;
  readonly configHash: Uint8Array;
  readonly config: Members;
  readonly commit: Uint8Array;
  readonly beacon: Uint8Array;
  readonly previousHead: Uint8Array;
  readonly accounts: Readonly<Record<AccountName, bigint>>;
  readonly deficit: bigint;
  readonly pots: readonly OpeningPot[];
  /** Balances of another instance came before the first number, but no money. */
  readonly received: boolean;
  /** Of raffles alone. */
  readonly raffle: OpeningRound | null;
  /** Of its draws. */
  readonly rules: 1 | 2;
  /** When the instance was resumed last; null: not yet, or before the second rules. */
  readonly resumed: number | null;
}

const beaconBytes = 32;

const headerNames = [
  'v',
  'instance',
  'epoch',
  'first_seq',
  'config_hash',
  'config',
  'commit',
  'beacon',
  'prev_head',
  'accounts',
  'accumulated_seed_deficit',
  'pots',
];

const configNames = [
  'currency',
  'jackpot_type',
  'max_instantiation_count',
  'contribution_rules',
  'house_pot',
  'win_selector_strategy',
  'raffle_rules',
  'pots',
];

export function readHeader(json: unknown): Header {
  const isRaffle = Object.hasOwn(anyObject(json, 'header'), 'raffle');
  const received = Object.hasOwn(json as Members, 'received');
  const namesRules = Object.hasOwn(json as Members, 'rules');
  const further = [
    ...(isRaffle ? ['raffle'] : []),
    ...(received ? ['received'] : []),
    ...(namesRules ? ['rules', 'resumed'] : []),
  ];
  const header = objectAt(json, 'header', [...headerNames, ...further]);
  if (received && header.received !== true)
    throw new Disagreement('document', 'header.received is there, but not true');
  if (header.v !== 'JPD1') throw new Disagreement('document', 'header.v is not JPD1');
  if (namesRules && header.rules !== 2)
    throw new Disagreement('document', 'header.rules are not those that this verifier knows');
  const pots = readPots(header.pots, 'header.pots');
  const config = readConfig(header.config, 'header.config', pots.length);
  return {
    json: header,
    instance: textAt(header.instance, 'header.instance'),
    epoch: countAt(header.epoch, 'header.epoch'),
    firstSequence: countAt(header.first_seq, 'header.first_seq'),
    configHash: bytesAt(header.config_hash, 'header.config_hash', 32),
    config,
    commit: bytesAt(header.commit, 'header.commit', 32),
    beacon: bytesAt(header.beacon, 'header.beacon', header.beacon === '' ? 0 : beaconBytes),
    previousHead: bytesAt(header.prev_head, 'header.prev_head', 32),
    accounts: readAccounts(header.accounts, 'header.accounts'),
    deficit: balanceAt(header.accumulated_seed_deficit, 'header.accumulated_seed_deficit'),
    pots,
    received,
    raffle: isRaffle && header.raffle !== null ? readRound(header.raffle) : null,
    rules: namesRules ? 2 : 1,
    resumed: namesRules ? readResumed(header.resumed, 'header.resumed') : null,
  };
}

export function readResumed(json: unknown, path: string): number | null {
  return json === null ? null : countAt(json, path);
}

/** The rules of an instance with so many pots: the members that the format names, their values unread. */
export function readConfig(json: unknown, path: string, pots: number): Members {
  const wantsBeacon = Object.hasOwn(anyObject(json, path), 'draw_beacon');
  const config = objectAt(json, path, wantsBeacon ? [...configNames, 'draw_beacon'] : configNames);
  if (wantsBeacon && config.draw_beacon !== 'Required')
    throw new Disagreement('document', `${path}.draw_beacon is there, but not "Required"`);
  const configured = listAt(config.pots, `${path}.pots`);
  if (configured.length !== pots)
    throw new Disagreement('document', `${path}.pots are not those of the header`);
  configured.forEach((pot, index) => {
    objectAt(pot, `${path}.pots[${index}]`, ['effective', 'pending']);
  });
  return config;
}

export function readAccounts(json: unknown, path: string): Record<AccountName, bigint> {
  const accounts = objectAt(json, path, accountNames);
  return Object.fromEntries(
    accountNames.map((name) => [name, balanceAt(accounts[name], `${path}.${name}`)]),
  ) as Record<AccountName, bigint>;
}

export function readPots(json: unknown, path: string): readonly OpeningPot[] {
  return listAt(json, path).map((pot, index) => readPot(pot, `${path}[${index}]`));
}

const potNames = [
  'id',
  'enabled',
  'cycle',
  'cycle_start',
  'cycle_contributions',
  'last_drawn',
  'time_windows',
  'current',
  'seed',
  'surplus',
  'overflow',
  'carry',
];

function readPot(json: unknown, path: string): OpeningPot {
  const pot = objectAt(json, path, potNames);
  const balance = (name: string) => balanceAt(pot[name], `${path}.${name}`);
  return {
    id: textAt(pot.id, `${path}.id`),
    enabled: flagAt(pot.enabled, `${path}.enabled`),
    cycle: countAt(pot.cycle, `${path}.cycle`),
    cycleStart: countAt(pot.cycle_start, `${path}.cycle_start`),
    cycleContributions: countAt(pot.cycle_contributions, `${path}.cycle_contributions`),
    lastDrawn: balance('last_drawn'),
    windows: listAt(pot.time_windows, `${path}.time_windows`).map((window, index) =>
      readWindow(window, `${path}.time_windows[${index}]`),
    ),
    current: balance('current'),
    seed: balance('seed'),
    surplus: balance('surplus'),
    overflow: balance('overflow'),
    carry: balance('carry'),
  };
}

function readWindow(json: unknown, path: string): TimeWindow {
  const window = objectAt(json, path, ['trigger', 'end', 'last_evaluated', 'paid_end']);
  const time = (name: string) => (window[name] === null ? null : countAt(window[name], `${path}.${name}`));
  return {
    trigger: countAt(window.trigger, `${path}.trigger`, 255),
    end: time('end'),
    lastEvaluated: time('last_evaluated'),
    paidEnd: time('paid_end'),
  };
}

function readRound(json: unknown): OpeningRound {
  const round = objectAt(json, 'header.raffle', ['round', 'start', 'end', 'last', 'tickets']);
  const opening = {
    round: countAt(round.round, 'header.raffle.round'),
    start: countAt(round.start, 'header.raffle.start'),
    end: countAt(round.end, 'header.raffle.end'),
    last: flagAt(round.last, 'header.raffle.last'),
    tickets: countAt(round.tickets, 'header.raffle.tickets'),
  };
  const isRound = opening.round >= 1 && opening.end >= opening.start;
  if (!isRound) throw new Disagreement('document', 'header.raffle is no round');
  return opening;
}
