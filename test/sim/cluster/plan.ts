import type { SimCut, SimFaults, SimPart } from '../../support/sim-server.ts';
import { SimWorld } from '../../support/sim-world.ts';
import { type CallFault, callFaults } from '../money/wallet-network.ts';

/** A contribution that a caller means to happen once. */
export interface Call {
  readonly atMs: number;
  readonly instance: 'gold' | 'silver';
  readonly brand: 'op:main' | 'op:house';
  readonly player: number;
  readonly units: number;
  readonly linked: boolean;
  /** The same key twice at once. */
  readonly impatient: boolean;
  /** Asked once more so long after its answer; null: never. */
  readonly againAfterMs: number | null;
}

/**
 * What is done to a process. Hosts are numbered by what they do when the fault comes: 0 owns the lane, the others follow it.
 * A killed process is restarted by the supervisor, a paused or cut one is well again after `lastsMs`.
 */
export interface ProcessFault {
  readonly kind: 'kill' | 'pause' | 'cut';
  readonly role: 'host' | 'gateway' | 'wallet' | 'supervisor';
  readonly which: number;
  readonly way?: SimCut;
}

export type FaultKind =
  | ProcessFault
  /** SIGTERM; an administrator drains the host, or moves the lane to it; its machine burns down. */
  | { readonly kind: 'stop' | 'drain' | 'move' | 'lose'; readonly which: number }
  /** The newest snapshot of a host is torn, and the host dies. */
  | { readonly kind: 'tear'; readonly which: number; readonly part: number }
  | { readonly kind: 'leader_gap'; readonly part: SimPart }
  | { readonly kind: 'outage' }
  /** nats-server has forgotten the id of a settlement, and stores it once more. */
  | { readonly kind: 'repeat' }
  /** Everything dies at once, and OUT comes back with this part of its records only. */
  | { readonly kind: 'power_cut'; readonly part: number }
  /** The engine's version is written into the log. */
  | { readonly kind: 'upgrade' };

export type Fault = FaultKind & { readonly atMs: number; readonly lastsMs: number };

/** Everything that happens in a history, but for delays and losses, which are drawn from the seed. */
export interface Plan {
  readonly seed: number;
  readonly hosts: number;
  readonly gateways: number;
  readonly wallets: number;
  readonly rates: Omit<SimFaults, 'minDelayMs'>;
  readonly wallet: { readonly rate: number; readonly faults: readonly CallFault[] };
  /** How far the clock of each host is from the server's. */
  readonly clocksMs: readonly number[];
  readonly calls: readonly Call[];
  readonly faults: readonly Fault[];
}

export const trafficMs = 6_000;
const maxCalls = 18;
const minCalls = 8;
const stormMs = 1_500;

/** The plan of a seed. */
export function planOf(seed: number): Plan {
  // Another sequence than that of the world which lives the plan.
  const dice = new SimWorld(seed ^ 0x5bd1e995);
  const hosts = dice.chance(0.4) ? 3 : 2;
  return {
    seed,
    hosts,
    gateways: dice.between(1, 2),
    wallets: dice.chance(0.5) ? 2 : 1,
    rates: ratesOf(dice),
    wallet: {
      rate: dice.chance(0.4) ? dice.next() * 0.5 : 0,
      faults: Array.from({ length: dice.between(1, 3) }, () => pick(dice, quickFaults)),
    },
    clocksMs: Array.from({ length: hosts }, () => (dice.chance(0.3) ? dice.between(-150, 1_500) : 0)),
    calls: Array.from({ length: dice.between(minCalls, maxCalls) }, () => callOf(dice)).sort(byTime),
    faults: faultsOf(dice, hosts).sort(byTime),
  };
}

/** A call that is done twice, or late, is on its way for half a minute. */
const quickFaults = callFaults.filter(
  (fault) => fault !== 'late' && fault !== 'twice' && fault !== 'refused',
);

