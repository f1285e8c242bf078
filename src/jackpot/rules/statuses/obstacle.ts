import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { findBreach } from '../../state/money/ledger.ts';
import { isReady, revealWithinMs } from '../epochs/epoch.ts';
import { fateWithoutPots } from '../pots/disabled-pots.ts';

const noPot = 'no pot is enabled';

/** Epochs run on to this many times their length while the next seed is not committed. */
const overrun = 2;

/** Why an instance must not start; null where nothing is wrong. The others are the same. */
export function obstacleToStarting({ nowMs, rules }: LaneState, { facts, pots }: Instance): string | null {
  if (rules.endsBeforeStart && facts.endMs !== null && nowMs >= facts.endMs)
    return 'timestamp_end has passed';
  const isClosed = rules.potsAreEnabledAgain && !pots.some(({ effective }) => effective.enabled);
  return isClosed ? noPot : null;
}

/** Why a paused instance must not resume. One that is over may: it resolves then. */
export function obstacleToResuming({ rules }: LaneState, instance: Instance): string | null {
  if (!rules.potsAreEnabledAgain || instance.raffle !== null || instance.enabledMask !== 0) return null;
  return fateWithoutPots(instance) === 'pauses' ? noPot : null;
}

/** Why an instance must not run now, for its administrator; null where nothing is wrong. */
export function obstacleToRunning(state: LaneState, instance: Instance): string | null {
  const { epochs } = instance;
  const running = epochs.running;
  if (running === null) return 'no draw epoch is running';
  if (drawn(instance) >= overrun * state.settings.epochSequences && !isReady(instance, epochs.next)) {
    return epochs.seeds.has(epochs.next)
      ? 'the beacon of the next draw epoch has not come'
      : 'the seed of the next draw epoch is not committed';
  }
  const overdue = epochs.unrevealed().some((epoch) => epoch.endedMs! + revealWithinMs < state.nowMs);
  if (overdue) return 'a draw epoch that has ended is not revealed in time';
  return findBreach(instance.balances, instance.pots.length);
}

/** Sequence numbers that the running epoch has given. */
export function drawn(instance: Instance): number {
  const running = instance.epochs.running;
  return running === null ? 0 : instance.sequence - running.firstSequence + 1;
}
