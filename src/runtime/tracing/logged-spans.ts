import { type SpanAttributes, type Tracer, traceFields } from '../../lib/tracing.ts';

/** Where the lines go: the role's log. */
export interface SpanLog {
  debug(
    fields: SpanAttributes & { readonly trace_id?: string; readonly duration_ms: number },
    message: string,
  ): void;
}

/** The same tracer, with a log line for each span that ends. */
export function withLines(tracer: Tracer, log: SpanLog): Tracer {
  return {
    sample: (traceparent) => tracer.sample(traceparent),
    begin(name, start) {
      const beganMs = start.beganMs ?? performance.now();
      const span = tracer.begin(name, start);
      return {
        traceId: span.traceId,
        spanId: span.spanId,
        end(attributes, failed) {
          span.end(attributes, failed);
          const fields = { ...traceFields(span), ...start.attributes, ...attributes };
          log.debug({ ...fields, duration_ms: performance.now() - beganMs }, `Span ${name} ended.`);
        },
      };
    },
  };
}
