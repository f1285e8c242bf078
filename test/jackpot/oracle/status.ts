import type { SetStatus } from '../../../src/messages/instance-commands.ts';
import { beginEpoch, mayBegin } from './epoch.ts';
import type { OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { amount, atLeastZero, maxAmount, smallest } from './numbers.ts';
import { endRound, workOnRound } from './raffle.ts';
import { complete } from './switch.ts';
import { announce, announceInstance } from './told.ts';
import { capOf, openWindows } from './triggers.ts';

/** Section 7, what an administrator may ask for. */
export function setStatus(lane: OracleLane, instance: OracleInstance, { status, to }: SetStatus): string {
  const from = instance.status;
  if (from === 'Resolving' && status === 'Completed') return complete(lane, instance, to);
  if (from === 'Paused' && status === 'Active' && obstacle(lane, instance)) return 'invalid_transition';
  if (from === 'Pending' && status === 'Cancelled') {
    const { player, transfer } = instance.accounts;
    if (player !== 0n || transfer !== 0n || instance.total > 0) return 'invalid_transition';
  }
  if (from === 'Pending' && status === 'Active') {
    if (!mayBegin(instance, 0)) return 'invalid_transition';
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
  if (instance.status === 'Pending' && startMs !== null && lane.nowMs >= startMs && mayBegin(instance, 0)) {
    activate(lane, instance);
    return 'done';
  }
  const isRunning = ['Active', 'Paused'].includes(instance.status) && !instance.suspended;
  const raffle = lane.raffles.get(instance);
  const isOver = raffle?.isOver(lane.nowMs) ?? (instance.endMs !== null && lane.nowMs >= instance.endMs);
  if (!isRunning || !isOver) return 'done';
  if (raffle === null) move(lane, instance, 'Resolving');
  else endRound(lane, instance, raffle);
  return 'done';
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
    if (raffle === null) move(lane, instance, 'Resolving');
    else endRound(lane, instance, raffle);
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

function activate(lane: OracleLane, instance: OracleInstance): void {
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
  move(lane, instance, 'Active');
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
