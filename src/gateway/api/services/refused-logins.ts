/** Refused log-ins that get an entry each; the others of the minute share one. */
const maxRefusedPerMinute = 60;
const minuteMs = 60_000;

/** Which refused log-ins of a gateway get an entry: a flood of wrong passwords must not fill the trail. */
export class RefusedLogins {
  #startedMs = 0;
  #recorded = 0;
  #unrecorded = 0;

  /** How many refusals an entry counts for that is written now. 0: none is to be written. */
  take(nowMs: number): number {
    let shared = 0;
    if (nowMs - this.#startedMs >= minuteMs) {
      shared = this.#unrecorded;
      this.#startedMs = nowMs;
      this.#recorded = 0;
      this.#unrecorded = 0;
    }
    if (this.#recorded >= maxRefusedPerMinute) {
      this.#unrecorded += 1;
      return 0;
    }
    this.#recorded += 1;
    return shared + 1;
  }
}
