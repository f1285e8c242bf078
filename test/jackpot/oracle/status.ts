import type { SetStatus } from '../../../src/messages/instance-commands.ts';
import { fate } from './closed-pots.ts';
import { beginEpoch, mayBegin } from './epoch.ts';
import type { OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { amount, atLeastZero, maxAmount, smallest } from './numbers.ts';
import { endRound, workOnRound } from './raffle.ts';
import { complete, isSwitching } from './switch.ts';
import { announce, announceInstance } from './told.ts';
import { capOf, openWindows } from './triggers.ts';

/** Section 7, what an administrator may ask for. */
export function setStatus(lane: OracleLane, instance: OracleInstance, { status, to }: SetStatus): string {
  const from = instance.status;
  if (from === 'Resolving' && status === 'Completed') return complete(lane, instance, to);
  const isResumed = from === 'Paused' && status === 'Active';
  if (isResumed && (obstacle(lane, instance) || isClosed(lane, instance))) return 'invalid_transition';
  if (from === 'Pending' && status === 'Cancelled' && holdsMoney(instance)) return 'invalid_transition';
  if (from === 'Pending' && status === 'Active') {
    if (!mayStart(lane, instance)) return 'invalid_transition';
    if (isSwitching(lane, instance)) return 'switch_in_progress';
    activate(lane, instance);
    return 'done';
  }
  const known =
    (from === 'Pending' && status === 'Cancelled') ||
    (from === 'Active' && status === 'Paused') ||
    (from === 'Paused' && status === 'Active');
  if (!known) return 'invalid_transition';
  if (from === 'Paused') {
    instance.resumedMs = lane.nowMs;
    lane.ownMessage(instance, { type: 'resume', seq: instance.sequence + 1 });
  }
  move(lane, instance, status);
  return 'done';
}

export function tick(lane: OracleLane, instance: OracleInstance): string {
  lane.touched.add(instance);
  const { startMs } = instance;
  const raffle = lane.raffles.get(instance);
  if (instance.status === 'Pending') {
    const starts = mayStart(lane, instance) && !isSwitching(lane, instance);
    if (startMs !== null && lane.nowMs >= startMs && starts) activate(lane, instance);
    else if (hasEnded(lane, instance) && holdsMoney(instance)) {
      if (raffle !== null) raffle.phase = 'Over';
      move(lane, instance, 'Resolving');
    }
    return 'done';
  }
  const isRunning = ['Active', 'Paused'].includes(instance.status) && !instance.suspended;
  const isOver = raffle?.isOver(lane.nowMs) ?? hasEnded(lane, instance);
  if (!isRunning || !isOver) return 'done';
  if (raffle === null) move(lane, instance, 'Resolving');
  else endRound(lane, instance, raffle);
  return 'done';
}

function hasEnded({ nowMs }: OracleLane, { endMs }: OracleInstance): boolean {
  return endMs !== null && nowMs >= endMs;
}

/** "Activation": its seed, a pot, and time left. */
function mayStart(lane: OracleLane, instance: OracleInstance): boolean {
  return mayBegin(instance, 0) && instance.pots.some(({ enabled }) => enabled) && !hasEnded(lane, instance);
}

/** Players', or another instance's. */
function holdsMoney({ accounts, total }: OracleInstance): boolean {
  return accounts.player !== 0n || accounts.transfer !== 0n || total > 0;
}

/** A person has disabled its pots, and none is to be enabled. */
function isClosed(lane: OracleLane, instance: OracleInstance): boolean {
  if (lane.raffles.get(instance) !== null || instance.pots.some(({ enabled }) => enabled)) return false;
  return fate(instance) === 'Paused';
}

export function suspendInstance(lane: OracleLane, instance: OracleInstance): void {
  if (!['Active', 'Paused', 'Resolving'].includes(instance.status)) return;
  instance.suspended = true;
  move(lane, instance, 'Paused');
}

/** What a message's end brings: the last cycle, the end of a round, the next epoch, a reveal that is overdue. */
export function endMessage(lane: OracleLane, instance: OracleInstance): void {
  const raffle = lane.raffles.get(instance);
  if (instance.status === 'Active' && !instance.pots.some((pot) => pot.enabled)) {
    const becomes = fate(instance);
    if (raffle !== null) endRound(lane, instance, raffle);
    else if (becomes !== 'waits') move(lane, instance, becomes);
  }
  if (raffle !== null) workOnRound(lane, instance, raffle);
  if (instance.rebound) announceInstance(lane, instance);
  instance.rebound = false;
  const { epoch } = instance;
  if (epoch === null) return;
  if (['Cancelled', 'Completed', 'Switched'].includes(instance.status)) {
    instance.unrevealed.set(epoch.number, lane.nowMs);
    announce(lane, 'epoch');
    instance.epoch = null;
    return;
  }
  const { epochMs, epochSequences } = lane.settings;
  const given = instance.sequence - epoch.firstSequence + 1;
  const isOver = instance.endRequested || lane.nowMs >= epoch.startedMs + epochMs || given >= epochSequences;
  if (isOver && mayBegin(instance, epoch.number + 1)) {
    instance.unrevealed.set(epoch.number, lane.nowMs);
    announce(lane, 'epoch');
    beginEpoch(lane, instance);
  }
  if (instance.status === 'Active' && obstacle(lane, instance)) suspendInstance(lane, instance);
}

/** A seed that is not committed, or not revealed in time, stops an instance. */
function obstacle(lane: OracleLane, instance: OracleInstance): boolean {
  const { epoch, unrevealed } = instance;
  if (epoch === null) return true;
  const given = instance.sequence - epoch.firstSequence + 1;
  if (given >= 2 * lane.settings.epochSequences && !mayBegin(instance, epoch.number + 1)) return true;
  return [...unrevealed.values()].some((endedMs) => endedMs + 60_000 < lane.nowMs);
}

export function activate(lane: OracleLane, instance: OracleInstance, status = 'Active'): void {
  for (const pot of instance.pots) {
    const initial = amount(pot.document.seed_strategy?.initial_seed_value ?? 0);
    const seed = instance.switchedFrom === '' ? initial : 0n;
    instance.accounts.operator_capital! -= seed;
    pot.accounts.current += seed;
    // A22 may have raised the value before: no pot passes its maximum.
    const above = smallest(atLeastZero(pot.accounts.current - (capOf(pot.document) ?? maxAmount)), seed);
    pot.accounts.current -= above;
    pot.accounts.overflow += above;
    pot.initialCost = seed;
    pot.lastDrawn = pot.accounts.current;
    pot.cycleStart = lane.nowMs;
    openWindows(pot, lane.nowMs);
  }
  lane.raffles.get(instance)?.begin(instance, lane.nowMs, lane.nowMs);
  beginEpoch(lane, instance);
  move(lane, instance, status);
}

export function move(lane: OracleLane, instance: OracleInstance, status: string): void {
  instance.status = status;
  if (status !== 'Paused') instance.suspended = false;
  instance.counter += 1;
  instance.version += 1;
  lane.touched.add(instance);
  announceInstance(lane, instance);
  announce(lane, 'status');
}
