import { createHash } from 'node:crypto';
import type { CreateInstance, SwitchModel } from '../../../src/messages/instance-commands.ts';
import type { Json } from './rules.ts';
import type { TimeState } from './triggers.ts';

export interface OraclePot {
  id: string;
  document: Json;
  pending: Json | null;
  enabled: boolean;
  cycle: number;
  cycleStart: number;
  cycleCount: number;
  lastDrawn: bigint;
  accounts: { current: bigint; seed: bigint; surplus: bigint; overflow: bigint; carry: bigint };
  contributed: bigint;
  contributedSeed: bigint;
  count: number;
  initialCost: bigint;
  /** By trigger; null where it is not a Time trigger. */
  times: (TimeState | null)[];
}

export interface SwitchOrder {
  readonly command: SwitchModel;
  readonly target: string;
  step: number;
  looked: number;
}

/** The money and the draws of one instance as plain values: `structuredClone` makes a copy. */
export interface OracleInstance {
  id: string;
  hash: Uint8Array;
  owner: string;
  /** What wallets know it by; empty: it has none. */
  gameCode: string;
  /** Instance-level configuration in force, and the one that waits for the next epoch. */
  document: Json;
  pending: Json | null;
  status: string;
  suspended: boolean;
  /** When it last went from Paused to Active. */
  resumedMs: number | null;
  version: number;
  startMs: number | null;
  endMs: number | null;
  links: readonly string[];
  sequence: number;
  counter: number;
  accounts: Record<string, bigint>;
  deficit: bigint;
  total: number;
  houseCount: number;
  pots: OraclePot[];
  seeds: Map<number, { readonly seed: Uint8Array; readonly commit: Uint8Array; readonly beacon: Uint8Array }>;
  epoch: { number: number; firstSequence: number; startedMs: number; configHash: Uint8Array } | null;
  /** The diversion flush that is under way, and how many there were. */
  flush: { readonly id: string; readonly atoms: bigint } | null;
  flushes: number;
  /** A switch to another instance that is under way: how many players were looked at, and the step that comes next. */
  order: SwitchOrder | null;
  /** The target of the switch that was cancelled last, if it was the last one. */
  cancelled: string | null;
  /** The instance that it was switched to; empty: none. */
  successor: string;
  /** The instance that a switch moved here; empty: none. */
  switchedFrom: string;
  endRequested: boolean;
  /** A pot's new parameters have bound: the message's end tells of it. */
  rebound: boolean;
  /** The last cycle of the pot that was enabled last is over. */
  isSpent: boolean;
  /** Epochs that have ended and are not revealed: when they ended. */
  unrevealed: Map<number, number>;
  head: Uint8Array;
  /** What was hashed into the head in this message: groups of draws, and headers. */
  made: unknown[];
}

const outsideAndCommon = [
  ['house', true],
  ['diversion', true],
  ['diversion_pending', true],
  ['win_liability', true],
  ['player', false],
  ['operator_capital', false],
  ['operator_fee', false],
  ['external', false],
  ['fx', false],
  ['adjustment', false],
  ['transfer', false],
] as const;

export const insideAccounts = outsideAndCommon.filter(([, inside]) => inside).map(([name]) => name);

export function newInstance(command: CreateInstance): OracleInstance {
  const { instance: id, owner } = command;
  const document = command.configuration as Json;
  return {
    id,
    hash: new Uint8Array(createHash('sha256').update(id).digest().subarray(0, 16)),
    owner,
    gameCode: command.gameCode,
    document,
    pending: null,
    status: 'Pending',
    suspended: false,
    resumedMs: null,
    version: 1,
    startMs: command.timestampStartMs,
    endMs: command.timestampEndMs,
    links: [],
    sequence: 0,
    counter: 0,
    accounts: Object.fromEntries(outsideAndCommon.map(([name]) => [name, 0n])),
    deficit: 0n,
    total: 0,
    houseCount: 0,
    pots: document.pots.map((pot: Json) => ({
      id: pot.id,
      document: pot,
      pending: null,
      enabled: pot.enabled !== false,
      cycle: 1,
      cycleStart: 0,
      cycleCount: 0,
      lastDrawn: 0n,
      accounts: { current: 0n, seed: 0n, surplus: 0n, overflow: 0n, carry: 0n },
      contributed: 0n,
      contributedSeed: 0n,
      count: 0,
      initialCost: 0n,
      times: [],
    })),
    seeds: new Map(),
    epoch: null,
    flush: null,
    flushes: 0,
    order: null,
    cancelled: null,
    successor: '',
    switchedFrom: '',
    endRequested: false,
    rebound: false,
    isSpent: false,
    unrevealed: new Map(),
    head: new Uint8Array(32),
    made: [],
  };
}

/** Every account by its public name. */
export function accountsOf(instance: OracleInstance): Record<string, bigint> {
  const all = { ...instance.accounts };
  for (const pot of instance.pots) {
    for (const [name, value] of Object.entries(pot.accounts)) all[`${pot.id}.${name}`] = value;
  }
  return all;
}
