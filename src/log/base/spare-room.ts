/** A spare takes at most this part of a stream's room: one of few large messages must be trimmable. */
const maxSpareRatio = 0.25;

/** What a stream holds and may hold. */
export interface StreamContents {
  readonly messages: number;
  readonly bytes: number;
  /** 0: unlimited. */
  readonly maxBytes: number;
}

/** Messages that stay in a stream beyond the needed ones: `wanted`, or a quarter of its room. */
export function spareWithin(wanted: number, { messages, bytes, maxBytes }: StreamContents): number {
  if (maxBytes <= 0 || bytes <= 0) return wanted;
  return Math.min(wanted, Math.floor((maxBytes * maxSpareRatio * messages) / bytes));
}
