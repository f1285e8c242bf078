import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type BooksQuestion, maxExported } from '../../src/contracts/reports/questions.ts';
import { answerBooks } from '../../src/reporting/answers/answer.ts';
import { openStore } from '../../src/reporting/store/open.ts';
import { rowsPage } from '../../src/reporting/store/questions/pages.ts';
import type { Condition } from '../../src/reporting/store/questions/select.ts';
import { createStatements } from '../../src/reporting/store/shared/schema.ts';
import type { BooksStore } from '../../src/reporting/store/store.ts';
import { booksBatch, playerOf, systemId } from '../lib/books-batches.ts';
import { startPostgres } from '../lib/databases.ts';
import type { Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';

const rounds = Number(process.env.BOOKS_ROUNDS ?? 5);
/** Contributions that are there before the first round. */
const before = Number(process.env.BOOKS_BEFORE ?? 0);
const rowsPerRound = 100_000;
const rowsPerBatch = 5_000;
const pagesPerList = 200;
const must = 0.4;
const mustPageMs = 50;
const maxExportedRows = 1_000_000;
/** Memory that may be added, however many rows are exported. */
const mustGrowthMb = 64;

/** The writer of the books in PostgreSQL beside a COPY of the same rows; and pages of lists. */
export async function measure(): Promise<Row> {
  const server = await startPostgres();
  const url = `postgres://potstream@127.0.0.1:${server.port}/postgres`;
  const client = new pg.Client(url);
  try {
    await client.connect();
    const store = await openStore({ url }, systemId);
    for (let from = 0; from < before; from += rowsPerBatch) await store.write(booksBatch(from, rowsPerBatch));
    const ours: number[] = [];
    const copies: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const from = before + round * rowsPerRound;
      ours.push(await perSecond(rowsPerRound, () => fill(store, from)));
      copies.push(await copyAgain(client, from));
    }
    await client.query('ANALYZE');
    const rows = before + rounds * rowsPerRound;
    const pages = await pageTimes(store, rows);
    const explanations = await explanationTimes(store, client, rows);
    const exported = await exportOf(store, Math.min(rows, maxExportedRows));
    await store.close();
    const ratio = spread(ours.map((each, round) => each / (copies[round] as number)));
    return {
      name: 'books',
      title: 'Books in PostgreSQL: contributions with their totals, players and balances',
      figures: [
        {
          ...{ name: 'contributions written', unit: '/s', ours: spread(ours), ratio },
          yardstick: { name: 'COPY of the same rows, same indexes, all tables', value: spread(copies) },
          ...{ must: String(must), aim: '0.7', reached: ratio.median >= must },
        },
        {
          ...{ name: 'page of 50, p95 over lists by player, instance, brand, source, id', unit: 'ms' },
          ...{ ours: spread(pages), yardstick: null, ratio: null },
          ...{ must: `${mustPageMs} ms`, aim: '20 ms', reached: Math.max(...pages) <= mustPageMs },
        },
        {
          ...{ name: 'explanation of a contribution, p95', unit: 'ms' },
          ...{ ours: spread([explanations]), yardstick: null, ratio: null },
          ...{ must: `${mustPageMs} ms`, aim: '20 ms', reached: explanations <= mustPageMs },
        },
        {
          ...{
            name: `memory that an export of ${exported.rows.toLocaleString('en-US')} rows adds`,
            unit: 'MB',
          },
          ...{ ours: spread([exported.growthMb]), yardstick: null, ratio: null },
          ...{ must: `${mustGrowthMb} MB`, aim: '32 MB', reached: exported.growthMb <= mustGrowthMb },
        },
      ],
      notes: [
        `The export wrote ${Math.round(exported.perSecond).toLocaleString('en-US')} rows a second as CSV.`,
        `${rows.toLocaleString('en-US')} contributions in the end, ${rowsPerBatch.toLocaleString('en-US')} a transaction; COPY reads a file at the server, in one transaction a table.`,
      ],
      processors: [],
    };
  } finally {
    await client.end();
    await server.stop();
  }
}

async function fill(store: BooksStore, from: number): Promise<void> {
  for (let at = from; at < from + rowsPerRound; at += rowsPerBatch)
    await store.write(booksBatch(at, rowsPerBatch));
}

