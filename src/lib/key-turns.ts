interface KeyTurnLimits {
  /** How many may wait for the same key. */
  readonly waiting: number;
  /** Work that waited longer is refused: its caller may have been told so already. */
  readonly waitMs: number;
}

/** Does work on the same key in the order in which it came, and on different keys side by side. */
export class KeyTurns {
  readonly #limits: KeyTurnLimits;
  readonly #nowMs: () => number;
  readonly #refusal: () => Error;
  /** Work that waits, by the key that other work is done on. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /** @param refusal what is thrown where too many wait, or for too long */
  constructor(limits: KeyTurnLimits, nowMs: () => number, refusal: () => Error) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#refusal = refusal;
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#next(key);
    }
  }

  async #turn(key: string): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) {
      this.#waiting.set(key, []);
      return;
    }
    if (waiting.length >= this.#limits.waiting) throw this.#refusal();
    const sinceMs = this.#nowMs();
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (this.#nowMs() - sinceMs <= this.#limits.waitMs) return;
    this.#next(key);
    throw this.#refusal();
  }

  #next(key: string): void {
    const enter = this.#waiting.get(key)?.shift();
    if (enter === undefined) this.#waiting.delete(key);
    else enter();
  }
}
