import { countedBacklogBytes } from '../base/limits.ts';

/**
 * What a socket still needs beside the common stream: its snapshot, counted events in order, and the newest updates
 * that it missed while slow. Exists only while something is left.
 */
export class CatchUp {
  /** Instances whose newest update is to be sent, next one last. */
  #instances: string[] = [];
  #recovered: ReadonlyMap<string, boolean> | null = null;
  readonly #counted: Buffer[] = [];
  #countedBytes = 0;
  /** Updates published after this round may have been missed; null: none was. */
  #staleSinceRound: number | null = null;

  /** `recovered`: what to say of the instances that were asked for with `since`. */
  snapshot(instances: readonly string[], recovered: ReadonlyMap<string, boolean> | null): void {
    this.#instances = [...instances].reverse();
    this.#recovered = recovered;
  }

  /** Another snapshot in place of what is left of the first one. */
  snapshotAnew(instances: readonly string[]): void {
    this.#instances = [...instances].reverse();
  }

  /** Keeps a counted event; false when the socket has fallen too far behind. */
  queue(frame: Buffer): boolean {
    if (this.#countedBytes + frame.length > countedBacklogBytes) return false;
    this.#counted.push(frame);
    this.#countedBytes += frame.length;
    return true;
  }

  missedUpdates(sinceRound: number): void {
    this.#staleSinceRound ??= sinceRound;
  }

  /**
   * Hands over what is to be sent next: a snapshot first, then counted events, then missed updates. `newest` encodes an
   * instance's update (null: not to be seen any more), `publishedAfter` names what was published after a round.
   * Stops when `hasCapacity` says so; true when nothing is left.
   */
  pump(sink: {
    hasCapacity(): boolean;
    send(frame: Buffer): void;
    newest(instance: string, recovered: boolean | undefined): Buffer | null;
    publishedAfter(round: number): string[];
  }): boolean {
    for (;;) {
      if (!sink.hasCapacity()) return this.#isDone();
      const instance = this.#instances.pop();
      if (instance !== undefined) {
        const update = sink.newest(instance, this.#recovered?.get(instance));
        if (update !== null) sink.send(update);
        continue;
      }
      this.#recovered = null;
      const frame = this.#counted.shift();
      if (frame !== undefined) {
        this.#countedBytes -= frame.length;
        sink.send(frame);
        continue;
      }
      if (this.#staleSinceRound === null) return true;
      this.#instances = sink.publishedAfter(this.#staleSinceRound).reverse();
      this.#staleSinceRound = null;
    }
  }

  #isDone(): boolean {
    return this.#instances.length === 0 && this.#counted.length === 0 && this.#staleSinceRound === null;
  }
}
