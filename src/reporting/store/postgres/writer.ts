import type pg from 'pg';
import type { LaneBatch, StreamBatch } from '../../base/lane-batch.ts';
import type { BooksTable } from '../../base/tables.ts';
import { fenced, fencedStream } from '../shared/fence.ts';
import {
  type AnyRow,
  movementsByDay,
  openingBalance,
  playersOf,
  rowsOf,
  sideTableNames,
  totalsOf,
  writtenTables,
} from '../shared/rows.ts';
import { arrayText } from './arrays.ts';
import {
  additionRow,
  additionStatement,
  insertStatement,
  movementStatement,
  type Statement,
  valuesOf,
} from './statements.ts';

const timeOfThird = "timestamptz 'epoch' + $3::bigint * interval '1 millisecond'";

/** Writes batches by one statement a table, each with an array for each column. */
export class PostgresWriter {
  readonly #inserts: Readonly<Record<string, Statement>>;
  readonly #movements: Statement;
  readonly #totals: Statement;
  readonly #players: Statement;
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
    const inserted: readonly BooksTable[] = [
      ...[...writtenTables, ...sideTableNames],
      ...(['openings', 'daily_balances'] as const),
    ];
    this.#inserts = Object.fromEntries(inserted.map((name) => [name, insertStatement(prefix, name)]));
    this.#totals = additionStatement(prefix, 'daily_totals');
    this.#players = additionStatement(prefix, 'daily_players');
    this.#movements = movementStatement(prefix);
  }

  /** Within a transaction. @throws StoreError where another process has gone on with the lane */
  async write(client: pg.ClientBase, batch: LaneBatch): Promise<void> {
    await this.#moveOn(client, batch);
    for (const name of writtenTables) await this.#insert(client, name, rowsOf(batch, name));
    await this.#insert(client, 'openings', batch.openings as readonly AnyRow[]);
    await this.#insert(client, 'daily_balances', batch.openings.map(openingBalance) as readonly AnyRow[]);
    for (const [day, movements] of movementsByDay(batch.movements)) {
      const column = (name: 'instance' | 'account') =>
        arrayText(
          'text',
          movements.map((movement) => movement[name]),
        );
      const atoms = arrayText(
        'sum',
        movements.map((movement) => movement.atoms),
      );
      await run(client, this.#movements, [day, column('instance'), column('account'), atoms]);
    }
    await this.#add(client, this.#totals, 'daily_totals', totalsOf(batch.dailyTotals).map(additionRow));
    await this.#add(client, this.#players, 'daily_players', playersOf(batch.players).map(additionRow));
  }

  /** As `write`. @throws StoreError where another process has gone on with the stream */
  async writeStream(client: pg.ClientBase, batch: StreamBatch): Promise<void> {
    const { stream, after, position } = batch;
    const values = [stream, position.sequence, position.timestampMs, position.systemId];
    const positions = `${this.#prefix}"stream_positions"`;
    const moved =
      after < 0
        ? await client.query(
            `INSERT INTO ${positions} ("stream", "sequence", "time", "system_id")
             VALUES ($1, $2::bigint, ${timeOfThird}, $4) ON CONFLICT DO NOTHING`,
            values,
          )
        : await client.query(
            `UPDATE ${positions} SET "sequence" = $2::bigint, "time" = ${timeOfThird}
             WHERE "stream" = $1 AND "sequence" = $5::bigint AND "system_id" = $4`,
            [...values, after],
          );
    if (moved.rowCount !== 1) throw fencedStream(batch);
    for (const name of sideTableNames) await this.#insert(client, name, rowsOf(batch, name));
  }

  /** The fence: of two writers, the second waits for the first and then finds another position. */
  async #moveOn(client: pg.ClientBase, { lane, after, position }: LaneBatch): Promise<void> {
    const values = [lane, position.sequence, position.timestampMs, position.head, position.systemId];
    const time = timeOfThird;
    const positions = `${this.#prefix}"positions"`;
    const moved =
      after < 0
        ? await client.query(
            `INSERT INTO ${positions} ("lane", "sequence", "time", "head", "system_id")
             VALUES ($1::bigint, $2::bigint, ${time}, $4, $5) ON CONFLICT DO NOTHING`,
            values,
          )
        : await client.query(
            `UPDATE ${positions} SET "sequence" = $2::bigint, "time" = ${time}, "head" = $4
             WHERE "lane" = $1::bigint AND "sequence" = $6::bigint AND "system_id" = $5`,
            [...values, after],
          );
    if (moved.rowCount !== 1) throw fenced(lane, after, position);
  }

  async #insert(client: pg.ClientBase, name: BooksTable, rows: readonly AnyRow[]): Promise<void> {
    if (rows.length > 0) await run(client, this.#inserts[name] as Statement, valuesOf(name, rows));
  }

  async #add(
    client: pg.ClientBase,
    statement: Statement,
    name: BooksTable,
    rows: readonly AnyRow[],
  ): Promise<void> {
    if (rows.length > 0) await run(client, statement, valuesOf(name, rows));
  }
}

async function run(client: pg.ClientBase, statement: Statement, values: readonly string[]): Promise<void> {
  await client.query({ ...statement, values: [...values] });
}
