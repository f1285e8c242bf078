import type { ServerResponse } from 'node:http';
import { type Span, tracer } from '../../lib/tracing.ts';
import { type RequestKind, requestDurations } from '../base/request-durations.ts';

export interface TracedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

interface Observed {
  [kindKey]?: RequestKind;
  [beganKey]?: number;
  [spanKey]?: Span | null;
}

const kindKey = Symbol('kind');
const beganKey = Symbol('began');
const spanKey = Symbol('span');

/** A request of Node's server begins. */
export function beginRequest(response: ServerResponse): void {
  (response as Observed)[beganKey] = performance.now();
}

export function nameRequest(response: ServerResponse, kind: RequestKind, operation: TracedOperation): void {
  const observed = response as Observed;
  observed[kindKey] = kind;
  if (tracer !== null) observed[spanKey] = requestSpan(operation, response.req.headers.traceparent);
}

export function endRequest(response: ServerResponse, status: number): void {
  const { [beganKey]: beganMs, [kindKey]: kind = 'other' } = response as Observed;
  if (beganMs !== undefined) requestDurations[kind].observe((performance.now() - beganMs) / 1000);
  endRequestSpan(spanOf(response), status);
}

/** The span of a request of Node's server; null: it is not sampled. */
export function spanOf(response: ServerResponse): Span | null {
  return (response as Observed)[spanKey] ?? null;
}

/** The span of a request that begins now; null: it is not sampled. */
export function requestSpan(
  { id, method, path }: TracedOperation,
  traceparent: string | readonly string[] | undefined,
): Span | null {
  const sampled = tracer?.sample(typeof traceparent === 'string' ? traceparent : undefined) ?? null;
  if (tracer === null || sampled === null) return null;
  return tracer.begin(`${method} ${path}`, {
    kind: 'server',
    parent: sampled.parent,
    attributes: { 'http.request.method': method, 'http.route': path, 'potstream.operation': id },
  });
}

export function endRequestSpan(span: Span | null, status: number): void {
  span?.end({ 'http.response.status_code': status }, status >= 500);
}
