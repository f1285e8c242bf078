/** No spare takes more than this part of a stream's room: a stream of few large messages could never be trimmed. */
const maxSpareRatio = 0.25;

/** What a stream holds and may hold. */
export interface StreamContents {
  readonly messages: number;
  readonly bytes: number;
  /** 0: unlimited. */
  readonly maxBytes: number;
}

/** The messages that stay in a stream beyond those that are needed: `wanted`, or what a quarter of its room takes. */
export function spareWithin(wanted: number, { messages, bytes, maxBytes }: StreamContents): number {
  if (maxBytes <= 0 || bytes <= 0) return wanted;
  return Math.min(wanted, Math.floor((maxBytes * maxSpareRatio * messages) / bytes));
}
