import { expect, test } from 'vitest';
import { callbackEventId } from '../../../src/contracts/payments/event-id.ts';
import type { BooksCondition } from '../../../src/contracts/reports/conditions.ts';
import {
  type BooksAnswer,
  type BooksQuestion,
  decodeBooksAnswer,
  decodeBooksQuestion,
  encodeBooksAnswer,
  encodeBooksQuestion,
  maxAnswerBytes,
} from '../../../src/contracts/reports/questions.ts';
import { formatAmount } from '../../../src/lib/money.ts';
import { answerBooks } from '../../../src/reporting/answers/answer.ts';
import { dayAt } from '../../../src/reporting/base/days.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { contribution, running } from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { batchTo, noon, rowWith } from '../support/batches.ts';
import { ProjectedLane, testSystem } from '../support/booked-lane.ts';
import { onEachDatabase, type TestBooks } from '../support/places.ts';

/** As it travels. */
async function ask(store: BooksStore, question: BooksQuestion): Promise<BooksAnswer> {
  const asked = decodeBooksQuestion(encodeBooksQuestion(question));
  if (asked === null || asked.kind === 'at') throw new Error('the question was lost');
  const bytes = encodeBooksAnswer(await answerBooks(store, asked));
  expect(bytes.length).toBeLessThanOrEqual(maxAnswerBytes);
  const answer = decodeBooksAnswer(bytes);
  if (answer === null) throw new Error('the answer was lost');
  return answer;
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the body says.
async function body(store: BooksStore, question: BooksQuestion): Promise<any> {
  const answer = await ask(store, question);
  expect(answer.kind).toBe('found');
  return JSON.parse(answer.body);
}

const list = { kind: 'list', where: [], direction: 1, cursor: null, limit: 500, counts: true } as const;
const daily = { kind: 'daily', cursor: null, limit: 500, countsPlayers: true } as const;
const is = (column: string, value: string): BooksCondition => ({ column, is: '=', value });

/** Two contributions of p1 and p2 to a pot that is always hit, as the engine booked them. */
async function played(books: TestBooks) {
  const store = await books.open(undefined, testSystem);
  const lane = new ProjectedLane();
  const seed_strategy = { initial_seed_value: '0', min_reseed_value: '0.25', reseed_strategy: 'Minimum' };
  const payout_ruleset = { main_winner_percentage: '0.9', admin_fee: '0.1' };
  lane.apply(...running(onePot({ pot_types: [sureHit], payout_ruleset, seed_strategy })));
  lane.apply(contribution({ player: 'p1', contributionId: new Uint8Array(16).fill(1) }));
  lane.apply(contribution({ player: 'p2', contributionId: new Uint8Array(16).fill(2) }));
  for (const batch of lane.batches) await store.write(batch);
  return { store, lane, rows: lane.rows('contributions') };
}

onEachDatabase((books) => {
  test('an explanation leads from the wager to what was paid', async () => {
    const { store, rows } = await played(books);
    const [first, second] = rows;
    const of = (id: string, where: BooksCondition[] = []) => ask(store, { kind: 'contribution', id, where });
    const found = await of(second!.contribution_id, [is('brand', second!.brand)]);
    if (found.kind !== 'found') throw new Error(found.kind);
    expect(found.draws).toEqual([{ instance_id: 'jackpot', epoch: 0, sequence: second!.instance_sequence }]);
    const { contributions, wins, entries, payments } = JSON.parse(found.body);
    expect(contributions).toHaveLength(1);
    expect(contributions[0]).toMatchObject({
      ...{ contribution_id: second!.contribution_id, player_id: 'p2', win_pot_id: 'main' },
      rules: { pots: [{ id: 'main' }] },
    });
    // What went where sums to 0, and is what was posted.
    const shares: readonly { pot_id: string | null; account: string; amount: number }[] =
      contributions[0].shares;
    expect(shares.reduce((sum, { amount }) => sum + amount, 0)).toBeCloseTo(0, 8);
    expect(Object.fromEntries(shares.map((each) => [nameOf(each), String(each.amount)]))).toEqual(
      contributions[0].postings,
    );
    expect(wins).toMatchObject([{ kind: 'main', player_id: 'p2', pot_id: 'main' }]);
    expect(entries).toMatchObject([{ phase: 'win', kind: 'Contribute', instance_id: 'jackpot' }]);
    expect(entries[0].postings.operator_fee).toBeDefined();
    expect(payments).toEqual([]);
    // Another's, and one that there is not.
    expect((await of(first!.contribution_id, [is('brand', 'op:other')])).kind).toBe('missing');
    expect((await of('00000000-0000-4000-8000-000000000000')).kind).toBe('missing');
  });

  test('a debit that was refused is explained by its payment', async () => {
    const store = await books.open();
    const payment = { transaction_id: 't', kind: 'debit', contribution_id: 'c', brand: 'o:b', operator: 'o' };
    const change = { transaction_id: 't', kind: 'debit', brand: 'o:b', operator: 'o' };
    await store.write(
      batchTo(1, -1, {
        rows: {
          payments: [rowWith('payments', { ...payment, state: 'refused', closed: noon })],
          payment_changes: [
            rowWith('payment_changes', { ...change, part: 0, state: 'pending' }),
            rowWith('payment_changes', { ...change, part: 1, state_before: 'pending', state: 'refused' }),
          ],
        },
      }),
    );
    const found = await body(store, { kind: 'contribution', id: 'c', where: [is('brand', 'o:b')] });
    expect(found.contributions).toEqual([]);
    expect(found.payments).toMatchObject([
      { state: 'refused', changes: [{ state: 'pending' }, { state_before: 'pending', state: 'refused' }] },
    ]);
    const has = (id: string, brand: string) => ask(store, { kind: 'has', id, where: [is('brand', brand)] });
    expect([(await has('c', 'o:b')).kind, (await has('c', 'o:a')).kind]).toEqual(['found', 'missing']);
  });

  test('each try of a payment, alone or in its batch, and of a callback, is in the explanation', async () => {
    const { store, rows } = await played(books);
    const [{ contribution_id: id, brand } = rows[0]!] = rows;
    const { position, ...batch } = batchTo(99, (await store.position(0))!.sequence);
    const payment = rowWith('payments', {
      ...{ transaction_id: 'credit', batch_id: 'batch', contribution_id: id, kind: 'main', state: 'settled' },
      brand,
    });
    await store.write({
      ...batch,
      position: { ...position, systemId: testSystem },
      rows: { payments: [payment] },
    });
    const tried = (number: number, given: object) =>
      rowWith('wallet_tries', { process: 'p', number, time: noon + number, result: 'unknown', ...given });
    await store.writeStream({
      ...{ stream: 'TRIES', after: -1, position: { sequence: 1, timestampMs: noon, systemId: testSystem } },
      rows: {
        wallet_tries: [
          tried(1, { call: 'W4', batch_id: 'batch' }),
          tried(2, { call: 'W3', transaction_id: 'credit', result: 'accepted', status: 200 }),
          tried(3, { call: 'W3', transaction_id: 'other' }),
        ],
        callback_tries: [
          rowWith('callback_tries', {
            process: 'p',
            number: 9,
            event_id: callbackEventId(id),
            is_final: true,
          }),
          rowWith('callback_tries', { process: 'p', number: 10, event_id: callbackEventId('other') }),
        ],
      },
    });
    const { payments, callbacks } = await body(store, { kind: 'contribution', id, where: [] });
    expect(payments[0].tries).toMatchObject([
      { call: 'W3', result: 'accepted', status: 200 },
      { call: 'W4', result: 'unknown', status: null },
    ]);
    expect(callbacks).toMatchObject([{ event_id: callbackEventId(id), is_final: true }]);
  });

  test('significant events of all kinds come in one order, page by page, and by kind', async () => {
    const store = await books.open();
    const of = { operator: 'o', brand: 'o:b', instance: 'i' };
    const at = (index: number) => ({ sequence: 1, command_index: index, time: noon + index });
    const wins = Array.from({ length: 9 }, (_, index) =>
      rowWith('wins', { ...of, ...at(index * 5), kind: 'main', amount: BigInt(index) }),
    );
    const changes = ['refused', 'dead', 'applied'].flatMap((state, which) =>
      Array.from({ length: 3 }, (_, index) => {
        const place = at(index * 5 + 1 + which);
        const failed = state === 'applied' ? null : place.time;
        return rowWith('payment_changes', {
          ...of,
          ...place,
          state,
          failed,
          transaction_id: `${state}-${index}`,
        });
      }),
    );
    const others = { ...at(3), operator: 'o', instance: 'i' };
    await store.write(
      batchTo(1, -1, {
        rows: {
          ...{ wins, payment_changes: changes },
          parameter_changes: [rowWith('parameter_changes', { ...others, kind: 'SetParameters' })],
          statuses: [rowWith('statuses', { ...others, status: 'Active' })],
          entries: [
            rowWith('entries', { ...others, kind: 'AdjustPot', changed_by: 'admin', reason: 'why' }),
            rowWith('entries', { ...others, part: 1, kind: 'Contribute' }),
          ],
        },
      }),
    );
    const events = { kind: 'significant', from: null, to: null, of: null, minWin: null, where: [] } as const;
    const all = await body(store, { ...events, cursor: null, limit: 500 });
    expect(all).toHaveLength(9 + 6 + 3);
    const times = all.map((event: { timestamp: number }) => event.timestamp);
    expect(times).toEqual(times.toSorted((left: number, right: number) => right - left));
    const paged: unknown[] = [];
    let cursor: string | null = null;
    do {
      const answer: BooksAnswer = await ask(store, { ...events, cursor, limit: 4 });
      if (answer.kind !== 'found') throw new Error(answer.kind);
      expect(answer.total).toBe(cursor === null ? all.length : null);
      paged.push(...JSON.parse(answer.body));
      cursor = answer.cursor;
    } while (cursor !== null);
    expect(paged).toEqual(all);
    const count = async (given: object) => {
      const answer = await ask(store, { ...events, ...{ cursor: null, limit: 500 }, ...given });
      if (answer.kind !== 'found') throw new Error(answer.kind);
      expect(answer.total).toBe(JSON.parse(answer.body).length);
      return answer.total;
    };
    const kinds = ['win', 'void', 'failure', 'parameters', 'status', 'adjustment'];
    expect(await Promise.all(kinds.map((kind) => count({ of: kind })))).toEqual([9, 3, 3, 1, 1, 1]);
    expect(await count({ minWin: '5', of: 'win' })).toBe(4);
    expect(await count({ from: noon + 40 })).toBe(1);
    // What is no player's is not a brand's.
    expect(await count({ where: [is('brand', 'o:b')] })).toBe(15);
    expect(await count({ where: [is('operator', 'other')] })).toBe(0);
    for (const wrong of ['W10', 'x', Buffer.from('["a",null,null,null,null]').toString('base64url')])
      expect((await ask(store, { ...events, cursor: wrong, limit: 4 })).kind).toBe('bad_cursor');
  });

  test('pages of large rows end early, have each row once, and say how many there are', async () => {
    const store = await books.open();
    const split = Object.fromEntries(
      Array.from({ length: 250 }, (_, pot) => [`pot-${pot}.current`, '0.00000001']),
    );
    const rows = Array.from({ length: 700 }, (_, index) =>
      rowWith('contributions', {
        segments: [],
        sequence: 1,
        command_index: index,
        contribution_id: `id-${index}`,
        split,
      }),
    );
    await store.write(batchTo(1, -1, { rows: { contributions: rows } }));
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const answer: BooksAnswer = await ask(store, {
        ...list,
        of: 'contributions',
        cursor,
        counts: cursor === null,
      });
      if (answer.kind !== 'found') throw new Error(answer.kind);
      expect(answer.total).toBe(pages === 0 ? 700 : null);
      expect(answer.asOf).toEqual([{ lane: 0, sequence: 1, timestamp: noon + 1 }]);
      seen.push(...JSON.parse(answer.body).map((row: { contribution_id: string }) => row.contribution_id));
      cursor = answer.cursor;
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBeGreaterThan(4);
    expect(seen).toEqual(rows.map(({ contribution_id: id }) => id));
    const odd = await ask(store, { ...list, of: 'contributions', cursor: 'W10' });
    expect(odd.kind).toBe('bad_cursor');
  });

  test('a daily report has what was won, what it cost, what it should return, and what the pots hold', async () => {
    const { store, lane } = await played(books);
    const day = dayAt(lane.nowMs);
    const accounts = new Map(lane.engine.accounts('jackpot') ?? []);
    const pots = [...accounts].filter(([name]) => name.startsWith('main.'));
    const held = pots.reduce((sum, [, balance]) => sum + balance, accounts.get('win_liability') ?? 0n);
    const report = (groupBy: ('day' | 'brand' | 'instance' | 'pot')[], where: BooksCondition[] = []) =>
      body(store, { ...daily, from: day, to: day, groupBy, where });
    const [line, ...others] = await report(['instance', 'day']);
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      ...{ day, instance_id: 'jackpot', currency: 'EUR', contributions: 2, wins: 2, players: 2 },
      ...{ contributed: 2, liability: Number(formatAmount(held)), configured_return: '0.900000' },
      pot_values: Number(formatAmount(accounts.get('main.current') ?? 0n)),
    });
    expect(line.operator_cost).toBeCloseTo(line.operator_part + line.seed_fronted - line.repaid, 8);
    expect(Number(line.actual_return)).toBeCloseTo(line.won / line.contributed, 5);
    expect(await report(['brand'])).toMatchObject([
      { brand_id: 'op:main', liability: null, pot_values: null },
    ]);
    expect(await report(['pot'])).toMatchObject([{ pot_id: 'main', players: null }]);
    expect(await report([], [is('brand', 'op:main')])).toMatchObject([{ liability: null, contributions: 2 }]);
    // The day before had nothing; the one behind ends as this one did.
    const before = dayAt(lane.nowMs - 86_400_000);
    expect(await body(store, { ...daily, from: before, to: before, groupBy: [], where: [] })).toEqual([]);
  });

  test('lines of a report go on by cursor', async () => {
    const store = await books.open();
    const days = Array.from({ length: 25 }, (_, index) => dayAt(noon + index * 86_400_000));
    const dailyTotals = days.flatMap((day) =>
      ['EUR', 'SEK'].map((currency) => ({
        ...{ day, operator: 'o', brand: 'o:b', instance: currency, pot: '', currency },
        measures: { won: 1n, wins: 1n },
      })),
    );
    await store.write(batchTo(1, -1, { dailyTotals }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const asked = { ...daily, from: days[0]!, to: days.at(-1)!, groupBy: ['day' as const], where: [] };
      const answer: BooksAnswer = await ask(store, { ...asked, cursor, limit: 7 });
      if (answer.kind !== 'found') throw new Error(answer.kind);
      expect(answer.total).toBe(cursor === null ? 50 : null);
      seen.push(
        ...JSON.parse(answer.body).map(
          (each: { day: string; currency: string }) => `${each.day} ${each.currency}`,
        ),
      );
      cursor = answer.cursor;
    } while (cursor !== null);
    expect(seen).toEqual(days.flatMap((day) => [`${day} EUR`, `${day} SEK`]));
    const asked = { ...daily, from: days[0]!, to: days[0]!, groupBy: ['brand' as const], where: [] };
    expect((await ask(store, { ...asked, cursor: 'WyJhIl0' })).kind).toBe('bad_cursor');
    expect(await ask(store, asked)).toMatchObject({ kind: 'found', total: 2 });
    // None of the rows is a pot's.
    expect(await ask(store, { ...asked, groupBy: ['pot'] })).toMatchObject({ kind: 'found', total: 0 });
  });

  test('a player has totals, wins, money under way and opt-ins', async () => {
    const { store } = await played(books);
    const payment = { brand: 'op:main', player: 'p1', operator: 'op', kind: 'debit' };
    const { position, ...batch } = batchTo(99, (await store.position(0))!.sequence);
    await store.write({
      ...{ ...batch, position: { ...position, systemId: testSystem } },
      rows: {
        payments: [
          rowWith('payments', { ...payment, transaction_id: 'a', state: 'pending' }),
          rowWith('payments', { ...payment, transaction_id: 'b', state: 'settled', closed: noon }),
        ],
        tickets: [rowWith('tickets', { sequence: 99, brand: 'op:main', player: 'p1', count: 3 })],
      },
    });
    const player = await body(store, { kind: 'player', brand: 'op:main', player: 'p1' });
    expect(player).toMatchObject({
      totals: [{ instance_id: 'jackpot', contributions: 1, wins: 1 }],
      contributions: [{ player_id: 'p1' }],
      wins: [{ player_id: 'p1' }],
      open_payments: [{ transaction_id: 'a' }],
      tickets: [{ count: 3 }],
    });
    expect(player.payments).toHaveLength(2);
    const empty = await body(store, { kind: 'player', brand: 'op:other', player: 'p1' });
    expect(Object.values(empty).filter(Array.isArray)).toEqual([[], [], [], [], [], [], []]);
  });
});

function nameOf({
  pot_id: pot,
  account,
}: {
  readonly pot_id: string | null;
  readonly account: string;
}): string {
  return pot === null ? account : `${pot}.${account}`;
}
