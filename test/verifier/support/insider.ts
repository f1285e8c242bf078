import { createHash } from 'node:crypto';
import { canonical } from '../../../verifier/src/canonical.ts';

// biome-ignore lint/suspicious/noExplicitAny: a forger writes what it likes.
export type Forged = any;

/**
 * What an insider who owns the publishing can make good again behind a forgery: config_hash, every head and what the
 * epoch ends with. The commitment was public before, so the seed stays.
 */
export function rehashed(document: Forged): Forged {
  const { header } = document;
  header.config_hash = hex(sha256(canonical(header.config)));
  let head = sha256(Buffer.from(header.prev_head, 'hex'), sha256(canonical(header)));
  for (const group of document.groups) {
    const details = group.details.length === 0 ? [] : [sha256(canonical(group.details))];
    const inputs = sha256(Buffer.from(group.inputs, 'hex'));
    head = sha256(head, u64(group.first_seq), inputs, bytesOf(group.records), ...details);
    group.head = hex(head);
  }
  const { closing } = document;
  closing.head = hex(head);
  closing.config_hash = hex(sha256(canonical(closing.config ?? header.config)));
  return document;
}

function bytesOf(records: readonly Forged[]): Buffer {
  return Buffer.concat(
    records.flatMap(({ seq, c, t, input, entries }) => [
      u64(seq),
      u64(c),
      u64(t),
      u32(input),
      Buffer.from([entries.length]),
      ...entries.flatMap(({ pot, trigger, flags, ...numbers }: Forged) => [
        Buffer.from([pot, trigger]),
        ...['v0', 'v1', 'num', 'den', 'u'].map((name) => u64(numbers[name])),
        Buffer.from([flags]),
      ]),
    ]),
  );
}

function sha256(...parts: readonly (Uint8Array | string)[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function u64(value: number | string): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
