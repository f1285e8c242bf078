/** What a report needs of the process. */
interface TryReportPorts<T> {
  readonly clock: { nowMs(): number; after(delayMs: number, task: () => void): () => void };
  readonly publish: (tries: readonly (T & Numbered)[]) => void;
  /** The number of tries that are lost. */
  readonly dropped: (tries: number) => void;
}

interface Numbered {
  readonly number: number;
  readonly time: number;
}

/** A message has at most this many, of which each is well below a kilobyte. */
const triesOfMessage = 128;
const gatherMs = 500;
/** Tries that wait for their message. */
const maxWaiting = 4_096;

/** Reports tries behind the calls. No call waits, nothing is repeated, and what is too much is dropped. */
export class TryReports<T> {
  readonly #ports: TryReportPorts<T>;
  #waiting: (T & Numbered)[] = [];
  #count = 0;
  #cancel: (() => void) | null = null;

  constructor(ports: TryReportPorts<T>) {
    this.#ports = ports;
  }

  add(tried: T): void {
    const { clock, dropped } = this.#ports;
    this.#count += 1;
    if (this.#waiting.length >= maxWaiting) {
      dropped(1);
      return;
    }
    this.#waiting.push({ ...tried, number: this.#count, time: clock.nowMs() });
    this.#cancel ??= clock.after(gatherMs, () => this.flush());
  }

  /** Reports all that wait. */
  flush(): void {
    this.#cancel?.();
    this.#cancel = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += triesOfMessage)
      this.#ports.publish(waiting.slice(from, from + triesOfMessage));
  }
}
