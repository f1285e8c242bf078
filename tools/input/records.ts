import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { TextDecoder } from 'node:util';
import {
  EndlessRecordError,
  firstPlace,
  type RawRecord,
  RecordCutter,
  type RecordPlace,
} from '../../src/lib/csv/record-cutter.ts';
import { type Header, knownSeparators, readTableHeader, utf16Decoder } from '../../src/lib/csv/table.ts';

/** The input cannot be used. The message is for the user of the command. */
export class InputError extends Error {}

const readBytes = 256 * 1024;

/** SHA-256 of the file's bytes, and how many there are. @throws InputError */
export async function identityOf(path: string): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const file = await openInput(path);
  try {
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: readBytes })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The header of a CSV file, where it is, and where the next record is. @throws InputError */
export async function readHeader(path: string): Promise<Header & Pick<RawRecord, 'offset' | 'behind'>> {
  for await (const [record] of readRecords(path, firstPlace, knownSeparators)) {
    if (record === undefined) continue;
    const header = readTableHeader(record);
    if (header === null) throw new InputError(`The header of ${path} is not CSV in UTF-8 or UTF-16.`);
    return { ...header, offset: record.offset, behind: record.behind };
  }
  throw new InputError(`${path} has no header.`);
}

/**
 * The records of a file from a place on, many at a time; blank lines are left out.
 * @param separators those of CSV; null: it is no CSV
 * @throws InputError also where nothing says where a record ends
 */
export async function* readRecords(
  path: string,
  from: RecordPlace,
  separators: string | null,
): AsyncGenerator<readonly RawRecord[]> {
  const file = await openInput(path);
  try {
    const cutter = new RecordCutter(from, separators);
    for await (const chunk of chunksOf(file, from.offset)) yield cutter.cut(chunk);
    yield cutter.end();
  } catch (error) {
    if (error instanceof EndlessRecordError) throw new InputError(error.message);
    throw error;
  } finally {
    await file.close();
  }
}

/** UTF-8; a text in UTF-16 is decoded from its beginning, and offsets are those of the decoded text. */
async function* chunksOf(file: FileHandle, offset: number): AsyncGenerator<Buffer> {
  const { buffer: beginning, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  const decoder = utf16Decoder(beginning.subarray(0, bytesRead));
  if (decoder === null) return yield* bytesOf(file, offset);
  let left = offset;
  for await (const bytes of bytesOf(file, 0)) {
    const chunk = Buffer.from(decoded(decoder, bytes));
    yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
  decoded(decoder);
}

async function* bytesOf(file: FileHandle, offset: number): AsyncGenerator<Buffer> {
  for (let from = offset; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(readBytes), 0, readBytes, from);
    if (bytesRead === 0) return;
    from += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function decoded(decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw new InputError('It begins as UTF-16, and is not.');
  }
}

async function openInput(path: string): Promise<FileHandle> {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw new InputError(`${path} cannot be read: ${(error as Error).message}`);
  }
  throw new InputError(`${path} is not a file, and cannot be read again after an interruption.`);
}
