/** A forecast looks back this far, and is none before it has seen growth for this long. */
const windowMs = 3_600_000;
const minMs = 60_000;
/** One sample a minute is kept, and the newest one. */
const sampleEveryMs = 60_000;

interface Sample {
  readonly atMs: number;
  readonly bytes: number;
}

/** When a stream will be full, if it goes on growing as it did in the last hour. */
export class StreamForecast {
  #samples: Sample[] = [];

  /** null: the stream does not grow, or was not watched for long enough. */
  note(atMs: number, bytes: number, maxBytes: number): number | null {
    this.#addSample({ atMs, bytes });
    const oldest = this.#samples[0] as Sample;
    const elapsedMs = atMs - oldest.atMs;
    const grown = bytes - oldest.bytes;
    if (maxBytes === 0 || elapsedMs < minMs || grown <= 0) return null;
    return Math.max(0, maxBytes - bytes) / (grown / elapsedMs);
  }

  #addSample(sample: Sample): void {
    const newest = this.#samples.at(-1);
    const isDue = newest === undefined || sample.atMs - newest.atMs >= sampleEveryMs;
    if (isDue) this.#samples.push(sample);
    while (this.#samples.length > 1 && sample.atMs - this.#samples[1]!.atMs >= windowMs)
      this.#samples.shift();
  }
}
