import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import type { BooksPlace } from '../../../src/reporting/store/open.ts';
import { saw, scaled } from '../../jackpot/checks/scale.ts';
import { batchTo, dayMs, noon, rowWith } from '../support/batches.ts';
import { query } from '../support/parquet-totals.ts';
import { onEachDatabase, systemId } from '../support/places.ts';

/** An hour of more rows than the heap of the process could hold. */
const rows = scaled(100_000, 2_000_000);
const heapMegabytes = 64;

const repository = resolve(import.meta.dirname, '../../..');
const program = `
import { writeClosedHours } from '${repository}/src/reporting/parquet/closed-hours.ts';
import { Warehouse } from '${repository}/src/reporting/parquet/warehouse.ts';
import { openStore } from '${repository}/src/reporting/store/open.ts';
const [place, directory] = process.argv.slice(2);
const store = await openStore(JSON.parse(place), '${systemId}');
const warehouse = new Warehouse(directory, '${systemId}');
await writeClosedHours(0, { store, warehouse, forgotten: 0, goesOn: async () => true });
await store.close();
process.stdout.write(JSON.stringify({ kilobytes: process.resourceUsage().maxRSS }));
`;

/** The row of a message, again for each message up to the last one. */
async function multiply(place: BooksPlace, columns: readonly string[]): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const own: Readonly<Record<string, string>> = { sequence: 'n', contribution_id: "'c-' || n" };
  const values = columns.map((name) => own[name] ?? `of."${name}"`).join(', ');
  if ('url' in place) {
    const client = new pg.Client(place.url);
    await client.connect();
    await client.query(
      `INSERT INTO reporting.contributions (${names}) SELECT ${values} FROM reporting.contributions AS of, generate_series(2, ${rows}) AS n`,
    );
    await client.end();
    return;
  }
  const database = new Database(join(place.directory, 'books-1.db'));
  database.exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows})
     INSERT INTO contributions (${names}) SELECT ${values} FROM (SELECT * FROM contributions) AS of, numbers`,
  );
  database.close();
}

onEachDatabase((books) => {
  test(`an hour of ${rows.toLocaleString('en')} rows is a file of many row groups, from a small heap`, async () => {
    // Below the repository, so that the program finds its packages.
    const work = mkdtempSync(join(repository, 'node_modules/.potstream-hour-'));
    onTestFinished(() => rmSync(work, { recursive: true, force: true }));
    writeFileSync(join(work, 'entry.ts'), program);
    const bundle = await rolldown({
      input: join(work, 'entry.ts'),
      platform: 'node',
      external: (id) => /^[a-z@]/.test(id),
    });
    await bundle.write({ file: join(work, 'program.mjs'), format: 'es' });

    const place = await books.place();
    const store = await books.open(place);
    const one = rowWith('contributions', {
      ...{ sequence: 1, time: noon, operator: 'acme', brand: 'acme:main', player: 'somebody' },
      ...{ contribution_amount: 12_345_678n, split: { 'main.current': '0.1', player: '-0.1' } },
    });
    await store.write(batchTo(1, -1, { rows: { contributions: [one] } }));
    await multiply(place, Object.keys(one));
    const position = { ...batchTo(rows + 1, 1).position, timestampMs: noon + dayMs };
    await store.write(batchTo(rows + 1, 1, { position }));

    const directory = join(work, 'warehouse');
    mkdirSync(directory);
    const child = spawn(
      process.execPath,
      [`--max-old-space-size=${heapMegabytes}`, join(work, 'program.mjs'), JSON.stringify(place), directory],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    const code = await new Promise((done) => child.once('exit', done));
    expect(code).toBe(0);
    const { kilobytes } = JSON.parse(said) as { readonly kilobytes: number };
    saw(`an hour in ${books.dialect}`, { rows, 'kilobytes at most': kilobytes });

    const files = `read_parquet('${directory}/*/*/contributions-*.parquet')`;
    const [found] = await query(
      `SELECT count(*)::VARCHAR AS n, count(DISTINCT contribution_id)::VARCHAR AS ids, (sum(contribution_amount) * 100000000)::BIGINT::VARCHAR AS atoms FROM ${files}`,
    );
    expect(found).toEqual({ n: String(rows), ids: String(rows), atoms: String(BigInt(rows) * 12_345_678n) });
    const hours = readdirSync(join(directory, new Date(noon).toISOString().slice(0, 10)));
    expect(hours).toEqual([`${new Date(noon).toISOString().slice(0, 13)}-lane-0-1-${rows}`]);
  });
});
