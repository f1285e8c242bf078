/** Counts durations by upper bound, as cheap as an array access; `metric` makes a histogram of them. */
export class Durations {
  readonly #boundsSeconds: readonly number[];
  readonly #counts: Float64Array;
  #sumSeconds = 0;

  /** `boundsSeconds`: upper bounds, ascending; what is longer than the last one counts above them all. */
  constructor(boundsSeconds: readonly number[]) {
    this.#boundsSeconds = boundsSeconds;
    this.#counts = new Float64Array(boundsSeconds.length + 1);
  }

  observe(seconds: number): void {
    const bounds = this.#boundsSeconds;
    let index = 0;
    while (index < bounds.length && seconds > bounds[index]!) index += 1;
    this.#counts[index]! += 1;
    this.#sumSeconds += seconds;
  }

  /** Samples of one series: `_bucket` with running totals, `_sum`, `_count`. */
  samples(name: string, labels: Readonly<Record<string, string>>): DurationSample[] {
    const samples: DurationSample[] = [];
    let total = 0;
    for (const [index, count] of this.#counts.entries()) {
      total += count;
      const le = this.#boundsSeconds[index] ?? '+Inf';
      samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le }, value: total });
    }
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sumSeconds });
    samples.push({ metricName: `${name}_count`, labels, value: total });
    return samples;
  }
}

interface DurationSample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** One series of a histogram. */
interface DurationSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly durations: Durations;
}

/** A histogram of these series, as prom-client's registries take metrics; read at each scrape. */
export function durationMetric(name: string, help: string, series: () => readonly DurationSeries[]) {
  return {
    name,
    get: () =>
      Promise.resolve({
        name,
        help,
        type: 'histogram',
        aggregator: 'sum',
        values: series().flatMap(({ labels, durations }) => durations.samples(name, labels)),
      }),
    /** Counts are never set back. */
    reset: () => {},
  };
}
