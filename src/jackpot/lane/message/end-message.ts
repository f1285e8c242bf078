import { isTerminal } from '../../../messages/records.ts';
import { announceInstance } from '../../rules/descriptions/describe.ts';
import { endEpoch, isReady, turnEpoch } from '../../rules/epochs/epoch.ts';
import { fateWithoutPots } from '../../rules/pots/disabled-pots.ts';
import { endRound, workOnRound } from '../../rules/raffles/end-round.ts';
import { isBetweenDrawAndRecord } from '../../rules/raffles/round-steps.ts';
import { changeStatus, suspendInstance } from '../../rules/statuses/change.ts';
import { drawn, obstacleToRunning } from '../../rules/statuses/obstacle.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';

/**
 * Looks at the touched instances, oldest first, until the message's events reach their limit. The others wait
 * for the end of the next message, which the lane's owner writes if it has to.
 */
export function endMessages(state: LaneState): void {
  const full = state.announcedBytes + (state.settings.maximumMessageBytes ?? Number.POSITIVE_INFINITY);
  for (const instance of state.touched) {
    if (state.announcedBytes >= full) return;
    // Work from before the message may be in a snapshot that is under way.
    state.touch(instance);
    endMessage(state, instance);
    state.settle(instance);
  }
}

/** Decisions between messages: whether an instance is over, its epoch turns, or it may continue. */
function endMessage(state: LaneState, instance: Instance): void {
  if (instance.status === 'Active' && instance.enabledMask === 0) endWithoutPots(state, instance);
  workOnRound(state, instance);
  if (instance.hasRebound) announceRebound(state, instance);
  if (isTerminal(instance.status)) endEpochs(state, instance);
  else if (isEpochOver(state, instance)) {
    turnEpoch(state, instance);
    state.noteOwnerTask(instance);
  }
  if (instance.status !== 'Active') return;
  const obstacle = obstacleToRunning(state, instance);
  if (obstacle !== null) suspendInstance(state, instance, obstacle);
}

/** The pot of a raffle closes with a round, and without a pot there is no other. */
function endWithoutPots(state: LaneState, instance: Instance): void {
  if (instance.raffle !== null) {
    endRound(state, instance);
    return;
  }
  const fate = state.rules.potsAreEnabledAgain ? fateWithoutPots(instance) : 'is over';
  if (fate === 'pauses') changeStatus(state, instance, 'Paused', 'every pot is disabled');
  if (fate === 'is over') changeStatus(state, instance, 'Resolving', 'the last cycle of every pot is over');
}

/** Lookups show the parameters in force; binding what was stored before is no new version. */
function announceRebound(state: LaneState, instance: Instance): void {
  instance.hasRebound = false;
  announceInstance(state, instance);
}

/** A terminal instance draws no more: its last epoch ends, so that it is revealed. */
function endEpochs(state: LaneState, instance: Instance): void {
  if (instance.epochs.running === null) return;
  endEpoch(state, instance);
  state.noteOwnerTask(instance);
}

function isEpochOver(state: LaneState, instance: Instance): boolean {
  const { epochs } = instance;
  const running = epochs.running;
  if (running === null || !isReady(instance, epochs.next) || isBetweenDrawAndRecord(instance)) return false;
  const { epochMs, epochSequences } = state.settings;
  return (
    epochs.endRequested || state.nowMs >= running.startedMs + epochMs || drawn(instance) >= epochSequences
  );
}
