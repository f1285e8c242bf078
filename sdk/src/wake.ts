/** Wakes one waiter; a call before it waits counts. */
export class Wake {
  #resolve: (() => void) | null = null;
  #isCalled = false;

  call(): void {
    const resolve = this.#resolve;
    this.#resolve = null;
    if (resolve === null) this.#isCalled = true;
    else resolve();
  }

  wait(): Promise<void> {
    if (this.#isCalled) {
      this.#isCalled = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}
