import type { TracingTarget } from '../../config/tracing.ts';
import { setTracer } from '../../lib/tracing.ts';
import type { SpanCounts } from './bounded-spans.ts';
import { type SpanLog, withLines } from './logged-spans.ts';

interface Tracing {
  /** In Prometheus' text format. */
  metrics(): string;
  stop(): Promise<void>;
}

const none: SpanCounts = { exported: 0, failed: 0, dropped: 0, limitedRequests: 0 };
const off: Tracing = { metrics: () => metricsText(none), stop: async () => {} };

/** Begins tracing in this process, if traces are wanted. Without them no file of the SDK is loaded. */
export async function startTracing(
  role: string,
  target: TracingTarget | null,
  log: SpanLog & { isLevelEnabled(level: 'debug'): boolean },
): Promise<Tracing> {
  if (target === null) return off;
  const { otlpTracing } = await import('./otlp.ts');
  const { tracer, counts, stop } = otlpTracing(role, target);
  setTracer(log.isLevelEnabled('debug') ? withLines(tracer, log) : tracer);
  return {
    metrics: () => metricsText(counts),
    async stop() {
      setTracer(null);
      await stop();
    },
  };
}

function metricsText({ exported, failed, dropped, limitedRequests }: SpanCounts): string {
  return [
    '# HELP potstream_trace_spans_total Spans by what became of them.',
    '# TYPE potstream_trace_spans_total counter',
    `potstream_trace_spans_total{result="exported"} ${exported}`,
    `potstream_trace_spans_total{result="failed"} ${failed}`,
    `potstream_trace_spans_total{result="dropped"} ${dropped}`,
    '# HELP potstream_trace_requests_limited_total Requests that were not sampled because there were too many.',
    '# TYPE potstream_trace_requests_limited_total counter',
    `potstream_trace_requests_limited_total ${limitedRequests}`,
    '',
  ].join('\n');
}
