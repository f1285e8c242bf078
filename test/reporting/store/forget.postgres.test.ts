import { expect, test } from 'vitest';
import { forgottenPseudonym } from '../../../src/contracts/directory/forgotten-players.ts';
import type { ForgottenPlayers } from '../../../src/reporting/base/forgotten.ts';
import { checkBooks } from '../../../src/reporting/check/check.ts';
import { beginRebuild } from '../../../src/reporting/store/open.ts';
import { playerTotals } from '../../../src/reporting/store/questions/players.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { batchTo, noon, rowWith } from '../support/batches.ts';
import { dumpOf } from '../support/dump.ts';
import { onEachDatabase, systemId } from '../support/places.ts';
import { dayOf, fillSmallBooks } from '../support/small-books.ts';

const salt = new Uint8Array(32).fill(9);
const since = noon;

function list(...players: readonly (readonly [brand: string, player: string])[]): ForgottenPlayers {
  return {
    salt,
    players: players.map(([brand, player]) => ({
      ...{ brand, since },
      pseudonym: forgottenPseudonym(salt, brand, player),
    })),
  };
}

/** A message of two players of one id, of two brands, in every table that has players. */
function batchOf(sequence: number, after: number) {
  const at = (command_index: number) => ({ sequence, command_index });
  const brands = ['o:b', 'o:c'];
  const each = <R>(make: (brand: string, index: number) => R): R[] => brands.map(make);
  const player = 'ada';
  return batchTo(sequence, after, {
    rows: {
      contributions: each((brand, index) => rowWith('contributions', { ...at(index), brand, player })),
      wins: each((brand, index) =>
        rowWith('wins', { ...at(index), brand, player, event_metadata: '{"nickname":"Ada L."}' }),
      ),
      payments: each((brand) =>
        rowWith('payments', { transaction_id: `${brand} ${sequence}`, sequence, brand, player }),
      ),
      payment_changes: each((brand, index) => rowWith('payment_changes', { ...at(index), brand, player })),
      entries: each((brand, index) => rowWith('entries', { ...at(index), brand, player })),
      opt_ins: each((brand) => rowWith('opt_ins', { instance: 'i', sequence, brand, player })),
      opt_in_changes: each((brand, index) => rowWith('opt_in_changes', { ...at(index), brand, player })),
      tickets: each((brand, index) => rowWith('tickets', { ...at(index), brand, player })),
    },
    players: each((brand) => ({
      ...{ day: dayOf(0), operator: 'o', brand, player, instance: 'i', currency: 'EUR' },
      ...{ contributions: 1, contributedAtoms: 5n, playerAtoms: 3n, wins: 1, wonAtoms: 7n },
    })),
  });
}

onEachDatabase((books) => {
  test('are replaced in every table, and in all that comes; the other brand keeps its own', async () => {
    const place = await books.place();
    const store = await books.open(place);
    const other = await books.open(place);
    await store.write(batchOf(1, -1));
    const before = await dumpOf(store);
    const forgotten = list(['o:b', 'ada'], ['o:b', 'nobody']);
    const { pseudonym } = forgotten.players[0]!;
    expect(await store.forget(forgotten)).toHaveLength(2);
    expect(await store.forget(forgotten)).toEqual([]);
    // Another process, which knew nothing of it.
    await other.write(batchOf(2, 1));
    await store.write(batchOf(3, 2));

    const dump = await dumpOf(store);
    const ofOther = (rows: readonly string[] = []) => rows.filter((row) => row.includes('"o:c"'));
    for (const [name, rows] of Object.entries(dump)) {
      const own = rows.filter((row) => row.includes('"o:b"'));
      expect([name, own.filter((row) => /"ada"|Ada L/.test(row))]).toEqual([name, []]);
      for (const row of ofOther(before[name]).filter(() => !/payments|opt_ins|daily/.test(name)))
        expect(rows).toContain(row);
    }
    expect(dump.contributions!.filter((row) => row.includes(pseudonym))).toHaveLength(3);
    expect(dump.opt_ins).toHaveLength(2);
    expect(dump.daily_players).toHaveLength(2);
    const totals = await playerTotals(store, 'o:b', pseudonym, null, null);
    expect(totals.map(({ sums }) => sums)).toMatchObject([{ contributions: 3n, won: 21n }]);
    expect(await playerTotals(store, 'o:b', 'ada', null, null)).toEqual([]);
    expect(await playerTotals(store, 'o:c', 'ada', null, null)).toHaveLength(1);
  });

  test('books that are made anew, or restored without the list, have the same rows', async () => {
    const place = await books.place();
    const store = await books.open(place);
    const forgotten = list(['o:b', 'ada']);
    await store.write(batchOf(1, -1));
    await store.forget(forgotten);
    await store.write(batchOf(2, 1));
    const rebuild = await beginRebuild(place, systemId);
    await rebuild.store.forget(forgotten);
    for (const batch of [batchOf(1, -1), batchOf(2, 1)]) await rebuild.store.write(batch);
    expect(await dumpOf(rebuild.store)).toEqual(await dumpOf(store));
    await rebuild.store.close();

    const restored = await books.open(await books.place());
    for (const batch of [batchOf(1, -1), batchOf(2, 1)]) await restored.write(batch);
    await restored.forget(forgotten);
    expect(await dumpOf(restored)).toEqual(await dumpOf(store));
  });

  test('the books still agree, and have as many players', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 3);
    const players = (await dumpOf(store)).contributions!.map((row) => playerIn(row));
    await store.forget(list(['o:b', 'p1'], ['o:b', 'p3']));
    const now = (await dumpOf(store)).contributions!.map((row) => playerIn(row));
    expect(new Set(now).size).toBe(new Set(players).size);
    expect(now).not.toContain('p1');
    expect(now).toContain('p2');
    for await (const finding of checkBooks(store, { from: null, to: dayOf(4) })) expect(finding).toBeNull();
  });

  test('nobody slips through while it is done', async () => {
    const place = await books.place();
    const stores: BooksStore[] = [await books.open(place), await books.open(place), await books.open(place)];
    const lanes = [0, 1].map(async (lane) => {
      for (let sequence = 1; sequence <= 30; sequence += 1) {
        const batch = batchOf(sequence, sequence === 1 ? -1 : sequence - 1);
        const rows = Object.fromEntries(
          Object.entries(batch.rows).map(([name, each]) => [
            name,
            name === 'opt_ins' || name === 'payments' ? [] : each.map((row) => ({ ...row, lane })),
          ]),
        );
        const position = { ...batch.position, lane };
        await untilWritten(() => stores[lane]!.write({ ...batch, lane, position, rows }));
      }
    });
    await untilWritten(() => stores[2]!.forget(list(['o:b', 'ada'])));
    await Promise.all(lanes);
    const dump = await dumpOf(stores[2]!);
    expect(dump.contributions).toHaveLength(120);
    const left = Object.values(dump)
      .flat()
      .filter((row) => row.includes('"o:b"') && row.includes('"ada"'));
    expect(left).toEqual([]);
    expect(dump.daily_players).toHaveLength(2);
  });
});

/** A file is busy while another process writes it. */
async function untilWritten(write: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await write();
      return;
    } catch (error) {
      if ((error as { retryable?: boolean }).retryable !== true) throw error;
    }
  }
}

function playerIn(row: string): string {
  return (JSON.parse(row) as { player: string }).player;
}
