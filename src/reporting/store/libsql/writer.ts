import type Database from 'libsql';
import type { LaneBatch, Movement, StreamBatch } from '../../base/lane-batch.ts';
import { type BooksTable, type TableShape, tables } from '../../base/tables.ts';
import { fenced, fencedStream } from '../shared/fence.ts';
import {
  type Addition,
  type AnyRow,
  kindsOf,
  movementsByDay,
  openingBalance,
  playersOf,
  rowsOf,
  sideTableNames,
  totalsOf,
  writtenTables,
} from '../shared/rows.ts';
import { sqlName } from '../shared/schema.ts';
import { boundValue } from './values.ts';

/** Writes batches row by row, by statements that are prepared once. */
export class LibsqlWriter {
  readonly #database: Database.Database;
  readonly #puts = new Map<BooksTable, Database.Statement>();
  readonly #kept = new Map<BooksTable, Database.Statement>();
  readonly #first: Database.Statement;
  readonly #next: Database.Statement;
  readonly #balance: Database.Statement;

  constructor(database: Database.Database) {
    this.#database = database;
    this.#first = database.prepare(
      `INSERT OR IGNORE INTO positions (sequence, time, head, lane, system_id) VALUES (?, ?, ?, ?, ?)`,
    );
    this.#next = database.prepare(
      `UPDATE positions SET sequence = ?, time = ?, head = ? WHERE lane = ? AND system_id = ? AND sequence = ?`,
    );
    this.#balance = database.prepare(
      `SELECT day, opening, movement, closing FROM daily_balances
       WHERE instance = ? AND account = ? AND day <= ? ORDER BY day DESC LIMIT 1`,
    );
  }

  /** Within a transaction. @throws StoreError where another process has gone on with the lane */
  write(batch: LaneBatch): void {
    this.#moveOn(batch);
    for (const name of writtenTables) for (const row of rowsOf(batch, name)) this.#put(name, row);
    for (const opening of batch.openings) {
      this.#put('openings', opening);
      this.#put('daily_balances', openingBalance(opening));
    }
    for (const [, movements] of movementsByDay(batch.movements))
      for (const movement of movements) this.#move(movement);
    for (const addition of totalsOf(batch.dailyTotals)) this.#add('daily_totals', addition);
    for (const addition of playersOf(batch.players)) this.#add('daily_players', addition);
  }

  /** As `write`. @throws StoreError where another process has gone on with the stream */
  writeStream(batch: StreamBatch): void {
    const { stream, after, position } = batch;
    const values = [position.sequence, position.timestampMs, stream, position.systemId];
    const { changes } =
      after < 0
        ? this.#database
            .prepare(
              'INSERT OR IGNORE INTO stream_positions (sequence, time, stream, system_id) VALUES (?, ?, ?, ?)',
            )
            .run(...values)
        : this.#database
            .prepare(
              'UPDATE stream_positions SET sequence = ?, time = ? WHERE stream = ? AND system_id = ? AND sequence = ?',
            )
            .run(...values, after);
    if (changes !== 1) throw fencedStream(batch);
    for (const name of sideTableNames) for (const row of rowsOf(batch, name)) this.#put(name, row);
  }

  #moveOn({ lane, after, position }: LaneBatch): void {
    const values = [position.sequence, position.timestampMs, position.head, lane, position.systemId];
    const { changes } = after < 0 ? this.#first.run(...values) : this.#next.run(...values, after);
    if (changes !== 1) throw fenced(lane, after, position);
  }

  #move({ day, instance, account, atoms }: Movement): void {
    const last = this.#balance.get(instance, account, day) as BalanceRow | undefined;
    const closing = BigInt(last?.closing ?? 0);
    const isSameDay = last?.day === day;
    this.#put('daily_balances', {
      day,
      instance,
      account,
      opening: isSameDay ? BigInt(last.opening) : closing,
      movement: (isSameDay ? BigInt(last.movement) : 0n) + atoms,
      closing: closing + atoms,
    });
  }

  #add(name: BooksTable, { key, added }: Addition): void {
    const found = this.#keptRow(name, key);
    const sums = Object.entries(added).map(
      ([column, value]) => [column, value + BigInt(found?.[column] ?? 0)] as const,
    );
    this.#put(name, { ...key, ...Object.fromEntries(sums) });
  }

  #keptRow(name: BooksTable, key: AnyRow): Readonly<Record<string, string | number>> | undefined {
    const table: TableShape = tables[name];
    let statement = this.#kept.get(name);
    if (statement === undefined) {
      const where = table.key.map((column) => `${sqlName(column)} = ?`).join(' AND ');
      statement = this.#database.prepare(`SELECT * FROM ${sqlName(name)} WHERE ${where}`);
      this.#kept.set(name, statement);
    }
    return statement.get(...table.key.map((column) => key[column])) as never;
  }

  /** Only state and what the writer keeps is ever there before. */
  #put(name: BooksTable, row: AnyRow): void {
    const table: TableShape = tables[name];
    let statement = this.#puts.get(name);
    if (statement === undefined) {
      const columns = Object.keys(table.columns);
      const verb = table.way === 'rows' ? 'INSERT' : 'INSERT OR REPLACE';
      statement = this.#database.prepare(
        `${verb} INTO ${sqlName(name)} (${columns.map(sqlName).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      );
      this.#puts.set(name, statement);
    }
    statement.run(...kindsOf(table).map(([column, kind]) => boundValue(kind, row[column])));
  }
}

interface BalanceRow {
  readonly day: string;
  readonly opening: string;
  readonly movement: string;
  readonly closing: string;
}
