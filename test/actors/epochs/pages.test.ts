import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EpochPages } from '../../../src/actors/epochs/pages.ts';
import type { DrawGroup } from '../../../src/jackpot/state/lane/recorder.ts';
import { pagesOf } from '../../support/published-epoch.ts';

const header = JSON.stringify({ v: 'JPD1', config_hash: 'aa' });
const next = JSON.stringify({ prev_head: 'bb', first_seq: 9, config_hash: 'aa', config: {} });
const epoch = { header, seed: new Uint8Array(32), next };

/** An event, or a message of so many contributions without a pot. */
function group(firstSequence: number, records: number): DrawGroup {
  const bytes = new Uint8Array(29 * records);
  return {
    instance: 'jackpot',
    epoch: 0,
    firstSequence,
    inputs: new Uint8Array(40 * records),
    bytes,
    records: Array.from({ length: records }, (_, index) => ({
      sequence: firstSequence + index,
      timestampMs: 1,
      contributionAtoms: 1n,
      wagerAtoms: 0n,
      playerAtoms: 1n,
      isConverted: false,
      isPricedBefore: false,
      inputIndex: index,
      seedAtoms: [],
      offset: 29 * index,
    })),
    details: [],
    head: new Uint8Array(32),
  };
}

interface Page {
  readonly v: number;
  readonly page?: number;
  readonly pages?: number;
  readonly groups: readonly { readonly first_seq: number; readonly records: readonly unknown[] }[];
}

describe('the pages of an epoch', () => {
  it('are one document where it fits, as without pages', () => {
    const [text, ...others] = pagesOf(epoch, [group(1, 2)], { textBytes: 10_000, records: 2 });
    expect(others).toEqual([]);
    expect(Object.keys(JSON.parse(text!))).toEqual(['v', 'header', 'seed', 'groups', 'closing']);
    expect(text).toMatch(/^\{"v":1,"header":/);
  });

  it('hold all groups, whole and in order, within the limit', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 40 });
    const limits = fc.record({
      textBytes: fc.integer({ min: 1, max: 60_000 }),
      records: fc.integer({ min: 1, max: 400 }),
    });
    fc.assert(
      fc.property(sizes, limits, (records, limit) => {
        let sequence = 1;
        const groups = records.map((count) => {
          sequence += count;
          return group(sequence - count, count);
        });
        const [whole] = pagesOf(epoch, groups);
        const texts = pagesOf(epoch, groups, limit);
        const pages = texts.map((text) => JSON.parse(text) as Page);
        const { pages: count, ...joined } = { ...pages[0]!, groups: pages.flatMap((each) => each.groups) };
        expect(joined).toEqual(JSON.parse(whole!));
        expect(count).toBe(pages.length > 1 ? pages.length : undefined);
        pages.slice(1).forEach((each, index) => {
          expect(Object.keys(each)).toEqual(['v', 'page', 'groups']);
          expect(each.page).toBe(index + 1);
        });
        for (const each of pages) {
          if (each.groups.length <= 1) continue;
          const recordCount = each.groups.reduce((total, one) => total + one.records.length, 0);
          expect(recordCount).toBeLessThanOrEqual(limit.records);
          const textBytes = each.groups.reduce((total, one) => total + JSON.stringify(one).length, 0);
          expect(textBytes).toBeLessThanOrEqual(limit.textBytes);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('give way while a message of many contributions is written', () => {
    const pages = new EpochPages(header, { textBytes: 1, records: 1 });
    const pieces = [...pages.write(group(1, 256))];
    expect(pieces.length).toBeGreaterThanOrEqual(4);
    expect(Math.max(...pieces)).toBeLessThanOrEqual(64);
    expect(pieces.reduce((total, records) => total + records, 0)).toBe(256);
  });

  it('are handed out as they fill, the first one at the end', () => {
    const pages = new EpochPages(header, { textBytes: 1, records: 1 });
    const full = [1, 2, 3, 4].map((sequence) => {
      for (const _ of pages.write(group(sequence, 1)));
      return pages.drainFull()?.page ?? null;
    });
    expect(full).toEqual([null, null, 1, 2]);
    expect(pages.end(epoch.seed, next).map(({ page }) => page)).toEqual([3, 0]);
  });
});
