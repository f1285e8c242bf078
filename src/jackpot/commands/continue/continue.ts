import type { Continue } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { raffleJob } from '../../rules/raffles/end-round.ts';
import { Budget, type Job } from '../../rules/steps/steps.ts';
import { isUnderWay } from '../../rules/switches/successor.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { bulkJobs, continueBulk } from '../opt-in/bulk.ts';
import { orderJob, workOnOrder } from '../switch/order.ts';
import { switchJob, takeBackJob, takeBackOptIns, workOnSwitch } from '../switch/work-on-switch.ts';

/** Work of the lane that a Continue command may go on with. */
export function jobsOf(state: LaneState): readonly Job[] {
  const jobs: Job[] = [];
  for (const instance of state.working) {
    const found = [
      raffleJob(state, instance),
      orderJob(state, instance),
      switchJob(instance),
      takeBackJob(instance),
    ].filter((each) => each !== null);
    if (found.length === 0 && !isWaiting(instance)) state.working.delete(instance);
    jobs.push(...found);
  }
  return [...jobs, ...bulkJobs(state)];
}

/** Does the step of a job that comes next; one that was done already, or is not known, changes nothing. */
export function continueWork(state: LaneState, command: Continue): CommandOutcome {
  const [kind, name] = split(command.job);
  if (kind === 'bulk') {
    const job = state.bulk.get(name);
    return job === undefined || job.step !== command.step || job.nextRow >= job.rows.length
      ? notNext()
      : continueBulk(state, job);
  }
  const instance = state.instances.get(name);
  if (instance === undefined) return notNext();
  if (kind === 'raffle') return continueRaffle(state, instance, command.step);
  if (kind === 'take-back') return continueTakingBack(state, instance, command.step);
  if (orderJob(state, instance)?.job === command.job)
    return continueOrder(state, instance, command.step, kind === 'move');
  return kind === 'switch' ? continueSwitch(state, instance, command.step) : notNext();
}

/** The step itself is done when the message ends: tickets are drawn between the contributions of messages. */
function continueRaffle(state: LaneState, instance: Instance, step: number): CommandOutcome {
  const { raffle } = instance;
  if (raffle === null || instance.status !== 'Resolving' || step !== raffle.step + raffle.requested)
    return notNext();
  state.touch(instance);
  raffle.requested += 1;
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

function continueSwitch(state: LaneState, instance: Instance, step: number): CommandOutcome {
  if (instance.switching === null || instance.switching.step !== step) return notNext();
  workOnSwitch(state, instance, new Budget());
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

function continueOrder(state: LaneState, instance: Instance, step: number, isLast: boolean): CommandOutcome {
  if (instance.switchOrder?.step !== step) return notNext();
  workOnOrder(state, instance, new Budget(), isLast);
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

function continueTakingBack(state: LaneState, instance: Instance, step: number): CommandOutcome {
  if (instance.takingBackFrom !== step) return notNext();
  takeBackOptIns(state, instance, new Budget());
  return { kind: 'Done', instance: instance.id, version: instance.version };
}

/** A round that is over waits for debits, a switch for its target. */
function isWaiting(instance: Instance): boolean {
  if (isUnderWay(instance)) return true;
  return instance.raffle !== null && instance.status === 'Resolving' && instance.raffle.phase.kind !== 'Over';
}

function split(job: string): readonly [kind: string, name: string] {
  const at = job.indexOf('/');
  return at < 0 ? ['', ''] : [job.slice(0, at), job.slice(at + 1)];
}

function notNext(): CommandOutcome {
  return refused('invalid_parameter', 'that step is done, or there is no such work');
}
