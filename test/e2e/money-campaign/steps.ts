/** Moments in the flow of money at which a process may die or stop. */
export const steps = [
  'contribution sent',
  'contribution answered',
  'authenticate asked',
  'authenticate answered',
  'debit asked',
  'debit answered',
  'cancel asked',
  'cancel answered',
  'credit asked',
  'credit answered',
  'batch asked',
  'batch answered',
  'callback received',
  'callback answered',
] as const;
export type Step = (typeof steps)[number];

/** Acts once at the next moment of a kind. What acts runs within the moment: nothing is passed on before it has returned. */
export class Moments {
  readonly #waiting = new Map<Step, () => void>();

  reached(step: Step): void {
    const act = this.#waiting.get(step);
    if (act === undefined) return;
    this.#waiting.delete(step);
    act();
  }

  /** Resolves with what `act` gives at the next moment of the kind. */
  next<T>(step: Step, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(step, () => {
        try {
          resolve(act());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }

  /** The moment did not come. */
  forget(step: Step): void {
    this.#waiting.delete(step);
  }
}
