/** What one step of work may do (docs/rules/log.md "Work in steps"). */
export const stepItems = 500;
/** Events of a step must fit one outcome record beside everything else of its message. */
export const stepBytes = 96 * 1024;

/** What is left of a step: items, and bytes of what the step tells. */
export class Budget {
  #items: number;
  #bytes: number;

  constructor(steps = 1) {
    this.#items = stepItems * steps;
    this.#bytes = stepBytes;
  }

  get isSpent(): boolean {
    return this.#items <= 0 || this.#bytes <= 0;
  }

  /** One item was done, and told in about so many bytes. */
  spend(bytes: number): void {
    this.#items -= 1;
    this.#bytes -= bytes;
  }
}
