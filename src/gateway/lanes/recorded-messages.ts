import type { RecordedMessage } from './recorded-outcome.ts';

/** Messages that are kept: repeats of a caller who resumes come in the order of the first ones, message by message. */
const maxMessages = 16;

/**
 * Messages of the log that were read back a moment ago. What is recorded does not change, so that hundreds of repeats of one
 * message read it once.
 */
export class RecordedMessages {
  /** Oldest first. */
  readonly #known = new Map<string, Promise<RecordedMessage | null>>();

  /** `read` gives null where the outcome is not recorded yet: that, and failures, are not kept. */
  get(
    lane: number,
    sequence: number,
    read: () => Promise<RecordedMessage | null>,
  ): Promise<RecordedMessage | null> {
    const key = `${lane}:${sequence}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = read();
    this.#known.set(key, reading);
    if (this.#known.size > maxMessages) this.#known.delete(this.#known.keys().next().value as string);
    const forget = (): void => {
      if (this.#known.get(key) === reading) this.#known.delete(key);
    };
    reading.then((found) => {
      if (found === null) forget();
    }, forget);
    return reading;
  }
}
