import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';

/** One trigger's line in a draw record (docs/rules/draws.md "Records"). */
export interface Entry {
  readonly sequence: number;
  readonly contributionAtoms: bigint;
  readonly timestampMs: number;
  readonly pot: number;
  readonly trigger: number;
  readonly v0: bigint;
  readonly v1: bigint;
  readonly num: bigint;
  readonly den: bigint;
  readonly u: bigint;
  readonly flags: number;
}

const recordBytes = 29;
const entryBytes = 43;

/** All entries of a group, in order. */
export function entriesOf({ bytes }: DrawGroup): readonly Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    const record = at;
    at += recordBytes;
    for (let i = 0; i < view.getUint8(record + 28); i++, at += entryBytes) {
      const wide = (offset: number) => view.getBigUint64(at + offset);
      found.push({
        sequence: Number(view.getBigUint64(record)),
        contributionAtoms: view.getBigUint64(record + 8),
        timestampMs: Number(view.getBigUint64(record + 16)),
        pot: view.getUint8(at),
        trigger: view.getUint8(at + 1),
        v0: wide(2),
        v1: wide(10),
        num: wide(18),
        den: wide(26),
        u: wide(34),
        flags: view.getUint8(at + 42),
      });
    }
  }
  return found;
}

/** Pearson's statistic of counts against what was expected of each. */
export function chiSquare(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((sum, count, i) => sum + (count - expected[i]!) ** 2 / expected[i]!, 0);
}

/** 99 % quantiles of the chi-square distribution, by degrees of freedom. */
export const chiSquare99: Readonly<Record<number, number>> = {
  1: 6.635,
  3: 11.345,
  4: 13.277,
  7: 18.475,
  9: 21.666,
  19: 36.191,
};
