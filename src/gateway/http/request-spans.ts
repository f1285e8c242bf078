import type { ServerResponse } from 'node:http';
import { type Span, tracer } from '../../lib/tracing.ts';

/** What the span of a request says of its route. */
export interface TracedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

const spans = new WeakMap<ServerResponse, Span>();

/** The span of a request that begins now; null: it is not sampled. */
export function requestSpan(
  { id, method, path }: TracedOperation,
  traceparent: string | undefined,
): Span | null {
  const sampled = tracer?.sample(traceparent) ?? null;
  if (tracer === null || sampled === null) return null;
  return tracer.begin(`${method} ${path}`, {
    kind: 'server',
    parent: sampled.parent,
    attributes: { 'http.request.method': method, 'http.route': path, 'potstream.operation': id },
  });
}

/** Ends the span with the answer. */
export function endRequestSpan(span: Span, status: number): void {
  span.end({ 'http.response.status_code': status }, status >= 500);
}

/** A request of Node's server, whose route is known. */
export function beginTracedRequest(response: ServerResponse, operation: TracedOperation): void {
  const { traceparent } = response.req.headers;
  const span = requestSpan(operation, typeof traceparent === 'string' ? traceparent : undefined);
  if (span !== null) spans.set(response, span);
}

/** Its span; null: it is not sampled. */
export function spanOf(response: ServerResponse): Span | null {
  return spans.get(response) ?? null;
}

/** It is answered. */
export function endTracedRequest(response: ServerResponse, status: number): void {
  const span = spanOf(response);
  if (span !== null) endRequestSpan(span, status);
}
