import { expect, it } from 'vitest';
import { type Applied, compareLedgers, faultLines, type Sent } from './check/ledger.ts';

const keyOf = (operator: string, key: string): string => `${operator}/${key}`;
const clean = { lost: [], doubled: [], changed: [], wrongAmounts: [], strangers: [] };

function sentOf(key: string, ...answers: readonly (readonly [contributionId: string, text: string])[]): Sent {
  return {
    operator: 'one',
    key,
    wagerAtoms: 100n,
    contributionAtoms: 1n,
    answers: answers.map(([contributionId, text]) => ({ contributionId, text })),
  };
}

function appliedOf(key: string, contributionId: string, change: Partial<Applied> = {}): Applied {
  return { key: keyOf('one', key), contributionId, wagerAtoms: 100n, contributionAtoms: 1n, ...change };
}

it('finds nothing where every answer is in the log once, and what nobody answered is there or not', () => {
  const sent = [sentOf('a', ['1', 'x'], ['1', 'x']), sentOf('b'), sentOf('c')];
  expect(compareLedgers(sent, [appliedOf('a', '1'), appliedOf('b', '2')], keyOf)).toEqual(clean);
  expect(faultLines(clean)).toEqual([]);
});

it.each<[string, readonly Sent[], readonly Applied[], object]>([
  ['an acknowledged one that is lost', [sentOf('a', ['1', 'x'])], [], { lost: ['a'] }],
  [
    'one that is applied twice',
    [sentOf('a', ['1', 'x'])],
    [appliedOf('a', '1'), appliedOf('a', '1')],
    { doubled: ['a'] },
  ],
  [
    'one that nobody answered, applied twice',
    [sentOf('a')],
    [appliedOf('a', '1'), appliedOf('a', '2')],
    { doubled: ['a'] },
  ],
  [
    'repeats with other headers',
    [sentOf('a', ['1', 'x'], ['1', 'y'])],
    [appliedOf('a', '1')],
    { changed: ['a'] },
  ],
  [
    'an answer that names another contribution',
    [sentOf('a', ['2', 'x'])],
    [appliedOf('a', '1')],
    { changed: ['a'] },
  ],
  [
    'another wager',
    [sentOf('a', ['1', 'x'])],
    [appliedOf('a', '1', { wagerAtoms: 101n })],
    { wrongAmounts: ['a'] },
  ],
  [
    'another contribution to the pots',
    [sentOf('a', ['1', 'x'])],
    [appliedOf('a', '1', { contributionAtoms: 2n })],
    { wrongAmounts: ['a'] },
  ],
  ['one that nobody sent', [], [appliedOf('a', '1')], { strangers: ['one/a'] }],
  [
    'the key of another operator',
    [sentOf('a', ['1', 'x'])],
    [{ ...appliedOf('a', '1'), key: 'other/a' }],
    { lost: ['a'], strangers: ['other/a'] },
  ],
])('finds %s', (_, sent, applied, faults) => {
  const found = compareLedgers(sent, applied, keyOf);
  expect(found).toEqual({ ...clean, ...faults });
  expect(faultLines(found)).toHaveLength(Object.keys(faults).length);
});
