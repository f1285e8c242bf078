import { ROOT_CONTEXT, SpanKind as SdkSpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { TracingTarget } from '../../config/tracing.ts';
import type { Span, SpanKind, SpanStart, Tracer } from '../../lib/tracing.ts';
import { BoundedSpans, type SpanCounts } from './bounded-spans.ts';
import { sampler } from './sampler.ts';

/** The SDK of OpenTelemetry behind our tracer. Loaded only where traces are wanted. */

const kinds: Readonly<Record<SpanKind, SdkSpanKind>> = {
  server: SdkSpanKind.SERVER,
  client: SdkSpanKind.CLIENT,
  producer: SdkSpanKind.PRODUCER,
  consumer: SdkSpanKind.CONSUMER,
  internal: SdkSpanKind.INTERNAL,
};

const spansPerMessage = 512;
const sendEveryMs = 1_000;
/** How long a process that ends waits for its collector. */
const flushWithinMs = 2_000;

interface OtlpTracing {
  readonly tracer: Tracer;
  readonly counts: SpanCounts;
  /** Sends what there is, within a limit. */
  stop(): Promise<void>;
}

/** Traces that are sent to a collector by OTLP over HTTP, in JSON. */
export function otlpTracing(role: string, target: TracingTarget): OtlpTracing {
  const exporter = new OTLPTraceExporter({
    url: target.url,
    headers: { ...target.headers },
    timeoutMillis: target.timeoutMs,
  });
  const spans = new BoundedSpans(
    exporter,
    (counted, maxQueueSize) =>
      new BatchSpanProcessor(counted, {
        maxQueueSize,
        maxExportBatchSize: spansPerMessage,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: target.timeoutMs,
      }),
  );
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': target.serviceName ?? `potstream-${role}`,
      'service.namespace': 'potstream',
      ...target.resource,
    }),
    spanProcessors: [spans],
  });
  const sdk = provider.getTracer('potstream');

  function begin(name: string, { kind, parent, attributes, beganMs }: SpanStart): Span {
    const context =
      parent === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, { ...parent, traceFlags: TraceFlags.SAMPLED, isRemote: true });
    const span = sdk.startSpan(
      name,
      {
        kind: kinds[kind],
        ...(attributes === undefined ? {} : { attributes: { ...attributes } }),
        ...(beganMs === undefined ? {} : { startTime: performance.timeOrigin + beganMs }),
      },
      context,
    );
    const { traceId, spanId } = span.spanContext();
    return {
      traceId,
      spanId,
      end(more, failed = false) {
        if (more !== undefined) span.setAttributes({ ...more });
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    tracer: {
      begin,
      sample: sampler({
        isParentBased: target.isParentBased,
        ratio: target.ratio,
        random: Math.random,
        nowMs: () => performance.now(),
        limited: () => spans.limited(),
      }),
    },
    counts: spans,
    async stop() {
      const flushed = provider.shutdown().catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, flushWithinMs);
      });
      await Promise.race([flushed, late]);
      clearTimeout(timer);
    },
  };
}
