import type { Continue } from '../../../messages/lane-commands.ts';
import type { CommandOutcome } from '../../../messages/outcomes.ts';
import { refused } from '../../../messages/refusals.ts';
import { raffleJob } from '../../rules/raffles/end-round.ts';
import { done } from '../../rules/statuses/change.ts';
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
  if (kind === 'raffle') return requestRaffleStep(state, instance, command.step) ? done(instance) : notNext();
  const isOrder = orderJob(state, instance)?.job === command.job;
  const next = nextStep(instance, kind, isOrder);
  if (next === null || next !== command.step) return notNext();
  if (kind === 'take-back') takeBackOptIns(state, instance, new Budget());
  else if (isOrder) workOnOrder(state, instance, new Budget(), kind === 'move');
  else workOnSwitch(state, instance, new Budget());
  return done(instance);
}

/** null: there is no such work. */
function nextStep(instance: Instance, kind: string, isOrder: boolean): number | null {
  if (kind === 'take-back') return instance.takingBackFrom;
  if (isOrder) return instance.switchOrder!.step;
  return kind === 'switch' ? (instance.switching?.step ?? null) : null;
}

/** The step itself is done when the message ends: tickets are drawn between the contributions of messages. */
function requestRaffleStep(state: LaneState, instance: Instance, step: number): boolean {
  const { raffle } = instance;
  if (raffle === null || instance.status !== 'Resolving' || step !== raffle.step + raffle.requested)
    return false;
  state.touch(instance);
  raffle.requested += 1;
  return true;
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
