import type { Split } from './split.ts';

const SLOTS = 64;

/** The last splits of an instance, by amount and pots: contributions of one instance repeat a few amounts. */
export class SplitMemo {
  readonly #slots: (Split | undefined)[] = [];

  find(high: number, low: number, mask: number): Split | undefined {
    const found = this.#slots[slotOf(low, mask)];
    return found !== undefined && found.low === low && found.high === high && found.mask === mask
      ? found
      : undefined;
  }

  remember(split: Split): void {
    this.#slots[slotOf(split.low, split.mask)] = split;
  }

  clear(): void {
    this.#slots.length = 0;
  }
}

function slotOf(low: number, mask: number): number {
  return (Math.imul(low ^ mask, 0x9e3779b1) >>> 26) & (SLOTS - 1);
}
