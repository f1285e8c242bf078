import { expect } from 'vitest';
import { sharedBatch } from '../../../src/messages/settlements.ts';
import { executionLimits } from '../../../src/wallet/execution/limits.ts';
import { noFaults, type SimNode } from '../../support/sim-server.ts';
import type { SimWorld } from '../../support/sim-world.ts';
import { lane } from '../sim-system.ts';
import { checkAnswers, checkMoney } from './money-invariants.ts';
import {
  appendControl,
  type BrandPath,
  brandCommand,
  brands,
  instances,
  prepareMoney,
} from './money-lane.ts';
import { readLedger } from './money-ledger.ts';
import { MoneyPlayers } from './money-players.ts';
import { MoneySystem, type WalletPlan } from './money-system.ts';
import { type CallFault, callFaults, type WalletNetwork } from './wallet-network.ts';

const intents = 45;
const trafficMs = 15_000;
/** The raffle's first round ends in the middle of the traffic. */
const beforeTrafficMs = 50_000;
const restMs = 900_000;
/** For so long a delayed call or message may be on its way. */
const lateMs = 40_000;
const maxRounds = 10;

export interface History {
  readonly kills: number;
  readonly pauses: number;
  readonly wins: number;
  readonly debits: {
    readonly applied: number;
    readonly cancelled: number;
    /** Of those, made and cancelled by batches. */
    readonly batched: number;
    readonly batchesCancelled: number;
  };
  readonly credits: {
    readonly alone: number;
    readonly batches: number;
    readonly released: number;
    readonly resolved: number;
  };
  readonly results: ReadonlyMap<string, number>;
  readonly seen: WalletNetwork['seen'];
  readonly repeats: number;
}

/** A bug that is planted into a history, to see that the campaign finds it. */
export type Plant = (system: MoneySystem) => void;

/** What a history is about, beyond what its seed says. */
export interface Subject {
  readonly plant?: Plant;
  /** Many calls meet these faults, and no others. */
  readonly faults?: readonly CallFault[];
  /**
   * Wallets forget which debits they refused. This is safe only where one process executes the lane, and its reports
   * arrive while it lives (docs/decisions/0270).
   */
  readonly forgetsRefusals?: boolean;
}

/** One history of a seed: traffic in trouble, healing, rest, and what must hold then. */
export async function liveMoney(seed: number, subject: Subject = {}): Promise<History> {
  const { giveUpAfterMs } = executionLimits;
  try {
    return await live(seed, subject);
  } finally {
    setGiveUpAfterMs(giveUpAfterMs);
  }
}

function setGiveUpAfterMs(value: number): void {
  (executionLimits as { giveUpAfterMs: number }).giveUpAfterMs = value;
}

async function live(seed: number, subject: Subject): Promise<History> {
  const { system, players, forever } = begin(seed, subject);
  const { sim, network } = system;
  const { world, server } = sim;
  const closeRounds = world.chance(0.5);
  // A day passes in seconds for some.
  if (world.chance(0.4)) setGiveUpAfterMs(world.between(0, 8_000));
  await prepareMoney(sim, closeRounds);
  for (let slot = 0; slot < system.plan.processes; slot += 1) system.startWallet(slot);
  await world.passes(beforeTrafficMs);

  players.begin(intents, trafficMs, !closeRounds);
  sim.setFaults({ ...randomFaults(world), ...(subject.forgetsRefusals ? { lateRequest: 0 } : {}) });
  chooseCallFaults(system, subject.faults);
  disturbProcesses(system);
  if (subject.forgetsRefusals) system.overtakenRate = 0;
  disturbLane(system, players, closeRounds);
  await world.passes(trafficMs + world.between(0, 10_000));

  sim.setFaults(noFaults);
  server.up = true;
  network.faultRate = 0;
  network.cancelFaultRate = 0;
  network.step = () => {};
  system.overtakenRate = 0;
  for (const brand of brands) network.setDown(brand, brand === forever);
  sim.resumeHost();
  if (sim.stopped !== null || !sim.owned) sim.startHost();
  system.healWallets();
  await world.until(() => players.open === 0, restMs, 'an answer for every caller');
  await atRest(system, players, (brand) => brand !== forever);
  await checkHeld(system, players);

  for (const wallet of network.all()) wallet.reopen();
  for (const brand of brands) network.setDown(brand, false);
  await atRest(system, players, () => true);
  await world.passes(lateMs);
  await decideAll(system, players);
  await world.until(() => isRecorded(system), restMs, 'an outcome for every command');
  expect(sim.alarms.filter((alarm) => !mayFail.test(alarm))).toEqual([]);
  const ledger = readLedger(sim);
  checkMoney(system, ledger);
  checkAnswers(players.answers, ledger);
  return historyOf(system, players, ledger);
}

const mayFail = /^(snapshot_upload_failed|epoch_not_published|outcome_not_rebuilt):/;

function begin(seed: number, { plant, forgetsRefusals = false }: Subject) {
  const plan = planOf(seed);
  const system = new MoneySystem(seed, forgetsRefusals ? { ...plan, processes: 1 } : plan);
  const { world } = system.sim;
  system.network.remembersRefusals = !forgetsRefusals;
  const forever = world.chance(0.2) ? pick(world, brands) : null;
  plant?.(system);
  return { system, players: new MoneyPlayers(system), forever };
}

