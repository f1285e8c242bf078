import type { SetStatus } from '../../../messages/instance-commands.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import { isReady } from '../../rules/epochs/epoch.ts';
import { changeStatus, changing } from '../../rules/statuses/change.ts';
import { holdsPlayersMoney } from '../../rules/statuses/liabilities.ts';
import { obstacleToResuming, obstacleToRunning, obstacleToStarting } from '../../rules/statuses/obstacle.ts';
import { isSwitching } from '../../rules/switches/successor.ts';
import type { Instance, InstanceStatus } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { activate } from './activate.ts';
import { complete } from './complete.ts';

/** null: done; a text: why the transition is not possible now. */
type Move = (state: LaneState, instance: Instance, command: SetStatus) => Refusal | string | null;

/** What an administrator may ask for (docs/rules/statuses.md "Transitions"). */
const moves: Readonly<Partial<Record<InstanceStatus, Partial<Record<string, Move>>>>> = {
  Pending: {
    Active(state, instance, command) {
      if (!instance.epochs.seeds.has(0)) return 'the first epoch is not open yet';
      if (!isReady(instance, 0)) return 'the beacon of the first epoch has not come yet';
      if (isSwitching(state, instance)) return refused('switch_in_progress');
      const obstacle = obstacleToStarting(state, instance);
      if (obstacle !== null) return obstacle;
      activate(state, instance, command.reason);
      return null;
    },
    Cancelled(state, instance, command) {
      if (holdsPlayersMoney(instance)) return "it holds players' money";
      changeStatus(state, instance, 'Cancelled', command.reason);
      return null;
    },
  },
  Active: { Paused: to('Paused') },
  Paused: {
    Active(state, instance, command) {
      const obstacle = obstacleToRunning(state, instance) ?? obstacleToResuming(state, instance);
      if (obstacle !== null) return obstacle;
      changeStatus(state, instance, 'Active', command.reason);
      return null;
    },
  },
  Resolving: {
    Completed: (state, instance, command) => complete(state, instance, command.to, command.reason),
  },
};

export const setStatus = changing<SetStatus>((state, instance, command) => {
  const move = moves[instance.status]?.[command.status];
  const obstacle =
    move === undefined
      ? `an instance cannot go from ${instance.status} to ${command.status}`
      : move(state, instance, command);
  return typeof obstacle === 'string' ? refused('invalid_transition', obstacle) : obstacle;
});

function to(status: InstanceStatus): Move {
  return (state, instance, command) => {
    changeStatus(state, instance, status, command.reason);
    return null;
  };
}
