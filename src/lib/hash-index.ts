/**
 * Finds entry numbers by a 32-bit hash; the caller compares the entries. Extendible hashing: a growth step
 * moves one segment, about 6,000 entries. Hashes are signed, because V8 makes an object of each unsigned one
 * from 2^31 on.
 */
const firstSlots = 16;
const segmentSlots = 8192;
/** Beyond this depth a segment is full of equal hashes, which splitting cannot separate; it grows instead. */
const maxDepth = 20;
/** Room is made for at most this many entries ahead: the number may come from bytes that are damaged. */
const maxReserved = 2 ** 25;
/** Room for twice what is about to come: nearly full segments would all be split soon after. */
const reservedLoad = 0.375;
/** Beyond this size long probe runs no longer make a segment grow, only its number of entries does. */
const maxSlots = 2 ** 17;
/** A longer probe run makes a segment grow; a good hash has none as long at three quarters of the load. */
const maxProbes = 1024;
const empty = 0;

class Segment {
  /** Pairs (hash, entry + 1); entry 0 marks a free slot. */
  slots: Int32Array;
  count = 0;
  depth: number;
  constructor(depth: number, slotCount: number) {
    this.depth = depth;
    this.slots = new Int32Array(2 * slotCount);
  }
}

export class HashIndex {
  /** Always made in the same way: V8 has kinds of arrays, too. */
  #directory: Segment[] = Array.from({ length: 1 }, () => new Segment(0, firstSlots));
  #depth = 0;
  #slots: Int32Array = this.#directory[0]!.slots;
  #mask = 0;
  #at = 0;
  #hash = 0;
  /** What addAll has read ahead: kept so that no compiler removes the reads. */
  warmed = 0;

  /** Makes room ahead for entries that are about to be added. Does nothing once there are entries. */
  reserve(entries: number): void {
    if (this.#depth > 0 || this.#directory[0]!.count > 0) return;
    const wanted = Math.min(entries, maxReserved) / (segmentSlots * reservedLoad);
    if (!(wanted > 1)) return;
    this.#depth = Math.round(Math.log2(wanted));
    const depth = this.#depth;
    // They take their size when entries come: all at once would keep the event loop for long.
    this.#directory = Array.from({ length: 2 ** depth }, () => new Segment(depth, firstSlots));
  }

  /** Loads the slot where a search for the hash begins into the processor cache. */
  warm(hash: number): number {
    const { slots } = this.#segmentOf(hash);
    return slots[2 * (hash & ((slots.length >> 1) - 1)) + 1]!;
  }

  /** Adds entries from `first` on, one for each hash. Reading slots ahead loads them from memory together. */
  addAll(hashes: Int32Array, first: number): void {
    let sum = 0;
    for (let i = 0; i < hashes.length; i++) sum = (sum + this.warm(hashes[i]!)) | 0;
    this.warmed = sum;
    for (let i = 0; i < hashes.length; i++) this.add(hashes[i]!, first + i);
  }

  /** The first entry with the hash; −1 without one. For searches that hardly ever go on: it begins none. */
  first(hash: number): number {
    const { slots } = this.#segmentOf(hash);
    const mask = (slots.length >> 1) - 1;
    const wanted = hash | 0;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const entry = slots[2 * at + 1]!;
      if (entry === empty || slots[2 * at]! === wanted) return entry - 1;
    }
  }

  /** Begins a search: `next()` then yields the entries with this hash. */
  start(hash: number): void {
    const segment = this.#segmentOf(hash);
    this.#slots = segment.slots;
    this.#mask = (segment.slots.length >> 1) - 1;
    this.#at = hash & this.#mask;
    this.#hash = hash | 0;
  }

