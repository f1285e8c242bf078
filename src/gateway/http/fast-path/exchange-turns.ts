const perTurn = 2;

/**
 * Begins a few exchanges with Node's server in each turn of the event loop, in order: one costs as much as
 * many plain contributions, which a crowd of them would hold up (docs/decisions/0013).
 */
export class ExchangeTurns {
  readonly #waiting: (() => void)[] = [];
  #begun = 0;

  /** Whether one may begin at once; otherwise it is to `wait`. */
  take(): boolean {
    if (this.#begun === perTurn) return false;
    if (this.#begun === 0) setImmediate(this.#next);
    this.#begun += 1;
    return true;
  }

  wait(begin: () => void): void {
    this.#waiting.push(begin);
  }

  readonly #next = (): void => {
    const now = this.#waiting.splice(0, perTurn);
    this.#begun = now.length;
    if (now.length > 0) setImmediate(this.#next);
    for (const begin of now) begin();
  };
}
