import { readTraces, type TraceParent } from '../../lib/tracing.ts';
import { callbackEventId } from './event-id.ts';

/** The traces of a record's callbacks, by their event ids, from the header of the record. */
export function callbackTraces(header: string | undefined): (eventId: string) => TraceParent | undefined {
  if (header === undefined) return () => undefined;
  const traces = new Map(
    [...readTraces(header)].map(([contributionId, parent]) => [callbackEventId(contributionId), parent]),
  );
  return (eventId) => traces.get(eventId);
}
