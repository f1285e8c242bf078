import { percentile } from './statistics.ts';

/** What a load plan asks of the time line of its answers. */
export interface TimelinePlan {
  /** One set of percentiles for each stretch of this length. */
  readonly sliceMs: number;
  /** Answers that take longer are parts of excursions. */
  readonly excursionMs: number;
}

/** The answers of one stretch of time. Latencies in milliseconds. */
export interface LatencySlice {
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
}

/** Slow answers that waited at the same time. Milliseconds of the Unix epoch. */
export interface Excursion {
  /** When the first of them was due. */
  readonly fromMs: number;
  /** When the last of them came. */
  readonly toMs: number;
  readonly requests: number;
  readonly maxMs: number;
}

/** The latencies of a run in the order of its answers. */
export interface LatencyTimeline {
  readonly slices: readonly LatencySlice[];
  readonly excursions: readonly Excursion[];
  /** Excursions beyond `maxExcursions`, which are not in the list. */
  readonly moreExcursions: number;
}

const maxExcursions = 10_000;

/** Collects a timeline while a load runs. */
export class TimelineRecorder {
  readonly #plan: TimelinePlan;
  readonly #epochMs: number;
  readonly #beganMs: number;
  readonly #latencies: Float32Array;
  /** Where each slice ends in `#latencies`. */
  readonly #ends: number[] = [];
  readonly #excursions: { fromMs: number; toMs: number; requests: number; maxMs: number }[] = [];
  #count = 0;
  #more = 0;

  /**
   * `epochMs`: the time of the Unix epoch at which the other times are 0. `capacity`: the most answers that
   * it keeps.
   */
  constructor(plan: TimelinePlan, epochMs: number, beganMs: number, capacity: number) {
    this.#plan = plan;
    this.#epochMs = epochMs;
    this.#beganMs = beganMs;
    this.#latencies = new Float32Array(capacity);
  }

  /** An answer that came at `nowMs`, later than those before it. */
  add(dueMs: number, nowMs: number): void {
    const slice = Math.floor((nowMs - this.#beganMs) / this.#plan.sliceMs);
    while (this.#ends.length < slice) this.#ends.push(this.#count);
    const latencyMs = nowMs - dueMs;
    if (this.#count < this.#latencies.length) this.#latencies[this.#count++] = latencyMs;
    if (latencyMs > this.#plan.excursionMs) this.#addSlow(dueMs, nowMs, latencyMs);
  }

  report(): LatencyTimeline {
    const slices: LatencySlice[] = [];
    let from = 0;
    for (const end of [...this.#ends, this.#count]) {
      if (end > from) slices.push(sliceOf(this.#latencies.slice(from, end)));
      from = end;
    }
    const excursions = this.#excursions.map(({ fromMs, toMs, ...rest }) => ({
      fromMs: this.#epochMs + fromMs,
      toMs: this.#epochMs + toMs,
      ...rest,
    }));
    return { slices, excursions, moreExcursions: this.#more };
  }

  #addSlow(dueMs: number, nowMs: number, latencyMs: number): void {
    const last = this.#excursions.at(-1);
    if (last !== undefined && dueMs <= last.toMs) {
      last.fromMs = Math.min(last.fromMs, dueMs);
      last.toMs = nowMs;
      last.requests += 1;
      last.maxMs = Math.max(last.maxMs, latencyMs);
    } else if (this.#excursions.length < maxExcursions) {
      this.#excursions.push({ fromMs: dueMs, toMs: nowMs, requests: 1, maxMs: latencyMs });
    } else this.#more += 1;
  }
}

function sliceOf(latencies: Float32Array): LatencySlice {
  const sorted = latencies.sort();
  return {
    requests: sorted.length,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    p999Ms: percentile(sorted, 0.999),
    maxMs: sorted[sorted.length - 1] ?? 0,
  };
}
