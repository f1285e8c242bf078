import { conflationMs, refreshMs } from '../base/limits.ts';

/**
 * When each instance's update is due: on change at most once in `conflationMs`, without a change after `refreshMs`.
 * It holds names and times only; the newest value is read when it is sent.
 */
export class Conflation {
  /** Instance → when it was last sent; the longest ago first. */
  readonly #sentMs = new Map<string, number>();
  readonly #changed = new Set<string>();

  /** The instance moved, or is new. */
  touch(instance: string): void {
    this.#changed.add(instance);
  }

  /** The instances to send now; they count as sent. */
  take(nowMs: number): string[] {
    const due: string[] = [];
    for (const instance of this.#changed) {
      const sentMs = this.#sentMs.get(instance);
      if (sentMs === undefined || nowMs - sentMs >= conflationMs) due.push(instance);
    }
    for (const [instance, sentMs] of this.#sentMs) {
      if (nowMs - sentMs < refreshMs) break;
      if (!this.#changed.has(instance)) due.push(instance);
    }
    for (const instance of due) {
      this.#changed.delete(instance);
      this.#sentMs.delete(instance);
      this.#sentMs.set(instance, nowMs);
    }
    return due;
  }
}
