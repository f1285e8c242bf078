import type { PublicRecord } from './document.ts';

const recordBytes = 29;
const entryBytes = 43;

/** The outcome bytes of a message's records: fixed width, big-endian. */
export function outcomeBytes(records: readonly PublicRecord[]): Uint8Array {
  const size = records.reduce((total, { entries }) => total + recordBytes + entries.length * entryBytes, 0);
  const view = new DataView(new ArrayBuffer(size));
  let at = 0;
  for (const record of records) {
    view.setBigUint64(at, BigInt(record.sequence));
    view.setBigUint64(at + 8, record.contribution);
    view.setBigUint64(at + 16, BigInt(record.timestampMs));
    view.setUint32(at + 24, record.input);
    view.setUint8(at + 28, record.entries.length);
    at += recordBytes;
    for (const entry of record.entries) {
      view.setUint8(at, entry.pot);
      view.setUint8(at + 1, entry.trigger);
      [entry.v0, entry.v1, entry.num, entry.den, entry.u].forEach((value, index) => {
        view.setBigUint64(at + 2 + 8 * index, value);
      });
      view.setUint8(at + 42, entry.flags);
      at += entryBytes;
    }
  }
  return new Uint8Array(view.buffer);
}
