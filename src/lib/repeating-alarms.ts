/** Which alarms to raise, of those whose reasons hold: each once, and again after a while. */
export class RepeatingAlarms {
  readonly #everyMs: number;
  #before: ReadonlyMap<string, number> = new Map();
  /** When each alarm that still holds was raised. */
  #raisedMs = new Map<string, number>();

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** A judgement begins: a reason that is not named in it holds no more. */
  begin(): void {
    this.#before = this.#raisedMs;
    this.#raisedMs = new Map();
  }

  /** The reason holds. Whether to raise its alarm now. */
  isDue(key: string, nowMs: number): boolean {
    const raisedMs = this.#before.get(key);
    const isDue = raisedMs === undefined || nowMs - raisedMs >= this.#everyMs;
    this.#raisedMs.set(key, isDue ? nowMs : raisedMs);
    return isDue;
  }
}
