/**
 * A moment of an instance's life: behind one of its sequence numbers, at a time, or behind a message of its
 * lane.
 */
export type Moment =
  | { readonly kind: 'sequence'; readonly sequence: number }
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'message'; readonly sequence: number };

/**
 * In milliseconds the year 2001; as a sequence number, more than a lane can apply
 * (docs/rules/operating.md "Audits and replays").
 */
const minTimeMs = 1e12;
/** A date, which begins in UTC, or a time with its zone. */
const zonedTime = /^\d{4}-\d{2}-\d{2}(?:[T ]\d.*(?:Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Reads `--at`: a sequence number, milliseconds since 1970 as answers have them, or ISO 8601. null: none of
 * them.
 */
export function parseMoment(text: string): Moment | null {
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) {
    const number = Number(text);
    return number < minTimeMs ? { kind: 'sequence', sequence: number } : { kind: 'time', timeMs: number };
  }
  const timeMs = zonedTime.test(text) ? Date.parse(text) : Number.NaN;
  return timeMs >= 0 ? { kind: 'time', timeMs } : null;
}
