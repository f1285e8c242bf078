import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { type Refusal, refused } from '../../../messages/refusals.ts';
import type { Instance, InstanceStatus } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { announceInstance } from '../descriptions/describe.ts';
import { recordEvent } from '../draws/close.ts';
import { predecessorsOf } from '../switches/successor.ts';

/** Moves an instance to a status and announces it; the caller checks whether it may. */
export function changeStatus(
  state: LaneState,
  instance: Instance,
  status: InstanceStatus,
  reason: string,
): void {
  state.touch(instance);
  if (status === 'Active' && instance.status === 'Paused') noteResume(state, instance);
  instance.status = status;
  instance.reason = reason;
  if (status !== 'Paused') instance.suspended = false;
  instance.counter += 1;
  state.noteOwnerTask(instance);
  // From now on it may take what was debited for them.
  for (const predecessor of predecessorsOf(state, instance)) state.movedDeadlines.add(predecessor);
  noteChange(state, instance);
  state.announce({ kind: 'StatusChanged', instance: instance.id, counter: instance.counter, status, reason });
}

/** Time without winners counts for no draw: the record says since when there can be one again. */
function noteResume(state: LaneState, instance: Instance): void {
  const { running } = instance.epochs;
  if (running === null || running.rules === 1) return;
  instance.resumedMs = state.nowMs;
  recordEvent(state, instance, (seq) => ({ type: 'resume', seq }));
}

/** The handler of a change to one instance of the named version. `change` returns why it refuses, or null. */
export function changing<C extends { readonly instance: string; readonly expectedVersion?: number | null }>(
  change: (state: LaneState, instance: Instance, command: C) => Refusal | null,
): (state: LaneState, command: C) => CommandOutcome {
  return (state, command) => {
    const instance = state.instances.get(command.instance);
    if (instance === undefined) return refused('instance_not_found');
    if (isOutdated(instance, command.expectedVersion)) return refused('version_conflict');
    return change(state, instance, command) ?? done(instance);
  };
}

export function done({ id, version }: Instance): CommandOutcome {
  return { kind: 'Done', instance: id, version };
}

/** The outcome of what is of no one instance, or changes nothing. */
export const laneDone = { kind: 'Done', instance: '', version: 0 } as const satisfies CommandOutcome;

/** Whether a change that names a version was made for another one than the instance has. */
export function isOutdated(instance: Instance, expectedVersion: number | null | undefined): boolean {
  return expectedVersion !== null && expectedVersion !== undefined && expectedVersion !== instance.version;
}

/** A stored change of configuration: version + 1, and the lane's followers learn of it. */
export function noteChange(state: LaneState, instance: Instance): void {
  instance.version += 1;
  instance.lastUpdatedMs = state.nowMs;
  announceInstance(state, instance);
}

const open: ReadonlySet<InstanceStatus> = new Set(['Pending', 'Active', 'Paused']);

/** Whether the instance is not over, and does not resolve a win. */
export function isOpen({ status }: Instance): boolean {
  return open.has(status);
}

const running: ReadonlySet<InstanceStatus> = new Set(['Active', 'Paused', 'Resolving']);

/**
 * The instance stops itself: values frozen, contributions refused, nothing drawn, until a person resumes it.
 */
export function suspendInstance(state: LaneState, instance: Instance, reason: string): void {
  if (!running.has(instance.status)) return;
  instance.suspended = true;
  changeStatus(state, instance, 'Paused', reason);
}
