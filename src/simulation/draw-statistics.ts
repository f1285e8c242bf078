import {
  entryBytes,
  flagBlocked,
  flagHit,
  flagVoid,
  recordBytes,
} from '../jackpot/rules/keystreams/names.ts';
import type { DrawGroup } from '../jackpot/state/lane/recorder.ts';

const two32 = 2 ** 32;

/** What the draws of one pot amount to. */
export interface PotDraws {
  /** Contributions at which the pot was drawn, and at which a constraint kept it from being drawn. */
  drawn: number;
  blocked: number;
  /** Hits that were paid, and hits that lost to another pot. */
  hits: number;
  voids: number;
  /** Σ of the chances of all draws: how many hits were to be expected, whatever the triggers. */
  expected: number;
}

/** Reads the outcome bytes of every group: the chances are those that the engine itself drew with. */
export class DrawStatistics {
  readonly pots: readonly PotDraws[];

  constructor(potCount: number) {
    this.pots = Array.from({ length: potCount }, () => ({
      drawn: 0,
      blocked: 0,
      hits: 0,
      voids: 0,
      expected: 0,
    }));
  }

  add({ bytes, records }: DrawGroup): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const { offset } of records) {
      const entries = view.getUint8(offset + recordBytes - 1);
      this.#record(view, offset + recordBytes, entries);
    }
  }

  #record(view: DataView, from: number, entries: number): void {
    let index = -1;
    let misses = 1;
    let flags = 0;
    for (let entry = 0; entry < entries; entry += 1) {
      const at = from + entry * entryBytes;
      const pot = view.getUint8(at);
      if (pot !== index) {
        this.#close(index, misses, flags);
        index = pot;
        misses = 1;
        flags = 0;
      }
      const entryFlags = view.getUint8(at + entryBytes - 1);
      flags |= entryFlags;
      misses *= 1 - chanceAt(view, at, (entryFlags & flagHit) !== 0);
      if (isDrawn(view, at, entryFlags)) flags |= drawnFlag;
    }
    this.#close(index, misses, flags);
  }

  #close(index: number, misses: number, flags: number): void {
    const pot = this.pots[index];
    if (pot === undefined) return;
    if ((flags & flagBlocked) !== 0) pot.blocked += 1;
    if ((flags & drawnFlag) === 0) return;
    pot.drawn += 1;
    pot.expected += 1 - misses;
    if ((flags & flagVoid) !== 0) pot.voids += 1;
    else if ((flags & flagHit) !== 0) pot.hits += 1;
  }
}

/** Beside the flags of the format. */
const drawnFlag = 256;

function isDrawn(view: DataView, at: number, flags: number): boolean {
  return (flags & flagHit) !== 0 || wide(view, at + 26) > 0;
}

function chanceAt(view: DataView, at: number, isHit: boolean): number {
  const den = wide(view, at + 26);
  if (den === 0) return isHit ? 1 : 0;
  return Math.min(1, wide(view, at + 18) / den);
}

function wide(view: DataView, at: number): number {
  return view.getUint32(at) * two32 + view.getUint32(at + 4);
}
