/** Work that is cut into steps: the lane's owner writes a Continue command for each. */
export interface Job {
  /** Names the work in Continue commands and does not change. */
  readonly job: string;
  readonly step: number;
  /** Steps that one message may do: a step with many announcements takes a message alone. */
  readonly stepsPerMessage: number;
}

/** The limits of one step of work (docs/rules/log.md "Work in steps"). */
export const stepItems = 500;
/** Events of a step must fit one outcome record beside everything else of its message. */
const stepBytes = 96 * 1024;

/** The rest of a step: items, and bytes of announcements. */
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

  /** One item is done, and its announcement took about this many bytes. */
  spend(bytes: number): void {
    this.#items -= 1;
    this.#bytes -= bytes;
  }
}
