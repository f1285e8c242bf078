import type { SpoolFile } from '../ports/epoch-ports.ts';
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
