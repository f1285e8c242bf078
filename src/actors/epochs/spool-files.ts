import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LogError, type Random } from '../../ports.ts';
import type { OpenSpoolFile } from '../ports/epoch-ports.ts';

const nameBytes = 9;

/** Files below `directory` that lose their names at once, so that a killed process leaves nothing behind. */
export function spoolFileOpener(directory: string, random: Random): OpenSpoolFile {
  return (lane) =>
    outages(async () => {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const name = `${lane}-${Buffer.from(random.bytes(nameBytes)).toString('base64url')}`;
      const path = join(directory, name);
      const file = await open(path, 'wx+', 0o600);
      await unlink(path);
      return {
        write: (bytes, position) => outages(() => writeAll(file, bytes, position)),
        read: (position, length) => outages(() => readAll(file, position, length)),
        close: () => file.close(),
      };
    });
}

async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}

async function readAll(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, position + at);
    if (bytesRead === 0) throw new Error('what was spilled is not there');
    at += bytesRead;
  }
  return bytes;
}

/** A disk that is full or failing now may not be so later. */
async function outages<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new LogError(
      'unavailable',
      `Cannot spill draws that wait for the end of their epoch: ${String(cause)}`,
      {
        cause,
      },
    );
  }
}
