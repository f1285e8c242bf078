import { assert } from '../../../lib/assert.ts';
import { grown } from '../../../lib/bytes.ts';

/** Ranges of one block: the index names the first ticket of each block, one in 1,024 ranges. */
const blockRanges = 1024;
/** Ranges that one round may give: at four bytes each, about 256 MiB. */
const maxRanges = 2 ** 26;
/** A new block has room for half its ranges at four bytes. */
const firstBytes = 2048;

/** Ranges in the order of their numbers: for each the player's row and how many, in seven-bit groups. */
interface Block {
  readonly first: number;
  bytes: Uint8Array;
  usedBytes: number;
  ranges: number;
}

export interface TicketRange {
  readonly row: number;
  readonly first: number;
  readonly count: number;
}

export interface StoredBlock {
  readonly first: number;
  readonly ranges: number;
  readonly bytes: Uint8Array;
}

/** The holders of a round's tickets: packed ranges, only appended, so a snapshot needs no copy. */
export class TicketBook {
  readonly #blocks: Block[] = [];
  #next = 1;
  #value = 0;

  get next(): number {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#blocks.length * blockRanges >= maxRanges;
  }

  /** Gives a player the next `count` numbers; returns the first. */
  append(row: number, count: number): number {
    const first = this.#next;
    const block = this.#open();
    block.bytes = grown(block.bytes, block.usedBytes + 16);
    block.usedBytes = writeGroups(block.bytes, block.usedBytes, row);
    block.usedBytes = writeGroups(block.bytes, block.usedBytes, count);
    block.ranges += 1;
    this.#next += count;
    return first;
  }

  find(ticket: number): TicketRange {
    assert(ticket >= 1 && ticket < this.#next, 'a ticket that was given has a holder');
    const block = this.#blocks[this.#blockOf(ticket)]!;
    let { first } = block;
    for (let at = 0; ; ) {
      const afterRow = this.#read(block.bytes, at);
      const row = this.#value;
      at = this.#read(block.bytes, afterRow);
      const count = this.#value;
      if (ticket < first + count) return { row, first, count };
      first += count;
    }
  }

  /** What is stored now; later ranges change none of these bytes. */
  stored(): readonly StoredBlock[] {
    return this.#blocks.map(({ first, ranges, bytes, usedBytes }) => ({
      first,
      ranges,
      bytes: bytes.subarray(0, usedBytes),
    }));
  }

  /** Goes on with this number: of a snapshot. */
  resume(next: number): void {
    this.#next = next;
  }

  /** Takes blocks of a snapshot, which come in order. */
  adopt(blocks: readonly StoredBlock[]): void {
    for (const { first, ranges, bytes } of blocks) {
      this.#blocks.push({ first, ranges, bytes: bytes.slice(), usedBytes: bytes.length });
    }
  }

  #open(): Block {
    const last = this.#blocks[this.#blocks.length - 1];
    if (last !== undefined && last.ranges < blockRanges) return last;
    const block = { first: this.#next, bytes: new Uint8Array(firstBytes), usedBytes: 0, ranges: 0 };
    this.#blocks.push(block);
    return block;
  }

  /** Reads a number into `#value`; returns where the next one begins. */
  #read(bytes: Uint8Array, from: number): number {
    let at = from;
    let value = 0;
    let scale = 1;
    for (; bytes[at]! >= 128; at++) {
      value += (bytes[at]! & 127) * scale;
      scale *= 128;
    }
    this.#value = value + bytes[at]! * scale;
    return at + 1;
  }

  /** The last block that begins at the ticket or before. */
  #blockOf(ticket: number): number {
    let low = 0;
    let high = this.#blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#blocks[middle]!.first <= ticket) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function writeGroups(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let to = at;
  for (; rest >= 128; to++) {
    bytes[to] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  bytes[to] = rest;
  return to + 1;
}
