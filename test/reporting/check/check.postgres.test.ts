import { expect, test } from 'vitest';
import { checkBooks, compareAccounts } from '../../../src/reporting/check/check.ts';
import { type Finding, findingText } from '../../../src/reporting/check/finding.ts';
import { balancesAt } from '../../../src/reporting/store/questions/balances.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { onEachDatabase } from '../support/places.ts';
import { dayOf, fillSmallBooks } from '../support/small-books.ts';

const days = 4;
const last = dayOf((days - 1) * 2);
const all = { from: null, to: last };

onEachDatabase((books) => {
  test('books of many days agree, as a whole and from any day on', async () => {
    const store = await filled();
    expect(await findingsOf(store)).toEqual([]);
    for (let from = 0; from < days * 2; from += 1)
      expect(await findingsOf(store, { from: dayOf(from), to: last })).toEqual([]);
    expect((await balancesAt(store, 'first', last)).get('adjustment')).toBe(-794n);
  });

  test('a year of days agrees', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 183);
    expect(await findingsOf(store, { from: null, to: dayOf(364) })).toEqual([]);
    expect((await balancesAt(store, 'second', dayOf(364))).get('house')).toBe(500n + 183n * 161n);
  });

  test('the newest balances are those of the lane, or each other one is named', async () => {
    const store = await filled();
    const accounts = await balancesAt(store, 'first', last);
    expect(compareAccounts('first', accounts, accounts)).toEqual([]);
    const other = new Map([...accounts, ['house', 1n], ['mini.current', 2n]]);
    other.delete('adjustment');
    expect(
      compareAccounts('first', accounts, other).map(({ account, expected }) => [account, expected]),
    ).toEqual([
      ['adjustment', '0'],
      ['house', '0.00000001'],
      ['mini.current', '0.00000002'],
    ]);
  });

  const cases: readonly {
    readonly planted: string;
    readonly change: (table: (name: string) => string) => string;
    readonly found: readonly Partial<Finding>[];
  }[] = [
    {
      planted: 'a missing contribution',
      change: (table) =>
        `DELETE FROM ${table('contributions')} WHERE instance = 'first' AND sequence = 2 AND command_index = 4`,
      found: [
        { table: 'daily_balances', account: 'player', what: 'movement' },
        { table: 'daily_balances', account: 'operator_capital' },
        { table: 'daily_balances', account: 'house', expected: '0.00000131', found: '0.00000161' },
        { table: 'daily_balances', account: 'mega.seed' },
        { table: 'daily_balances', account: 'mega.current' },
        { table: 'daily_totals', what: 'contributions of o of o:b', expected: '4', found: '5' },
      ],
    },
    {
      planted: 'a wrong amount in a contribution',
      change: (table) =>
        `UPDATE ${table('contributions')} SET player_part = operator_part WHERE instance = 'first' AND sequence = 2 AND command_index = 0`,
      found: [{ table: 'daily_totals', what: 'player_part of o of o:b' }],
    },
    {
      planted: 'a wrong split of an entry',
      change: (table) =>
        `UPDATE ${table('entries')} SET split = '{"house":"1","adjustment":"-0.00000011"}' WHERE instance = 'first' AND sequence = 2 AND kind = 'AdjustPot'`,
      found: [
        {
          table: 'entries',
          what: 'the sum of the postings of row 0/2/18/0',
          expected: '0',
          found: '0.99999989',
        },
        { table: 'daily_balances', account: 'house', what: 'movement' },
      ],
    },
    {
      planted: 'a missing entry',
      change: (table) =>
        `DELETE FROM ${table('entries')} WHERE instance = 'first' AND sequence = 2 AND kind = 'AdjustPot'`,
      found: [
        { table: 'daily_balances', account: 'house', what: 'movement' },
        {
          table: 'daily_balances',
          account: 'adjustment',
          what: 'movement',
          expected: '0',
          found: '-0.00000011',
        },
        { table: 'daily_totals', what: 'adjusted of all owners', expected: '0', found: '0.00000011' },
      ],
    },
    {
      planted: 'a missing win',
      change: (table) => `DELETE FROM ${table('wins')} WHERE instance = 'first' AND sequence = 2`,
      found: [
        { table: 'daily_totals', what: 'wins of o of o:b', expected: '0', found: '1' },
        { table: 'daily_totals', what: 'won of mega of o of o:b' },
      ],
    },
    {
      planted: 'a wrong closing balance',
      change: (table) =>
        `UPDATE ${table('daily_balances')} SET closing = opening WHERE instance = 'first' AND account = 'house' AND day = '${dayOf(2)}'`,
      found: [{ table: 'daily_balances', account: 'house', day: dayOf(2), what: 'closing' }],
    },
    {
      planted: 'a wrong opening balance',
      change: (table) =>
        `UPDATE ${table('daily_balances')} SET opening = movement WHERE instance = 'first' AND account = 'house' AND day = '${dayOf(2)}'`,
      found: [{ table: 'daily_balances', account: 'house', day: dayOf(2), what: 'opening' }],
    },
    {
      planted: 'a missing balance',
      change: (table) =>
        `DELETE FROM ${table('daily_balances')} WHERE instance = 'first' AND account = 'house' AND day = '${dayOf(2)}'`,
      found: [
        { table: 'daily_balances', account: 'house', day: dayOf(2), what: 'the movement without a row' },
      ],
    },
    {
      planted: 'a wrong total',
      change: (table) =>
        `UPDATE ${table('daily_totals')} SET won = wagered WHERE instance = 'first' AND day = '${dayOf(2)}' AND pot = '' AND brand = 'o:b'`,
      found: [{ table: 'daily_totals', what: 'won of o of o:b', expected: '0.0000009', found: '0.00005' }],
    },
    {
      planted: 'a missing total',
      change: (table) =>
        `DELETE FROM ${table('daily_totals')} WHERE instance = 'first' AND day = '${dayOf(2)}' AND pot = 'mega'`,
      found: [{ table: 'daily_totals', what: 'contributed of mega of o of o:b', found: '0' }],
    },
  ];

  test.each(cases)('$planted is found and named', async ({ change, found }) => {
    const store = await filled();
    await store.select(`${change((name) => `${store.prefix}${name}`)} RETURNING 1`, []);
    const findings = await findingsOf(store);
    const where = findings.map(({ instance, day }) => `${instance} ${day}`);
    expect([...new Set(where)]).toEqual([`first ${dayOf(2)}`]);
    for (const finding of found) expect(findings).toContainEqual(expect.objectContaining(finding));
    // Another day has none of them.
    expect(await findingsOf(store, { from: null, to: dayOf(0) })).toEqual([]);
  });

  async function filled(): Promise<BooksStore> {
    const store = await books.open();
    await fillSmallBooks(store, days);
    return store;
  }
});

test('a finding reads as one line', () => {
  const finding: Finding = {
    ...{ table: 'daily_balances', instance: 'mega-jackpot', account: 'house', day: '2026-11-28' },
    ...{ what: 'closing', expected: '1.5', found: '1.4' },
  };
  expect(findingText(finding)).toBe(
    'daily_balances of mega-jackpot, house, 2026-11-28: closing is 1.4, expected 1.5',
  );
});

async function findingsOf(
  store: BooksStore,
  checked: Parameters<typeof checkBooks>[1] = all,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of checkBooks(store, checked)) findings.push(finding);
  return findings;
}
