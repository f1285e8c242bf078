import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Damage to the files of a stream whose server is not running. */

/** Flips one bit within `bytes`, wherever they stand in the stream's files, as a worn disk would. */
export async function flipBitIn(streamFiles: string, bytes: Uint8Array): Promise<void> {
  const directory = join(streamFiles, 'msgs');
  for (const file of await blocks(directory)) {
    const content = await readFile(join(directory, file));
    const at = content.indexOf(bytes);
    if (at === -1) continue;
    content[at + (bytes.length >> 1)]! ^= 1;
    return writeFile(join(directory, file), content);
  }
  throw new Error('the bytes are not in the files of the stream');
}

/** Takes the oldest messages out of the stream's first file. */
export async function removeOldest(streamFiles: string, messages: number): Promise<void> {
  const directory = join(streamFiles, 'msgs');
  const [oldest] = await blocks(directory);
  if (oldest === undefined) throw new Error('the stream has no files');
  const content = await readFile(join(directory, oldest));
  let at = 0;
  // Each begins with its length, whose highest bit says that there are headers.
  for (let count = 0; count < messages; count += 1) at += content.readUInt32LE(at) & 0x7fff_ffff;
  await writeFile(join(directory, oldest), content.subarray(at));
  await rm(join(directory, 'index.db'), { force: true });
}

/**
 * Leaves `kept` of the bytes of the stream's newest file, as where a disk had not stored what the server took for stored: the end may be
 * within a message, and what the server noted of the stream is as old. Gives the number of bytes that are gone.
 */
export async function cutNewest(streamFiles: string, kept: (bytes: number) => number): Promise<number> {
  const directory = join(streamFiles, 'msgs');
  const newest = (await blocks(directory)).at(-1);
  if (newest === undefined) return 0;
  const { size } = await stat(join(directory, newest));
  await truncate(join(directory, newest), kept(size));
  await rm(join(directory, 'index.db'), { force: true });
  return size - kept(size);
}

async function blocks(directory: string): Promise<string[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.blk'));
  return files.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}
