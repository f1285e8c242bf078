/** Work that is done step by step and has a result in the end; who runs it decides what happens between the steps. */
export type Steps<Result> = Generator<void, Result, void>;

/** All of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
