import { turnEpoch } from '../draw/epoch.ts';
import type { Instance } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { changeStatus } from './change.ts';
import { drawn, obstacleToRunning } from './obstacle.ts';
import { pauseItself } from './suspend.ts';

/** What is decided between messages: whether an instance is over, whether its epoch turns, whether it may go on. */
export function endMessage(state: LaneState, instance: Instance): void {
  if (instance.status === 'Active' && instance.enabledMask === 0) {
    changeStatus(state, instance, 'Resolving', 'the last cycle of every pot is over');
  }
  if (isEpochOver(state, instance)) {
    turnEpoch(state.hashing, instance, state.nowMs, state.events);
    state.noteDuty(instance);
  }
  if (instance.status !== 'Active') return;
  const obstacle = obstacleToRunning(state, instance);
  if (obstacle !== null) pauseItself(state, instance, obstacle);
}

function isEpochOver(state: LaneState, instance: Instance): boolean {
  const { epochs } = instance;
  const running = epochs.running;
  if (running === null || !epochs.seeds.has(epochs.next)) return false;
  const { epochMs, epochSequences } = state.settings;
  return (
    epochs.endRequested || state.nowMs >= running.startedMs + epochMs || drawn(instance) >= epochSequences
  );
}
