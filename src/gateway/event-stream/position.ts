import { eventStreamLimits as limits } from './limits.ts';

const idPattern = /^[A-Za-z0-9_-]{1,64}=\d{1,15}(?:,[A-Za-z0-9_-]{1,64}=\d{1,15})*$/;

/**
 * How far a stream is: the newest counted event of each instance, which is what `since` asks with. The ids of
 * its events say it, and come back as Last-Event-ID.
 */
export class StreamPosition {
  /** Those that moved last are last. */
  readonly #counters = new Map<string, number>();

  /** Ours from a header; anything else says nothing. */
  static read(lastEventId: string | undefined): StreamPosition {
    const position = new StreamPosition();
    if (lastEventId === undefined || lastEventId.length > limits.idBytes || !idPattern.test(lastEventId))
      return position;
    for (const one of lastEventId.split(',').slice(-limits.idInstances)) {
      const [instance = '', counter = ''] = one.split('=');
      position.moved(instance, Number(counter));
    }
    return position;
  }

  /** A counted event of the instance has been sent. */
  moved(instance: string, counter: number): void {
    this.#counters.delete(instance);
    this.#counters.set(instance, counter);
    if (this.#counters.size > limits.idInstances)
      this.#counters.delete(this.#counters.keys().next().value as string);
  }

  /** An update says where the instance was before the stream began. @returns false: that is known already */
  begins(instance: string, counter: number): boolean {
    if (this.#counters.has(instance)) return false;
    this.moved(instance, counter);
    return true;
  }

  since(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counters);
  }

  /** Without line breaks; what does not fit is left out, oldest first. */
  id(): string {
    const shown: string[] = [];
    let length = 0;
    for (const [instance, counter] of [...this.#counters].reverse()) {
      const text = `${instance}=${counter}`;
      length += text.length + 1;
      if (length > limits.idBytes) break;
      shown.push(text);
    }
    return shown.reverse().join(',');
  }
}
