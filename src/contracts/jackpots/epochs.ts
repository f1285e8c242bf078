import { fromHex, toHex, utf8 } from '../../lib/bytes.ts';
import type { EpochRecord } from '../../messages/records.ts';

/**
 * `<instance>/<epoch>.json` of the archive EPOCHS: a revealed epoch with the records of its draws. What
 * does not fit into it stands in further pages, `<instance>/<epoch>.<page>.json`, which are stored before it:
 * where the first page is, the others are.
 */
export function epochDocumentName(instance: string, epoch: number, page = 0): string {
  return page === 0 ? `${instance}/${epoch}.json` : `${instance}/${epoch}.${page}.json`;
}

/** An epoch whose seed is public. */
export type RevealedRecord = EpochRecord & { readonly seed: Uint8Array };

/** Kept of each revealed epoch in the table EPOCHS: its lane knows only the last eight of an instance. */
export function epochIndexKey(instance: string, epoch: number): string {
  return `${instance}.${epoch}`;
}

/** JSON; bytes as lower-case hex. */
export function encodeEpochIndex(record: RevealedRecord): Uint8Array {
  const { beacon, commit, seed, ...rest } = record;
  const bytes = { beacon: toHex(beacon), commit: toHex(commit), seed: toHex(seed) };
  return utf8(JSON.stringify({ v: 1, ...rest, ...bytes }));
}

/** @throws SyntaxError where the bytes are no JSON */
export function decodeEpochIndex(bytes: Uint8Array): RevealedRecord {
  // What was kept before there were beacons has none.
  const { v: _, beacon = '', commit, seed, ...rest } = JSON.parse(Buffer.from(bytes).toString('utf8'));
  return { ...rest, beacon: fromHex(beacon), commit: fromHex(commit), seed: fromHex(seed) };
}