/** Clocks within 0.2 s behind the server's: W3 ends 0.3 s before a debit's deadline. */
function planOf(seed: number): WalletPlan {
  return {
    processes: seed % 3 === 2 ? 1 : 2,
    sharesLeases: seed % 2 === 0,
    minClockMs: -200,
    maxClockMs: seed % 3 === 0 ? 200 : 3_000,
  };
}

function randomFaults(world: SimWorld) {
  return {
    lostRequest: world.chance(0.5) ? world.next() * 0.1 : 0,
    lostAnswer: world.chance(0.5) ? world.next() * 0.15 : 0,
    lostBusMessage: world.chance(0.5) ? world.next() * 0.3 : 0,
    lateRequest: world.chance(0.5) ? world.next() * 0.3 : 0,
    minDelayMs: 0,
    maxDelayMs: world.between(1, 40),
  };
}

/** Few kinds at a time, so that they meet each other; a call that overtakes others is the hardest of them. */
function chooseCallFaults({ network, sim: { world } }: MoneySystem, faults?: readonly CallFault[]): void {
  network.faultRate = world.chance(0.8) ? world.next() * 0.6 : 0;
  network.cancelFaultRate = world.chance(0.5) ? 0.9 : network.faultRate;
  network.faults = Array.from({ length: world.between(1, 4) }, () => pick(world, callFaults));
  if (world.chance(0.4)) network.faults = [...network.faults, 'late'];
  if (faults === undefined) return;
  network.faultRate = 0.5;
  network.faults = faults;
}

/** Wallet processes die and pause at any step; owners and the server at any moment. */
function disturbProcesses(system: MoneySystem): void {
  const { sim, network, plan } = system;
  const { world, server } = sim;
  const killRate = world.chance(0.6) ? world.next() ** 2 * 0.2 : 0;
  const pauseRate = world.chance(0.6) ? world.next() ** 2 * 0.2 : 0;
  system.overtakenRate = world.chance(0.5) ? world.next() * 0.2 : 0;
  network.step = (node, isBeforeReport = false) => {
    if (!node.alive) return;
    // What was done and is not reported is the hardest to make good.
    const factor = isBeforeReport ? 5 : 1;
    if (world.chance(factor * killRate)) killFor(system, node, world.between(0, 6_000));
    else if (!world.chance(factor * pauseRate)) return;
    else if (isBeforeReport) freezeAll(system, node);
    else pauseFor(system, node, world.between(10, 8_000));
  };
  atTimes(world, 3, () => {
    sim.killHost();
    world.schedule(world.between(0, 3_000), () => sim.startHost());
  });
  atTimes(world, 1, () => {
    sim.pauseHost();
    world.schedule(world.between(100, 5_000), () => sim.resumeHost());
  });
  atTimes(world, 1, () => {
    server.up = false;
    world.schedule(world.between(100, 8_000), () => {
      server.up = true;
    });
  });
  atTimes(world, 4, () => {
    const [node] = system.nodes;
    if (node !== undefined) node.clockOffsetMs = world.between(plan.minClockMs, plan.maxClockMs);
  });
}

function killFor(system: MoneySystem, node: SimNode, durationMs: number): void {
  const slot = system.slotOf(node);
  if (slot === null) return;
  system.killWallet(slot);
  system.sim.world.schedule(durationMs, () => system.startWallet(slot));
}

function pauseFor(system: MoneySystem, node: SimNode, durationMs: number): void {
  system.pauses += 1;
  node.pause();
  system.sim.world.schedule(durationMs, () => node.resume());
}

/** The host of a process stands still beyond a debit's deadline, and its wallets do not answer anybody meanwhile. */
function freezeAll(system: MoneySystem, node: SimNode): void {
  const { network, sim } = system;
  pauseFor(system, node, sim.world.between(4_000, 12_000));
  for (const brand of brands) downFor(network, brand, sim.world.between(6_000, 20_000));
}

function downFor(network: WalletNetwork, brand: string, durationMs: number): void {
  network.setDown(brand, true);
  network.world.schedule(durationMs, () => network.setDown(brand, false));
}

/** Wallets are down, instances pause, brands switch their wallets off and on, people decide, reports come twice. */
function disturbLane(system: MoneySystem, players: MoneyPlayers, closeRounds: boolean): void {
  const { network, sim } = system;
  const { world } = sim;
  for (const brand of brands) atTimes(world, 1, () => downFor(network, brand, world.between(1_000, 20_000)));
  atTimes(world, 2, () => {
    const instance = pick(world, instances);
    players.pauseFor(instance, world.between(500, 12_000));
  });
  atTimes(world, 1, () => {
    switchWallet(system, players, 'op:switched', false, closeRounds);
    world.schedule(world.between(500, 6_000), () =>
      switchWallet(system, players, 'op:switched', true, closeRounds),
    );
  });
  atTimes(world, 2, () => void players.decide(0.5));
  atTimes(world, 2, () => void players.decide(0.3, ['withheld', 'unknown', 'dead']));
  atTimes(world, 2, () => void closeAccount(system));
  atTimes(world, 3, () => repeatReport(system));
}

