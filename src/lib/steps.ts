import { nextTurn } from './next-turn.ts';

/** Work in steps with a result at the end. The caller decides what happens between the steps. */
export type Steps<Result> = Generator<void, Result, void>;

/** Runs all steps at once and returns the result. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Runs a step in each turn of the event loop: others get in between. */
export async function finishInTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await nextTurn();
  }
}
