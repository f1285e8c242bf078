import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { forgottenPseudonym } from '../../../src/contracts/directory/forgotten-players.ts';
import { unwrittenFrom, writeClosedHours } from '../../../src/reporting/parquet/closed-hours.ts';
import { forgottenFiles } from '../../../src/reporting/parquet/forgotten-files.ts';
import { directoryOf, hourMs, Warehouse } from '../../../src/reporting/parquet/warehouse.ts';
import { beginRebuild } from '../../../src/reporting/store/open.ts';
import { removeRowsBefore } from '../../../src/reporting/store/retention.ts';
import type { BooksStore } from '../../../src/reporting/store/store.ts';
import { MixedRun } from '../../jackpot/mixed/run.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { ProjectedLane, testSystem } from '../support/booked-lane.ts';
import { atomsOf, query, requireEqualTotals } from '../support/parquet-totals.ts';
import { onEachDatabase, systemId } from '../support/places.ts';
import { dayOf, fillSmallBooks } from '../support/small-books.ts';

const salt = new Uint8Array(32).fill(9);
const tomorrow = { timestampMs: noon + 30 * dayMs, lane: 0, head: 'head', systemId };

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'potstream-parquet-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Every file but what killed processes left, with a hash of its bytes. */
function filesIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.writing') && statSync(join(directory, path)).isFile())
    .map(
      (path) =>
        `${path} ${createHash('sha256')
          .update(readFileSync(join(directory, path)))
          .digest('hex')}`,
    )
    .sort();
}

function write(store: BooksStore, directory: string, goesOn = async () => true, system = systemId) {
  const warehouse = new Warehouse(directory, system);
  return writeClosedHours(0, { store, warehouse, forgotten: 0, goesOn });
}