function switchWallet(
  { sim }: MoneySystem,
  players: MoneyPlayers,
  brand: BrandPath,
  wallet: boolean,
  closeRounds: boolean,
): void {
  appendControl(sim, [brandCommand(brand, wallet, closeRounds)]);
  sim.world.schedule(sim.world.between(0, 500), () => players.hasWallet.set(brand, wallet));
}

/** The wallet refuses the credits of a player from now on. */
function closeAccount({ network, sim }: MoneySystem): void {
  const { world } = sim;
  network.of(pick(world, brands)).closed.add(`player-${world.between(1, 6)}`);
}

/** The server has forgotten the id of an earlier report, and stores it once more. */
function repeatReport({ sim: { world, server } }: MoneySystem): void {
  const reports = server.lane(lane).commands.filter(({ channel }) => channel === 'settlement');
  const report = reports[world.between(0, reports.length - 1)];
  if (report !== undefined) server.appendCommand(lane, 'settlement', report.bytes, `again-${world.nowMs}`);
}

function atTimes(world: SimWorld, most: number, task: () => void): void {
  for (let times = world.between(0, most); times > 0; times -= 1)
    world.schedule(world.between(0, trafficMs), task);
}

function pick<T>(world: SimWorld, choices: readonly T[]): T {
  return choices[world.between(0, choices.length - 1)]!;
}

/** Waits until nothing is left to be executed for brands whose wallets answer. */
async function atRest(
  system: MoneySystem,
  players: MoneyPlayers,
  answers: (brand: string) => boolean,
): Promise<void> {
  const { world } = system.sim;
  const deadlineMs = world.nowMs + restMs;
  let open: readonly string[] = [];
  do {
    await world.passes(1_000);
    open = await until(world, openWork(players, answers));
  } while (open.length > 0 && world.nowMs < deadlineMs);
  expect(open, 'nothing is left to be executed').toEqual([]);
}

async function openWork(
  players: MoneyPlayers,
  answers: (brand: string) => boolean,
): Promise<readonly string[]> {
  const debits = await players.debits();
  const credits = await players.credits(['pending', 'unknown']);
  return [
    ...debits.filter(({ brand }) => answers(brand)).map((each) => `debit ${each.transactionId}`),
    ...credits
      .filter(({ brand }) => answers(brand))
      .map((each) => `credit ${each.transactionId} ${each.state}`),
  ];
}

/** Nobody was paid what a person holds. */
async function checkHeld({ network, sim }: MoneySystem, players: MoneyPlayers): Promise<void> {
  for (const { brand, transactionId, state, reason } of await until(
    sim.world,
    players.credits(['withheld', 'dead']),
  )) {
    // What was given up without an answer may be paid.
    if (state === 'dead' && !reason.startsWith('account_closed')) continue;
    expect(network.of(brand).has(transactionId), `credit ${transactionId} is ${state}`).toBe(false);
  }
}

/** Until a raffle that is drawn meanwhile leaves nothing, either. */
async function decideAll(system: MoneySystem, players: MoneyPlayers): Promise<void> {
  const { world } = system.sim;
  let open: readonly unknown[] = [];
  for (let rounds = 0; rounds < maxRounds; rounds += 1) {
    await until(world, players.decide(1));
    await atRest(system, players, () => true);
    open = await until(world, players.credits([]));
    if (open.length === 0) return;
  }
  expect(open, 'nothing is left to be decided').toEqual([]);
}

function isRecorded({ sim }: MoneySystem): boolean {
  const { commands, outcomes } = sim.server.lane(lane);
  return commands.length === outcomes.length;
}

async function until<T>(world: SimWorld, promise: Promise<T>): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  promise.then(over, over);
  await world.until(() => isOver, restMs, 'an answer');
  return promise;
}

function historyOf(
  { kills, pauses, results, network }: MoneySystem,
  { resolved }: MoneyPlayers,
  { debits, credits, wins }: ReturnType<typeof readLedger>,
): History {
  const all = [...credits.values()];
  const { sent } = network;
  return {
    kills,
    pauses,
    wins,
    debits: {
      applied: debits.filter(({ result }) => result === 'applied').length,
      cancelled: debits.filter(({ result }) => result === 'not_applied').length,
      batched: debits.filter(({ debit, result }) => result === 'applied' && sharedBatch(debit) !== null)
        .length,
      batchesCancelled: sent.counts('W5').calls,
    },
    credits: {
      alone: all.filter(({ credit }) => credit.wallet && credit.batchId === '').length,
      batches: new Set(all.flatMap(({ credit }) => (credit.batchId === '' ? [] : [credit.batchId]))).size,
      released: all.filter(({ releasedMs }) => releasedMs !== null).length,
      resolved,
    },
    results,
    seen: network.seen,
    repeats: (['W2', 'W3', 'W4', 'W5'] as const).reduce((sum, name) => sum + sent.counts(name).repeats, 0),
  };
}
