import type { SetStatus } from '../commands.ts';
import type { CommandOutcome } from '../outcomes.ts';
import { refused } from '../refusals.ts';
import type { Instance, InstanceStatus } from '../state/instance.ts';
import type { LaneState } from '../state/lane-state.ts';
import { activate } from './activate.ts';
import { changeStatus } from './change.ts';
import { obstacleToRunning } from './obstacle.ts';

type Move = (state: LaneState, instance: Instance, command: SetStatus) => string | null;

/** The moves an administrator may ask for (domain.md 7). A new one is one line here. */
const moves: Readonly<Partial<Record<InstanceStatus, Partial<Record<string, Move>>>>> = {
  Pending: {
    Active(state, instance, command) {
      if (!instance.epochs.seeds.has(0)) return 'the first epoch is not open yet';
      activate(state, instance, command.reason);
      return null;
    },
    Cancelled: to('Cancelled'),
  },
  Active: { Paused: to('Paused') },
  Paused: {
    Active(state, instance, command) {
      const obstacle = obstacleToRunning(state, instance);
      if (obstacle !== null) return obstacle;
      changeStatus(state, instance, 'Active', command.reason);
      return null;
    },
  },
};

export function setStatus(state: LaneState, command: SetStatus): CommandOutcome {
  const instance = state.instances.get(command.instance);
  if (instance === undefined) return refused('instance_not_found');
  if (command.expectedVersion !== null && command.expectedVersion !== instance.version) {
    return refused('version_conflict');
  }
  const move = moves[instance.status]?.[command.status];
  if (move === undefined) {
    return refused(
      'invalid_transition',
      `an instance cannot go from ${instance.status} to ${command.status}`,
    );
  }
  const obstacle = move(state, instance, command);
  if (obstacle !== null) return refused('invalid_transition', obstacle);
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

function to(status: InstanceStatus): Move {
  return (state, instance, command) => {
    changeStatus(state, instance, status, command.reason);
    return null;
  };
}
