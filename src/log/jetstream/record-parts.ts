import { createHash } from 'node:crypto';
import { equalBytes, toHex } from '../../lib/bytes.ts';
import { LogError } from '../../ports.ts';
import { partStream, partSubject } from '../base/names.ts';
import { readMessage } from './direct-read.ts';
import { publish } from './publish.ts';
import type { Requester } from './requester.ts';
import type { StoredMessage } from './stored-message.ts';

/** Larger records are stored in parts; a lane's streams take no message above 256 KiB. */
export const wholeRecordBytes = 192 * 1024;
const partBytes = 128 * 1024;
const partsAtOnce = 8;
const partTimeoutMs = 2_000;

/** The head of a record in parts, as OUT holds it. Readers check the parts against it. */
interface HeadOfParts {
  readonly checksum: Uint8Array;
  readonly parts: string;
}

/**
 * Outcome records that are too large for one message (docs/decisions/0061). The parts are stored first, under
 * subjects that name their bytes, and count only once OUT has the head.
 */
export class RecordParts {
  readonly #requester: Requester;
  readonly #replicas: number;

  constructor(requester: Requester, replicas: number) {
    this.#requester = requester;
    this.#replicas = replicas;
  }

  /** Stores the missing parts. Safe to repeat, also by several owners. @throws LogError */
  async store(lane: number, sequence: number, record: Uint8Array): Promise<HeadOfParts> {
    const checksum = sha256(record);
    const name = toHex(checksum);
    const count = Math.ceil(record.length / partBytes);
    await inTurns(count, async (index) => {
      const part = record.subarray(index * partBytes, (index + 1) * partBytes);
      const subject = partSubject(lane, sequence, name, index);
      const options = { timeoutMs: partTimeoutMs, expectedLastOnSubject: 0 };
      const result = await publish(this.#requester, subject, part, options);
      // Another owner is storing it and may fail: the next try looks again.
      if (result.kind === 'wrong_last_sequence' && result.last < 0)
        throw new LogError('unavailable', `${subject} is just being stored.`);
    });
    return { checksum, parts: `${count} ${record.length}` };
  }

  /** The whole record; null if a part has expired. @throws LogError; `corrupt` if the parts do not match */
  async load(lane: number, { sequence, bytes, parts }: StoredMessage): Promise<Uint8Array | null> {
    const [count, length, of = sequence] = numbersOf(parts);
    const name = toHex(bytes);
    const loaded: Uint8Array[] = [];
    let isGone = false;
    await inTurns(count, async (index) => {
      const request = { last_by_subj: partSubject(lane, of, name, index) };
      const message = await readMessage(this.#requester, partStream(lane), request, this.#replicas);
      if (message === null) isGone = true;
      else loaded[index] = message.bytes;
    });
    if (isGone) return null;
    const record = plain(Buffer.concat(loaded));
    if (record.length !== length || !equalBytes(sha256(record), bytes))
      throw new LogError('corrupt', `The parts of record ${of} of lane ${lane} do not match its head.`);
    return record;
  }
}

/** The sequence of the record; undefined: it is that of its head. @throws LogError `corrupt` */
export const recordOfParts = (parts: string): number | undefined => numbersOf(parts)[2];

function numbersOf(
  parts: string | null,
): readonly [count: number, length: number, record: number | undefined] {
  const [, count, length, record] = /^(\d{1,6}) (\d{1,12})(?: (\d{1,16}))?$/.exec(parts ?? '') ?? [];
  if (length === undefined) throw new LogError('corrupt', 'The head of an outcome record cannot be read.');
  return [Number(count), Number(length), record === undefined ? undefined : Number(record)];
}

/** Rejects with the first failure, once nothing is under way. */
async function inTurns(count: number, each: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  let failure: unknown = null;
  const work = async (): Promise<void> => {
    while (next < count && failure === null) {
      next += 1;
      await each(next - 1).catch((error: unknown) => {
        failure ??= error;
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(partsAtOnce, count) }, work));
  if (failure !== null) throw failure;
}

function sha256(bytes: Uint8Array): Uint8Array {
  return plain(createHash('sha256').update(bytes).digest());
}

/** A view that is no Buffer, whose slice() would not copy. */
function plain(bytes: Buffer): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
