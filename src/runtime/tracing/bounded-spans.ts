import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Spans that wait for the collector, or are on their way to it. */
export const maxWaitingSpans = 4_096;

/** What became of the spans of this process. */
export interface SpanCounts {
  /** The collector took them. */
  readonly exported: number;
  /** The collector did not answer, or refused them. */
  readonly failed: number;
  /** Too many waited. */
  readonly dropped: number;
  /** Requests that were not sampled because there were too many. */
  readonly limitedRequests: number;
}

/** Gives spans to the SDK's queue while there is room, and counts what becomes of each. */
export class BoundedSpans implements SpanProcessor, SpanCounts {
  exported = 0;
  failed = 0;
  dropped = 0;
  limitedRequests = 0;
  #waiting = 0;
  readonly #queue: SpanProcessor;

  constructor(
    exporter: SpanExporter,
    makeQueue: (exporter: SpanExporter, maxSpans: number) => SpanProcessor,
  ) {
    const counted: SpanExporter = {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#waiting -= spans.length;
          // 0: it took them.
          if (result.code === 0) this.exported += spans.length;
          else this.failed += spans.length;
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
      forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    };
    // Ours drops before the SDK's own does, which counts nothing.
    this.#queue = makeQueue(counted, 2 * maxWaitingSpans);
  }

  limited(): void {
    this.limitedRequests += 1;
  }

  onStart(...started: Parameters<SpanProcessor['onStart']>): void {
    this.#queue.onStart(...started);
  }

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= maxWaitingSpans) {
      this.dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#queue.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#queue.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#queue.shutdown();
  }
}
