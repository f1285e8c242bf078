import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { LogError, type Random } from '../../ports.ts';
import type { OpenSpoolFile, SpoolFile } from '../ports/epoch-ports.ts';
import type { SpilledText } from './pages.ts';

/** Small, so that a part wastes little of its last block. */
const blockBytes = 16 * 1024;

interface Run {
  readonly firstBlock: number;
  blocks: number;
}

/** Keeps text that waits for its epoch's end on the disk: memory is for what is written at the moment. */
export class Spool {
  readonly #open: () => Promise<SpoolFile>;
  #file: SpoolFile | null = null;
  #blocks = 0;
  #free: number[] = [];

  constructor(open: () => Promise<SpoolFile>) {
    this.#open = open;
  }

  async write(bytes: Uint8Array): Promise<SpilledText> {
    this.#file ??= await this.#open();
    const file = this.#file;
    const runs = this.#allocate(Math.ceil(bytes.length / blockBytes));
    let at = 0;
    for (const { blocks, firstBlock } of runs) {
      const part = bytes.subarray(at, at + blocks * blockBytes);
      await file.write(part, firstBlock * blockBytes);
      at += part.length;
    }
    let isFree = false;
    return {
      read: () => readRuns(file, runs, bytes.length),
      free: () => {
        if (!isFree) this.#release(runs);
        isFree = true;
      },
    };
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  #allocate(count: number): readonly Run[] {
    const used = this.#free.splice(0, count);
    for (; used.length < count; this.#blocks += 1) used.push(this.#blocks);
    const runs: Run[] = [];
    for (const block of used) {
      const last = runs.at(-1);
      if (last !== undefined && last.firstBlock + last.blocks === block) last.blocks += 1;
      else runs.push({ firstBlock: block, blocks: 1 });
    }
    return runs;
  }

  #release(runs: readonly Run[]): void {
    for (const { blocks, firstBlock } of runs)
      for (let block = firstBlock; block < firstBlock + blocks; block += 1) this.#free.push(block);
    this.#free.sort((a, b) => a - b);
  }
}

async function readRuns(file: SpoolFile, runs: readonly Run[], length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const { blocks, firstBlock } of runs) {
    const part = await file.read(firstBlock * blockBytes, Math.min(blocks * blockBytes, length - at));
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

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
