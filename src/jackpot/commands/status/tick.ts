import type { Tick } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { isReady, revealWithinMs } from '../../rules/epochs/epoch.ts';
import { endRound, isRoundOver, roundEndMs } from '../../rules/raffles/end-round.ts';
import { changeStatus, done } from '../../rules/statuses/change.ts';
import { holdsPlayersMoney } from '../../rules/statuses/liabilities.ts';
import { obstacleToStarting } from '../../rules/statuses/obstacle.ts';
import { isSwitching } from '../../rules/switches/successor.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { requiresDebits } from '../debit/settle.ts';
import { activate } from './activate.ts';

/** A deadline of an instance has passed; due work that is not done here is done at the end of the message. */
export function tick(state: LaneState, command: Tick): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  state.touch(instance);
  state.movedDeadlines.add(instance);
  const { startMs } = instance.facts;
  const starts = instance.status === 'Pending' && startMs !== null && state.nowMs >= startMs;
  if (starts && mayActivate(state, instance)) activate(state, instance, 'timestamp_start');
  else if (isOver(state, instance)) {
    if (instance.status === 'Pending' && instance.raffle !== null) instance.raffle.phase = { kind: 'Over' };
    if (instance.status === 'Pending' || instance.raffle === null)
      changeStatus(state, instance, 'Resolving', 'timestamp_end');
    else endRound(state, instance);
  }
  return done(instance);
}

function mayActivate(state: LaneState, instance: Instance): boolean {
  const isFree = isReady(instance, 0) && !isSwitching(state, instance);
  return isFree && obstacleToStarting(state, instance) === null;
}

/** Active or Paused by a person, and timestamp_end or the end of the raffle's round has passed. */
function isOver(state: LaneState, instance: Instance): boolean {
  const endMs = lateEndOf(state, instance);
  if (endMs !== null) return state.nowMs >= endMs;
  if (!isRunning(instance)) return false;
  if (instance.raffle !== null) return isRoundOver(instance, state.nowMs);
  return instance.facts.endMs !== null && state.nowMs >= instance.facts.endMs;
}

/** An instance that has paused itself is frozen until a person resumes it. */
function isRunning({ status, suspended }: Instance): boolean {
  return (status === 'Active' || status === 'Paused') && !suspended;
}

/** When a Pending instance with players' money ends that cannot start any more; null where it does not. */
function lateEndOf({ rules }: LaneState, instance: Instance): number | null {
  const isHeld = rules.endsBeforeStart && instance.status === 'Pending' && holdsPlayersMoney(instance);
  return isHeld ? instance.facts.endMs : null;
}

/** The next moment at which a Tick has work to do; null: never. */
export function deadlineOf(state: LaneState, instance: Instance): number | null {
  const { epochs, facts } = instance;
  const due: number[] = [];
  if (instance.status === 'Pending' && facts.startMs !== null && mayActivate(state, instance)) {
    due.push(facts.startMs);
  }
  if (epochs.running !== null && isReady(instance, epochs.next)) {
    due.push(epochs.endRequested ? state.nowMs : epochs.running.startedMs + state.settings.epochMs);
  }
  const lateEndMs = lateEndOf(state, instance);
  if (lateEndMs !== null) due.push(lateEndMs);
  if (isRunning(instance)) {
    const endMs = instance.raffle === null ? facts.endMs : roundEndMs(instance);
    if (endMs !== null) due.push(endMs);
  }
  if (instance.status === 'Active') {
    for (const epoch of epochs.unrevealed()) due.push(epoch.endedMs! + revealWithinMs + 1);
  }
  const waiting = state.debits.debitedOf(instance.id) > 0 && requiresDebits(state, instance.id);
  if (waiting) due.push(state.debits.postponedOf(instance.id) ?? state.nowMs);
  return due.length === 0 ? null : Math.min(...due);
}
