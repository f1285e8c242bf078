import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { EngineMessage } from '../../../src/jackpot/lane/lane.ts';
import { decodeCommandBatch, encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';

/** Before each message: its length, its timestamp. */
const headBytes = 12;

/** Commands as they were written, not yet read back. */
export type WrittenMessage = EngineMessage & { readonly commands: readonly Command[] };

/** The messages of a command log as they were stored: the codec's bytes, one behind the other, compressed. */
export function readLog(file: URL): readonly EngineMessage[] {
  const bytes = gunzipSync(readFileSync(file));
  const messages: EngineMessage[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const timestampMs = Number(bytes.readBigUInt64BE(at + 4));
    const { commands } = decodeCommandBatch(bytes.subarray(at + headBytes, at + headBytes + length));
    messages.push({ sequence: messages.length + 1, timestampMs, commands });
    at += headBytes + length;
  }
  return messages;
}

export function writeLog(file: URL, messages: readonly WrittenMessage[]): void {
  const parts = messages.flatMap(({ commands, timestampMs }) => {
    const bytes = encodeCommandBatch({ gateway: '', batchId: new Uint8Array(16), commands });
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(bytes.length);
    head.writeBigUInt64BE(BigInt(timestampMs), 4);
    return [head, bytes];
  });
  writeFileSync(file, gzipSync(Buffer.concat(parts), { level: 9 }));
}
