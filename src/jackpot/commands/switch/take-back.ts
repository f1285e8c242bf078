import { takeBackCopy } from '../../rules/opt-ins/copy-opt-in.ts';
import type { Budget } from '../../rules/steps/budget.ts';
import type { Job } from '../../rules/steps/work.ts';
import type { Instance } from '../../state/instance/instance.ts';
import type { LaneState } from '../../state/lane/lane-state.ts';
import { idlePerItem } from './work-on-switch.ts';

/** The row that it goes on from is its step: each step is another one. */
export function takeBackJob({ id, takingBackFrom }: Instance): Job | null {
  if (takingBackFrom === null) return null;
  return { job: `take-back/${id}`, step: takingBackFrom, stepsPerMessage: 1 };
}

/** Opt-ins that a switch had copied to the instance before it ended without a move are taken back. */
export function takeBackOptIns(state: LaneState, target: Instance, budget: Budget): void {
  state.touch(target);
  const { players } = target;
  let row = target.takingBackFrom ?? 0;
  for (let idle = 0; row < players.size && !budget.isSpent; row++) {
    if (takeBackCopy(state, target, row) || ++idle % idlePerItem === 0) budget.spend(0);
  }
  target.takingBackFrom = row < players.size ? row : null;
  if (target.takingBackFrom === null) state.noteOwnerTask(target);
}
