import { describe } from '../describe.ts';
import { endEpoch, turnEpoch } from '../draw/epoch.ts';
import { isBetweenDrawAndRecord } from '../raffle/draw.ts';
import { endRound, workOnRound } from '../raffle/end-round.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { changeStatus, isTerminal } from './change.ts';
import { drawn, obstacleToRunning } from './obstacle.ts';
import { pauseItself } from './suspend.ts';

/** What is decided between messages: whether an instance is over, whether its epoch turns, whether it may go on. */
export function endMessage(state: LaneState, instance: Instance): void {
  if (instance.status === 'Active' && instance.enabledMask === 0) {
    if (instance.raffle === null)
      changeStatus(state, instance, 'Resolving', 'the last cycle of every pot is over');
    else endRound(state, instance);
  }
  workOnRound(state, instance);
  if (instance.hasRebound) tellRebound(state, instance);
  if (isTerminal(instance.status)) endEpochs(state, instance);
  else if (isEpochOver(state, instance)) {
    turnEpoch(state.hashing, instance, state.nowMs, state.events);
    state.noteDuty(instance);
  }
  if (instance.status !== 'Active') return;
  const obstacle = obstacleToRunning(state, instance);
  if (obstacle !== null) pauseItself(state, instance, obstacle);
}

/** Lookups show the parameters in force; binding what was stored before is no new version. */
function tellRebound(state: LaneState, instance: Instance): void {
  instance.hasRebound = false;
  state.events.push({ kind: 'InstanceChanged', instance: describe(instance) });
}

/** A terminal instance draws no more: its last epoch ends, so that it is revealed. */
function endEpochs(state: LaneState, instance: Instance): void {
  if (instance.epochs.running === null) return;
  endEpoch(instance, state.nowMs, state.events);
  state.noteDuty(instance);
}

function isEpochOver(state: LaneState, instance: Instance): boolean {
  const { epochs } = instance;
  const running = epochs.running;
  if (running === null || !epochs.seeds.has(epochs.next) || isBetweenDrawAndRecord(instance)) return false;
  const { epochMs, epochSequences } = state.settings;
  return (
    epochs.endRequested || state.nowMs >= running.startedMs + epochMs || drawn(instance) >= epochSequences
  );
}
