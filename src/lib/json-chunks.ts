import { concatenate, fromUtf8, utf8 } from './bytes.ts';

/** A snapshot chunk: length of the JSON text (u32, big-endian), the text, then raw bytes. */
export function frame(facts: object, ...payload: readonly Uint8Array[]): Uint8Array {
  const text = utf8(JSON.stringify(facts));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, text.length);
  return concatenate([length, text, ...payload]);
}

/** The JSON value of a chunk, and its raw bytes. */
export function unframe(chunk: Uint8Array): { readonly facts: unknown; readonly payload: Uint8Array } {
  const length = new DataView(chunk.buffer, chunk.byteOffset, chunk.length).getUint32(0);
  const start = 4 + length;
  // A plain Uint8Array whatever the chunk is: slice() of a Buffer would not copy.
  const payload = new Uint8Array(chunk.buffer, chunk.byteOffset + start, chunk.length - start);
  return { facts: JSON.parse(fromUtf8(chunk.subarray(4, start))), payload };
}

/** The bytes where the words are. */
export function bytesOf(words: Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** A copy, so that alignment never matters. */
export function float64Of(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.slice().buffer);
}

/** A record whose amounts are texts: JSON has no integers of their size. */
export type Stored<T> = {
  [K in keyof T]: T[K] extends bigint ? string : T[K] extends bigint | null ? string | null : T[K];
};

/** The record with its amounts as texts. */
export function asStored<T extends object>(record: T): Stored<T> {
  const stored = { ...record } as Record<string, unknown>;
  for (const name in stored) if (typeof stored[name] === 'bigint') stored[name] = String(stored[name]);
  return stored as Stored<T>;
}

type Restored<S, K extends keyof S> = {
  [P in keyof S]: P extends K ? bigint | Exclude<S[P], string> : S[P];
};

/** The record with the amounts of these names as numbers again. Members keep their order. */
export function restored<S extends object, K extends keyof S>(
  record: S,
  names: readonly K[],
): Restored<S, K> {
  const amounts: Partial<Record<keyof S, unknown>> = { ...record };
  for (const name of names) {
    const amount = amounts[name];
    if (typeof amount === 'string') amounts[name] = BigInt(amount);
  }
  return amounts as Restored<S, K>;
}