onEachDatabase((books) => {
  test.each([1, 2])('DuckDB sums the files of random history %i to the totals of its days', async (seed) => {
    const run = new MixedRun(seed);
    run.apply(run.begin());
    while (run.commands < 800) run.apply(run.next());
    const lane = new ProjectedLane();
    for (const message of run.lane.log) lane.take(lane.booked.apply(message));
    const store = await books.open(await books.place(), testSystem);
    for (const batch of lane.batches) await store.write(batch);
    const { sequence, timestampMs } = lane.batches.at(-1)!.position;
    const later = { ...tomorrow, sequence: sequence + 1, systemId: testSystem };
    await store.write(
      batchTo(sequence + 1, sequence, { position: { ...later, timestampMs: timestampMs + hourMs } }),
    );
    const directory = newDirectory();
    expect(await write(store, directory, undefined, testSystem)).toBe(true);
    expect(await requireEqualTotals(store, directory)).toBeGreaterThan(1);
  });

  test('amounts beyond 64 bits of a float are exact; only hours that are over are written', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 3);
    const directory = newDirectory();
    // The last message is at noon: its hour is not over.
    expect(await write(store, directory)).toBe(true);
    expect(readdirSync(directory).filter((name) => name.startsWith('20'))).toEqual([dayOf(0), dayOf(2)]);
    await store.write(batchTo(4, 3, { position: { ...tomorrow, sequence: 4 } }));
    await write(store, directory);
    expect(await requireEqualTotals(store, directory)).toBe(3 * 4);
    const [sum] = await query(
      `SELECT sum(contribution_amount)::VARCHAR AS sum FROM read_parquet('${directory}/*/*/contributions-*.parquet')`,
    );
    expect(atomsOf(sum!.sum)).toBe(String(3n * 2n * (5n * 2n ** 60n + 510n)));
  });

  test('ended anywhere and begun again, each hour is there once, with the same bytes', async () => {
    const store = await books.open();
    const rows = Array.from({ length: 12_000 }, (_, command_index) =>
      rowWith('tickets', { sequence: 1, command_index, time: noon }),
    );
    const wins = [rowWith('wins', { sequence: 2, time: noon + hourMs, amount: 5n })];
    await store.write(batchTo(1, -1, { rows: { tickets: rows } }));
    await store.write(batchTo(2, 1, { rows: { wins }, position: { ...tomorrow, sequence: 2 } }));
    const undisturbed = newDirectory();
    let steps = 0;
    await write(store, undisturbed, async () => {
      steps += 1;
      return true;
    });
    expect(steps).toBeGreaterThan(3);
    for (let step = 1; step <= steps; step += 1) {
      const directory = newDirectory();
      let left = step;
      expect(await write(store, directory, async () => --left > 0)).toBe(false);
      const before = filesIn(directory);
      expect(await write(store, directory)).toBe(true);
      expect(filesIn(directory)).toEqual(filesIn(undisturbed));
      expect(filesIn(undisturbed)).toEqual(expect.arrayContaining([...before]));
    }
    // Two processes at once.
    const shared = newDirectory();
    await Promise.allSettled([write(store, shared), write(store, shared)]);
    await write(store, shared);
    expect(filesIn(shared)).toEqual(filesIn(undisturbed));
  });

  test('books that are made anew write nothing anew', async () => {
    const place = await books.place();
    const store = await books.open(place);
    await fillSmallBooks(store, 3);
    const directory = newDirectory();
    await write(store, directory);
    const before = filesIn(directory);
    const rebuild = await beginRebuild(place, systemId);
    await rebuild.store.write(batchTo(0, -1));
    // Another release: the same messages give other rows.
    const wins = [rowWith('wins', { sequence: 1, time: noon, amount: 7n })];
    await rebuild.store.write(batchTo(1, 0, { rows: { wins }, position: { ...tomorrow, sequence: 1 } }));
    await rebuild.swap();
    const anew = await books.open(place);
    expect(await write(anew, directory)).toBe(true);
    expect(filesIn(directory)).toEqual(before);
  });

  test('files with a forgotten player are listed; removed hours come again with the pseudonym', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 2);
    const directory = newDirectory();
    const warehouse = new Warehouse(directory, systemId);
    await write(store, directory);
    const pseudonym = forgottenPseudonym(salt, 'o:b', 'p3');
    const forgotten = { salt, players: [{ brand: 'o:b', pseudonym, since: noon }] };
    const other = {
      salt,
      players: [{ brand: 'o:b', pseudonym: forgottenPseudonym(salt, 'o:b', 'nobody'), since: 1 }],
    };
    const listed = async (players: typeof forgotten) => {
      const found: string[] = [];
      for await (const { path } of forgottenFiles(warehouse, players)) found.push(path);
      return found;
    };
    const [hour] = await warehouse.hours();
    expect(await listed(other)).toEqual([]);
    expect(await listed(forgotten)).toEqual([
      expect.stringContaining(`${directoryOf(hour!)}/contributions-`),
    ]);

    await store.write(batchTo(3, 2, { position: { ...tomorrow, sequence: 3 } }));
    // The database does not know yet: no file is written with the id.
    const ports = { store, warehouse, forgotten: 1, goesOn: async () => true };
    expect(await writeClosedHours(0, ports)).toBe(false);
    await store.forget(forgotten);
    rmSync(join(directory, directoryOf(hour!)), { recursive: true });
    expect(await writeClosedHours(0, ports)).toBe(true);
    expect(await listed(forgotten)).toEqual([]);
    expect((await warehouse.hours()).map(directoryOf)[0]).toBe(directoryOf(hour!));
    const players = await query(
      `SELECT DISTINCT player FROM read_parquet('${directory}/*/*/contributions-*.parquet') ORDER BY player`,
    );
    expect(players.map(({ player }) => player)).toEqual([pseudonym, 'p0', 'p1', 'p2', 'p4']);
    expect(await requireEqualTotals(store, directory)).toBe(2 * 4);
  });

  test('what is not written says from when rows have to stay; rows that are gone leave no half hour', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 3);
    const directory = newDirectory();
    const warehouse = new Warehouse(directory, systemId);
    expect(await unwrittenFrom(store, warehouse, [0, 1])).toBe(noon);
    await write(store, directory);
    expect(await unwrittenFrom(store, warehouse, [0, 1])).toBe(noon + 4 * dayMs);
    await removeRowsBefore(store, dayOf(2));
    const late = newDirectory();
    await write(store, late);
    expect((await new Warehouse(late, systemId).hours()).map(({ startMs }) => startMs)).toEqual([
      noon + 2 * dayMs,
    ]);
  });

  test('a directory that is gone, or has the files of another system, is refused', async () => {
    const store = await books.open();
    await fillSmallBooks(store, 2);
    await expect(write(store, join(newDirectory(), 'gone'))).rejects.toThrow('ENOENT');
    const directory = newDirectory();
    await write(store, directory);
    await expect(write(store, directory, undefined, 'another')).rejects.toThrow(systemId);
  });
});
