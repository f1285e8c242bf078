import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { canonical } from '../../verifier/src/canonical.ts';
import { EpochVerification, verifyEpoch } from '../../verifier/src/verify.ts';
import { scaled } from '../jackpot/checks/scale.ts';
import { contribution, running } from '../jackpot/support/commands.ts';
import { threePots } from '../jackpot/support/configurations.ts';
import { PublishingLane } from './support/epochs.ts';

const often = threePots({}, { pot_types: [{ HitRate: { max_magic_number: 9, cost_per_attempt: '0.1' } }] });

type Page = Readonly<Record<string, unknown>>;
/** `npm run checks` changes every bit; `npm test` one of so many, and others in each run outside of CI. */
const strideOfBits = Math.ceil(7 / scaled(1, 7));
const firstBit = process.env.CI ? 0 : randomInt(strideOfBits);

let whole: unknown;
let pages: readonly Page[];
let ofAnotherEpoch: readonly Page[];

beforeAll(() => {
  const lane = new PublishingLane(12);
  lane.apply(...running(often));
  for (let message = 0; message < 13; message += 1)
    lane.apply(...Array.from({ length: 2 }, (_, index) => contribution({ player: `p${index}` })));
  const limit = { textBytes: 100_000, records: 3 };
  const published = lane.pages(limit) as readonly (readonly Page[])[];
  whole = lane.published()[0];
  [pages, ofAnotherEpoch] = [published[0]!, published[1]!];
});

const failureOf = (json: unknown) => verifyEpoch(json, nodeHashing).failure;
/** A page as …?page= answers it. */
const answered = (page: Page) => ({ instance_id: 'jackpot', epoch: 0, ...page });

describe('an epoch of several pages', () => {
  it('says what the epoch on one page says', () => {
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(verifyEpoch(pages, nodeHashing)).toEqual(verifyEpoch(whole, nodeHashing));
    expect(failureOf(pages)).toBeNull();
  });

  it('is verified page by page, as it is answered', () => {
    const verification = new EpochVerification(nodeHashing);
    expect(verification.missing).toBe(0);
    const missing = pages.map((page, index) => {
      verification.take(index === 0 ? page : answered(page));
      return verification.missing;
    });
    expect(missing).toEqual(pages.map((_, index) => pages.length - 1 - index));
    expect(verification.report().failure).toBeNull();
  });

  it.each([
    ['without its last page', () => pages.slice(0, -1)],
    ['without one between', () => [pages[0]!, ...pages.slice(2)]],
    ['without the first one', () => pages.slice(1)],
    ['of the first one alone', () => pages[0]],
    ['with a page twice', () => [pages[0]!, pages[1]!, ...pages.slice(1)]],
    ['with a page too many', () => [...pages, { ...pages.at(-1)!, page: pages.length }]],
    ['in another order', () => [pages[0]!, ...pages.slice(1).reverse()]],
    ['with a page of another epoch', () => [pages[0]!, ofAnotherEpoch[1]!, ...pages.slice(2)]],
    [
      'with an answer for another epoch',
      () => [pages[0]!, { ...answered(pages[1]!), epoch: 1 }, ...pages.slice(2)],
    ],
    [
      'that says of another number of pages',
      () => [{ ...pages[0]!, pages: pages.length + 1 }, ...pages.slice(1)],
    ],
    [
      'that has an empty page',
      () => [
        { ...pages[0]!, pages: pages.length + 1 },
        ...pages.slice(1),
        { v: 1, page: pages.length, groups: [] },
      ],
    ],
    ['that says that it has one', () => ({ ...(whole as Page), pages: 1 })],
    ['that has none', () => []],
  ])('%s is rejected', (_, json) => {
    expect(failureOf(json())).not.toBeNull();
  });

  it('holds as far as the pages before a fault', () => {
    const report = verifyEpoch(pages.slice(0, -1), nodeHashing);
    expect(report.failure).toMatchObject({
      check: 'document',
      message: expect.stringContaining('is not there'),
    });
    const states = new Map(report.checks.map(({ id, state }) => [id, state]));
    expect([states.get('commit'), states.get('closing')]).toEqual(['verified', 'not-checked']);
  });

  it('is rejected for one changed bit of a further page, wherever it is', () => {
    const original = canonical(pages);
    const bytes = Buffer.from(JSON.stringify(pages[1]), 'latin1');
    const accepted: number[] = [];
    for (let bit = firstBit; bit < bytes.length * 8; bit += strideOfBits) {
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      const changed = parsed(bytes.toString('latin1'));
      bytes[bit >> 3]! ^= 1 << (bit & 7);
      if (changed === null) continue;
      const json = [pages[0], changed, ...pages.slice(2)];
      if (failureOf(json) === null && canonical(json) !== original) accepted.push(bit);
    }
    expect(accepted).toEqual([]);
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
