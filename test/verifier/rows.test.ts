import { describe, expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { rows } from './support/rows.ts';

describe('honest epochs that hold what is rare', () => {
  it.each(rows())('are verified in a row, and each alone: $name', ({ lane, shows }) => {
    const published = lane.published();
    const followed = new Followed();
    for (const [epoch, each] of published.entries()) {
      const nextHeader = lane.header(epoch + 1);
      expect(verifyEpoch(each, nodeHashing, { followed, nextHeader }).failure, `epoch ${epoch}`).toBeNull();
      expect(verifyEpoch(each, nodeHashing).failure, `epoch ${epoch} alone`).toBeNull();
    }
    const text = JSON.stringify(published);
    for (const each of shows) expect(text).toMatch(each);
  });

  it('are verified in pages of a group each', () => {
    for (const { lane, name } of rows()) {
      const followed = new Followed();
      for (const pages of lane.pages({ textBytes: 1, records: 1 }))
        expect(verifyEpoch(pages, nodeHashing, { followed }).failure, name).toBeNull();
    }
  });
});