  /** The next entry with the hash; −1 after the last one. */
  next(): number {
    const slots = this.#slots;
    for (;;) {
      const entry = slots[2 * this.#at + 1]!;
      if (entry === empty) return -1;
      const found = slots[2 * this.#at]! === this.#hash;
      this.#at = (this.#at + 1) & this.#mask;
      if (found) return entry - 1;
    }
  }

  add(hash: number, entry: number): void {
    let segment = this.#segmentOf(hash);
    while (4 * (segment.count + 1) > 3 * (segment.slots.length >> 1)) {
      if (segment.slots.length >> 1 < segmentSlots || segment.depth >= maxDepth) enlarge(segment);
      else this.#split(segment, hash);
      segment = this.#segmentOf(hash);
    }
    const probes = insert(segment, hash | 0, entry + 1);
    if (probes > maxProbes && segment.slots.length >> 1 < maxSlots) enlarge(segment);
  }

  remove(hash: number, entry: number): void {
    const segment = this.#segmentOf(hash);
    const mask = (segment.slots.length >> 1) - 1;
    let at = hash & mask;
    while (segment.slots[2 * at + 1] !== entry + 1) {
      if (segment.slots[2 * at + 1] === empty) return;
      at = (at + 1) & mask;
    }
    closeGap(segment.slots, mask, at);
    segment.count -= 1;
  }

  #segmentOf(hash: number): Segment {
    return this.#directory[placeOf(hash, this.#depth)]!;
  }

  #split(segment: Segment, hash: number): void {
    if (segment.depth === this.#depth) {
      const directory = this.#directory;
      this.#directory = Array.from({ length: 2 * directory.length }, (_, i) => directory[i >> 1]!);
      this.#depth += 1;
    }
    const depth = segment.depth + 1;
    const halves = [new Segment(depth, segmentSlots), new Segment(depth, segmentSlots)] as const;
    for (let i = 0; i < segment.slots.length; i += 2) {
      const entry = segment.slots[i + 1]!;
      if (entry === empty) continue;
      const slotHash = segment.slots[i]!;
      insert(halves[(slotHash >>> (32 - depth)) & 1]!, slotHash, entry);
    }
    const span = 1 << (this.#depth - segment.depth);
    const from = placeOf(hash, segment.depth) * span;
    for (let i = 0; i < span; i++) this.#directory[from + i] = halves[2 * i < span ? 0 : 1]!;
  }
}

/** The first `depth` bits of a hash. In two steps, because a shift by 32 bits is none. */
function placeOf(hash: number, depth: number): number {
  return (hash >>> 1) >>> (31 - depth);
}

/** Returns the number of probed slots. */
function insert(segment: Segment, hash: number, entry: number): number {
  const mask = (segment.slots.length >> 1) - 1;
  let at = hash & mask;
  let probes = 1;
  for (; segment.slots[2 * at + 1] !== empty; probes++) at = (at + 1) & mask;
  segment.slots[2 * at] = hash;
  segment.slots[2 * at + 1] = entry;
  segment.count += 1;
  return probes;
}

/** Doubles a segment; one of several takes its full size at once. */
function enlarge(segment: Segment): void {
  const old = segment.slots;
  const isReserved = segment.depth > 0 && old.length < 2 * segmentSlots;
  segment.slots = new Int32Array(isReserved ? 2 * segmentSlots : old.length * 2);
  segment.count = 0;
  for (let i = 0; i < old.length; i += 2) if (old[i + 1] !== empty) insert(segment, old[i]!, old[i + 1]!);
}

/** Moves later entries of the probe run back, so that searches need no tombstones. */
function closeGap(slots: Int32Array, mask: number, gap: number): void {
  let free = gap;
  let at = gap;
  for (;;) {
    at = (at + 1) & mask;
    if (slots[2 * at + 1] === empty) break;
    const home = slots[2 * at]! & mask;
    if (((at - home) & mask) < ((at - free) & mask)) continue;
    slots[2 * free] = slots[2 * at]!;
    slots[2 * free + 1] = slots[2 * at + 1]!;
    free = at;
  }
  slots[2 * free] = 0;
  slots[2 * free + 1] = empty;
}