function ratesOf(dice: SimWorld): Plan['rates'] {
  const sometimes = (chance: number, max: number): number => (dice.chance(chance) ? dice.next() * max : 0);
  return {
    lostRequest: sometimes(0.4, 0.1),
    lostAnswer: sometimes(0.4, 0.15),
    lostBusMessage: sometimes(0.4, 0.3),
    lateRequest: sometimes(0.1, 0.2),
    duplicateRequest: sometimes(0.3, 0.3),
    duplicateBusMessage: sometimes(0.3, 0.3),
    maxDelayMs: dice.between(1, 40),
  };
}

function callOf(dice: SimWorld): Call {
  return {
    atMs: dice.between(0, trafficMs),
    instance: dice.chance(0.5) ? 'gold' : 'silver',
    brand: dice.chance(0.6) ? 'op:house' : 'op:main',
    player: dice.between(1, 5),
    units: dice.between(100, 1_000),
    linked: dice.chance(0.4),
    impatient: dice.chance(0.15),
    againAfterMs: dice.chance(0.35) ? dice.between(0, 5_000) : null,
  };
}

/** Faults come in storms: one alone is what a system is built for. */
function faultsOf(dice: SimWorld, hosts: number): Fault[] {
  const faults: Fault[] = [];
  for (let storms = dice.between(1, 3); storms > 0; storms -= 1) {
    const beginsMs = dice.between(200, trafficMs - stormMs);
    for (let count = dice.between(1, 4); count > 0; count -= 1)
      faults.push({
        ...kindOf(dice, hosts),
        atMs: beginsMs + dice.between(0, stormMs),
        lastsMs: dice.chance(0.2) ? dice.between(2_000, 18_000) : dice.between(50, 2_500),
      });
  }
  if (dice.chance(0.5)) faults.push({ kind: 'upgrade', atMs: dice.between(0, trafficMs), lastsMs: 0 });
  if (hosts > 2 && dice.chance(0.25))
    faults.push({ kind: 'lose', which: dice.between(0, 2), atMs: dice.between(0, trafficMs), lastsMs: 0 });
  for (let cuts = dice.chance(0.1) ? dice.between(1, 3) : 0; cuts > 0; cuts -= 1)
    faults.push({
      ...{ kind: 'power_cut', part: dice.chance(0.5) ? 1 - dice.next() * 0.1 : dice.next() },
      ...{ atMs: dice.between(200, trafficMs), lastsMs: dice.between(50, 1_000) },
    });
  return faults;
}

function kindOf(dice: SimWorld, hosts: number): FaultKind {
  const which = dice.chance(0.6) ? 0 : dice.between(1, hosts - 1);
  const role = pick(dice, ['host', 'host', 'host', 'host', 'gateway', 'wallet'] as const);
  const number = role === 'host' ? which : dice.between(0, 1);
  switch (dice.between(0, 15)) {
    case 0:
    case 1:
    case 2:
      return { kind: 'kill', role, which: number };
    case 3:
    case 4:
      return { kind: 'pause', role, which: number };
    case 5:
    case 6:
      return { kind: 'cut', role, which: number, way: pick(dice, ['both', 'out', 'in'] as const) };
    case 7:
      return { kind: 'stop', which };
    case 8:
      return { kind: 'drain', which };
    case 9:
      return { kind: 'move', which: dice.between(0, hosts - 1) };
    case 10:
      return { kind: 'tear', which, part: dice.next() };
    case 11:
      return { kind: 'kill', role: 'supervisor', which: 0 };
    case 12:
    case 13:
      return { kind: 'leader_gap', part: 'outcomes' };
    case 14:
      return { kind: 'leader_gap', part: pick(dice, ['commands', 'tables', 'archives'] as const) };
    default:
      return dice.chance(0.5) ? { kind: 'outage' } : { kind: 'repeat' };
  }
}

function pick<T>(dice: SimWorld, choices: readonly T[]): T {
  return choices[dice.between(0, choices.length - 1)]!;
}

function byTime(a: { readonly atMs: number }, b: { readonly atMs: number }): number {
  return a.atMs - b.atMs;
}
