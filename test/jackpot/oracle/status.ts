import type { SetStatus } from '../../../src/jackpot/commands.ts';
import { beginEpoch } from './epoch.ts';
import type { OracleInstance } from './instance.ts';
import type { OracleLane } from './lane.ts';
import { amount } from './numbers.ts';
import { openWindows } from './triggers.ts';

/** Section 7, what an administrator may ask for. */
export function setStatus(lane: OracleLane, instance: OracleInstance, { status }: SetStatus): string {
  const from = instance.status;
  if (from === 'Pending' && status === 'Active') {
    if (!instance.seeds.has(0)) return 'invalid_transition';
    activate(lane, instance);
    return 'done';
  }
  const known =
    (from === 'Pending' && status === 'Cancelled') ||
    (from === 'Active' && status === 'Paused') ||
    (from === 'Paused' && status === 'Active');
  if (!known) return 'invalid_transition';
  move(lane, instance, status);
  return 'done';
}

export function tick(lane: OracleLane, instance: OracleInstance): string {
  lane.touched.add(instance);
  const { startMs } = instance;
  if (instance.status === 'Pending' && startMs !== null && lane.nowMs >= startMs && instance.seeds.has(0)) {
    activate(lane, instance);
  }
  return 'done';
}

export function pauseItself(lane: OracleLane, instance: OracleInstance): void {
  if (instance.status !== 'Active' && instance.status !== 'Paused') return;
  instance.suspended = true;
  move(lane, instance, 'Paused');
}

/** What a message's end brings: the last cycle, the next epoch, a reveal that is overdue. */
export function endMessage(lane: OracleLane, instance: OracleInstance): void {
  if (instance.status === 'Active' && !instance.pots.some((pot) => pot.enabled)) {
    move(lane, instance, 'Resolving');
  }
  const { epoch } = instance;
  if (epoch === null) return;
  const { epochMs, epochSequences } = lane.settings;
  const given = instance.sequence - epoch.firstSequence + 1;
  const isOver = instance.endRequested || lane.nowMs >= epoch.startedMs + epochMs || given >= epochSequences;
  if (isOver && instance.seeds.has(epoch.number + 1)) {
    instance.unrevealed.set(epoch.number, lane.nowMs);
    beginEpoch(instance, lane.nowMs);
  }
  if (instance.status !== 'Active') return;
  const overdue = [...instance.unrevealed.values()].some((endedMs) => endedMs + 60_000 < lane.nowMs);
  const ranOut = given >= 2 * epochSequences && !instance.seeds.has(instance.epoch!.number + 1);
  if (overdue || ranOut) pauseItself(lane, instance);
}

function activate(lane: OracleLane, instance: OracleInstance): void {
  for (const pot of instance.pots) {
    const seed = amount(pot.document.seed_strategy?.initial_seed_value ?? 0);
    instance.accounts.operator_capital! -= seed;
    pot.accounts.current += seed;
    pot.initialCost = seed;
    pot.lastDrawn = pot.accounts.current;
    pot.cycleStart = lane.nowMs;
    openWindows(pot, lane.nowMs);
  }
  beginEpoch(instance, lane.nowMs);
  move(lane, instance, 'Active');
}

function move(lane: OracleLane, instance: OracleInstance, status: string): void {
  instance.status = status;
  if (status !== 'Paused') instance.suspended = false;
  instance.counter += 1;
  instance.version += 1;
  lane.touched.add(instance);
}
