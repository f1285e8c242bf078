import { maxTracesPerMessage, type Span, type TraceParent, tracer, writeTraces } from '../../lib/tracing.ts';
import type { Waiting } from './batch.ts';

/** The spans of a batch's sampled commands: from its first try to the acknowledgement. */
export interface BatchTraces {
  /** The header of the message's trace. */
  readonly header: string;
  /** null: it is not known to be stored. */
  stored(sequence: number | null): void;
}

/** Begins them; null: nothing of the batch is traced. */
export function traceBatch(lane: number, entries: readonly Waiting[]): BatchTraces | null {
  if (tracer === null) return null;
  const spans: Span[] = [];
  const traces = new Map<string, TraceParent>();
  for (const [index, { trace: parent }] of entries.entries()) {
    if (parent === undefined || spans.length >= maxTracesPerMessage) continue;
    const attributes = {
      'potstream.lane': lane,
      'potstream.index': index,
      'potstream.commands': entries.length,
    };
    const span = tracer.begin('store command', { kind: 'producer', parent, attributes });
    spans.push(span);
    traces.set(String(index), span);
  }
  if (spans.length === 0) return null;
  return {
    header: writeTraces(traces),
    stored(sequence) {
      for (const span of spans)
        span.end(sequence === null ? {} : { 'potstream.sequence': sequence }, sequence === null);
    },
  };
}