/** Copies what a round has added into tables of their own: contributions a second. */
async function copyAgain(client: pg.Client, from: number): Promise<number> {
  const copied = ['contributions', 'daily_players', 'daily_totals', 'daily_balances'] as const;
  const fileOf = (name: string) => join(tmpdir(), `potstream-copy-${process.pid}-${name}`);
  await client.query('DROP SCHEMA IF EXISTS copied CASCADE; CREATE SCHEMA copied');
  for (const statement of createStatements('postgres', 'copied.')) await client.query(statement);
  for (const name of copied) {
    const where = name === 'contributions' ? `WHERE sequence >= ${from}` : '';
    await client.query(`COPY (SELECT * FROM reporting.${name} ${where}) TO '${fileOf(name)}'`);
  }
  const speed = await perSecond(rowsPerRound, async () => {
    for (const name of copied) await client.query(`COPY copied.${name} FROM '${fileOf(name)}'`);
  });
  for (const name of copied) rmSync(fileOf(name));
  return speed;
}

/** p95 of each list, in milliseconds. */
async function pageTimes(store: BooksStore, rows: number): Promise<readonly number[]> {
  const some = () => Math.floor(Math.random() * rows);
  const is = (column: string, value: string): Condition => ({ column, is: '=', value });
  const lists: readonly (() => readonly Condition[])[] = [
    () => {
      const number = some();
      return [is('brand', `bench:brand-${number % 4}`), is('player', playerOf(number))];
    },
    () => [is('instance', `jackpot-${some() % 10}`)],
    () => [is('brand', `bench:brand-${some() % 4}`)],
    () => [is('operator', 'bench'), is('source', `game-${some() % 50}`)],
    () => [is('gameround', `round-${some()}`)],
  ];
  const found: number[] = [];
  for (const where of lists) {
    const times: number[] = [];
    for (let page = 0; page < pagesPerList; page += 1) {
      const began = performance.now();
      await rowsPage(store, 'contributions', {
        ...{ where: where(), order: ['time'], direction: -1, cursor: null, limit: 50 },
      });
      times.push(performance.now() - began);
    }
    found.push(times.sort((one, other) => one - other)[Math.floor(pagesPerList * 0.95)] as number);
  }
  return found;
}

/** p95 of the explanations of contributions from all over the books, in milliseconds. */
async function explanationTimes(store: BooksStore, client: pg.Client, rows: number): Promise<number> {
  const times: number[] = [];
  for (let each = 0; each < pagesPerList; each += 1) {
    const found = await client.query<{ readonly id: string }>(
      'SELECT contribution_id AS id FROM reporting.contributions WHERE gameround = $1',
      [`round-${Math.floor(Math.random() * rows)}`],
    );
    const id = found.rows[0]?.id ?? '';
    const began = performance.now();
    const { kind } = await answerBooks(store, { kind: 'contribution', id, where: [] });
    times.push(performance.now() - began);
    if (kind !== 'found') throw new Error(`the books have no contribution ${id}`);
  }
  return times.sort((one, other) => one - other)[Math.floor(pagesPerList * 0.95)] as number;
}

interface Exported {
  readonly rows: number;
  readonly perSecond: number;
  /** Resident memory at its most, above that after the first parts. */
  readonly growthMb: number;
}

/** The first rows as a CSV, part by part as gateways ask for them; none is kept. */
async function exportOf(store: BooksStore, rows: number): Promise<Exported> {
  const ask = {
    kind: 'export',
    table: 'contributions',
    format: 'csv',
    where: [],
    limit: maxExported,
  } as const;
  const warmUp = 20_000;
  let cursor: string | null = null;
  let highest = 0;
  let first = 0;
  let count = 0;
  const began = performance.now();
  do {
    const question: BooksQuestion = { ...ask, cursor };
    const answer = await answerBooks(store, question);
    if (answer.kind !== 'found') throw new Error(`the export ended with ${answer.kind}`);
    count += answer.body.split('\n').length - (cursor === null ? 2 : 1);
    cursor = answer.cursor;
    const { rss } = process.memoryUsage();
    if (count <= warmUp) first = rss;
    highest = Math.max(highest, rss);
  } while (cursor !== null && count < rows);
  const elapsed = performance.now() - began;
  return {
    rows: count,
    perSecond: (count * 1_000) / elapsed,
    growthMb: Math.max(0, highest - first) / 2 ** 20,
  };
}

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - began);
}
