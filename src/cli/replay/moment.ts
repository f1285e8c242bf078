/** A moment of an instance's life: behind one of its sequence numbers, at a time, or behind a message of its lane. */
export type Moment =
  | { readonly kind: 'sequence'; readonly sequence: number }
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'message'; readonly sequence: number };

/** Reads `--at`: digits are a sequence number, the rest is a time. null: neither. */
export function parseMoment(text: string): Moment | null {
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return { kind: 'sequence', sequence: Number(text) };
  const timeMs = /^[0-9]{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return timeMs >= 0 ? { kind: 'time', timeMs } : null;
}
