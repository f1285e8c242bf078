/**
 * Traces of sampled requests (docs/decisions/0305). A process traces where its role has set a tracer;
 * otherwise `tracer` is null, and everything here costs one branch. Attributes come from a closed list: no
 * value of a caller gets in.
 */

/** A place in a sampled trace, as W3C Trace Context names it. */
export interface TraceParent {
  /** 32 digits of lower-case hex. */
  readonly traceId: string;
  /** 16 digits of lower-case hex. */
  readonly spanId: string;
}

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** The only attributes that spans have. */
export interface SpanAttributes {
  readonly 'http.request.method'?: string;
  /** The template of the path, without its values. */
  readonly 'http.route'?: string;
  readonly 'http.response.status_code'?: number;
  /** Why a call of ours has no accepted answer, by a closed list of its client. */
  readonly 'error.type'?: string;
  readonly 'potstream.operation'?: string;
  readonly 'potstream.lane'?: number;
  readonly 'potstream.sequence'?: number;
  /** Commands in the message. */
  readonly 'potstream.commands'?: number;
  /** Place of the command in its message. */
  readonly 'potstream.index'?: number;
  /** The kind of a command's outcome. */
  readonly 'potstream.outcome'?: string;
}

export interface Span extends TraceParent {
  end(attributes?: SpanAttributes, failed?: boolean): void;
}

export interface SpanStart {
  readonly kind: SpanKind;
  /** null: a new trace. */
  readonly parent: TraceParent | null;
  readonly attributes?: SpanAttributes;
  /** As `performance.now()` says; absent: now. */
  readonly beganMs?: number;
}

export interface Tracer {
  /** Whether a request is sampled, and the caller's span where it is the parent. */
  sample(traceparent: string | undefined): { readonly parent: TraceParent | null } | null;
  begin(name: string, start: SpanStart): Span;
}

/** null: this process does not trace. */
export let tracer: Tracer | null = null;

/** Begins or ends tracing in this process. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeroTrace = '0'.repeat(32);
const zeroSpan = '0'.repeat(16);

/** Reads a header `traceparent`; null where it is none, as W3C Trace Context says. */
export function readTraceparent(text: string): (TraceParent & { readonly sampled: boolean }) | null {
  const [, version, traceId = '', spanId = '', flags = '', more] = traceparentPattern.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (traceId === zeroTrace || spanId === zeroSpan) return null;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The parent that a message of ours names, where it is sampled. */
export function sampledParent(text: string | undefined): TraceParent | undefined {
  const parent = text === undefined ? null : readTraceparent(text);
  return parent?.sampled === true ? { traceId: parent.traceId, spanId: parent.spanId } : undefined;
}

/** The header `traceparent` of a sampled trace. */
export function traceparentOf({ traceId, spanId }: TraceParent): string {
  return `00-${traceId}-${spanId}-01`;
}

/** Sampled commands of one message, or works of one record, that carry their trace. */
export const maxTracesPerMessage = 16;

/** Traces of parts of a message, by key, as its header has them. Those beyond the limit are left out. */
export function writeTraces(traces: ReadonlyMap<string, TraceParent>): string {
  const entries = [...traces].slice(0, maxTracesPerMessage);
  return entries.map(([key, parent]) => `${key}=${traceparentOf(parent)}`).join(',');
}

/** Reads them; what is no trace is left out, because others may have written the header. */
export function readTraces(text: string): ReadonlyMap<string, TraceParent> {
  const traces = new Map<string, TraceParent>();
  for (const entry of text.split(',', maxTracesPerMessage)) {
    const at = entry.indexOf('=');
    const parent = at < 1 || at > 64 ? undefined : sampledParent(entry.slice(at + 1));
    if (parent !== undefined) traces.set(entry.slice(0, at), parent);
  }
  return traces;
}

/** What a log line says of a sampled request. */
export function traceFields(parent: TraceParent | null | undefined): { readonly trace_id?: string } {
  return parent === null || parent === undefined ? {} : { trace_id: parent.traceId };
}
