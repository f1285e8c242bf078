/** Sets of an instance's contributors: bit i % 32 of word i / 32 is the one with ordinal i + 1. */
export function wordsFor(contributors: number): number {
  return Math.ceil(contributors / 32);
}

/** Whether an ordinal is in the set. */
export function has(set: Uint32Array, ordinal: number): boolean {
  return ((set[(ordinal - 1) >>> 5]! >>> ((ordinal - 1) & 31)) & 1) === 1;
}

/** Adds an ordinal. */
export function addTo(set: Uint32Array, ordinal: number): void {
  set[(ordinal - 1) >>> 5] = set[(ordinal - 1) >>> 5]! | (1 << ((ordinal - 1) & 31));
}

/** Takes an ordinal out. */
export function removeFrom(set: Uint32Array, ordinal: number): void {
  set[(ordinal - 1) >>> 5] = set[(ordinal - 1) >>> 5]! & ~(1 << ((ordinal - 1) & 31));
}

/** How many bits of a word are set. */
export function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Number of the lowest bit of a word that is not zero. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
