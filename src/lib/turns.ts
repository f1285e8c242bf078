/** Resolves in the next turn of the event loop: long work in slices lets others in between. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Gives a function that runs its tasks one after the other, each in a turn of its own. */
export function inSeparateTurns(): (task: () => void) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (task) => {
    last = last.then(nextTurn).then(task);
    return last;
  };
}

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

/** How long one may keep the event loop; it always finishes a message or a step. */
const maxTurnMs = 5;

/** Shares the event loop: others have a turn after some milliseconds (docs/decisions/0297). */
export class LoopTurn {
  readonly #nowMs: () => number;
  #beganMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#beganMs = nowMs();
  }

  get isOver(): boolean {
    return this.#nowMs() - this.#beganMs > maxTurnMs;
  }

  begin(): void {
    this.#beganMs = this.#nowMs();
  }

  /** Resolves when all others had their turn. */
  async next(): Promise<void> {
    await nextTurn();
    this.begin();
  }
}

/** Runs all steps; everything else in the process has its turn every few milliseconds. */
export async function inTurns<Result>(steps: Steps<Result>, turn: LoopTurn): Promise<Result> {
  turn.begin();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (turn.isOver) await turn.next();
  }
}
