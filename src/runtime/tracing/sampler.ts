import { readTraceparent, type Tracer } from '../../lib/tracing.ts';

/** Requests that are sampled in a second: beyond, callers could slow everybody down with their flags. */
export const maxSampledPerSecond = 100;

interface SamplerOptions {
  /** A caller's `traceparent` decides where it has one. */
  readonly isParentBased: boolean;
  /** Share of the other requests. */
  readonly ratio: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly nowMs: () => number;
  /** A request was to be sampled and is not, because there are too many. */
  readonly limited: () => void;
}

/** Decides which requests are traced (docs/decisions/0305). */
export function sampler(options: SamplerOptions): Tracer['sample'] {
  const { isParentBased, ratio, random, nowMs, limited } = options;
  let secondBeganMs = Number.NEGATIVE_INFINITY;
  let left = 0;
  const mayTake = (): boolean => {
    const now = nowMs();
    if (now - secondBeganMs >= 1000) {
      secondBeganMs = now;
      left = maxSampledPerSecond;
    }
    left -= 1;
    if (left < 0) limited();
    return left >= 0;
  };
  return (traceparent) => {
    const caller = traceparent === undefined ? null : readTraceparent(traceparent);
    const isSampled = caller !== null && isParentBased ? caller.sampled : ratio > 0 && random() < ratio;
    return isSampled && mayTake() ? { parent: caller } : null;
  };
}
