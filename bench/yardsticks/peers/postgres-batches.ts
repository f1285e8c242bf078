import pg from 'pg';
import { type Contribution, sharesPercent, type Taken } from './contribution.ts';
import { createTables } from './postgres-tables.ts';
import type { Store } from './store.ts';

/** Contributions of a batch, and those that may wait for one. */
const maxBatch = 2_000;
const maxWaiting = 100_000;
const { mini, major, grand } = sharesPercent;

const takeBatch = {
  name: 'take-batch',
  text: `
    WITH fresh AS (
      INSERT INTO contributions (key, instance, player, gameround, wager, pots, taken_at)
      SELECT key, instance, player, gameround, wager, pots, $7
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
        AS given (key, instance, player, gameround, wager, pots)
      ON CONFLICT (key) DO NOTHING
      RETURNING instance, player, wager, pots
    ), into_players AS (
      INSERT INTO players AS known (instance, player, contributions, wagered)
      SELECT instance, player, count(*), sum(wager) FROM fresh GROUP BY instance, player
      ON CONFLICT (instance, player) DO UPDATE SET
        contributions = known.contributions + excluded.contributions, wagered = known.wagered + excluded.wagered
    ), into_pots AS (
      INSERT INTO pots AS known (instance, mini, major, grand, house)
      SELECT instance, sum(pots * ${mini} / 100), sum(pots * ${major} / 100), sum(pots * ${grand} / 100),
        sum(pots - pots * ${mini} / 100 - pots * ${major} / 100 - pots * ${grand} / 100)
      FROM fresh GROUP BY instance
      ON CONFLICT (instance) DO UPDATE SET
        mini = known.mini + excluded.mini, major = known.major + excluded.major,
        grand = known.grand + excluded.grand, house = known.house + excluded.house
    )
    SELECT count(*) AS fresh FROM fresh`,
};
const selectTaken = {
  name: 'select-taken',
  text: 'SELECT key, pots, taken_at FROM contributions WHERE key = ANY ($1::text[])',
};

interface Waiting {
  readonly contribution: Contribution;
  readonly done: Parameters<Store['contribute']>[1];
}

/**
 * One transaction a batch: contributions gather while the one before is under way, and otherwise until the
 * end of the turn of the event loop in which the first of them came. One batch at a time, because all of them
 * change the same row.
 */
export async function openPostgresBatches(port: number): Promise<Store> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'potstream', database: 'postgres' });
  await client.connect();
  await createTables(client);
  return new Batches(client);
}

class Batches implements Store {
  readonly #client: pg.Client;
  #waiting: Waiting[] = [];
  #isUnderWay = false;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  contribute(contribution: Contribution, done: Waiting['done']): void {
    if (this.#waiting.length >= maxWaiting) {
      done(new Error('too many contributions wait'), null);
      return;
    }
    this.#waiting.push({ contribution, done });
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    setImmediate(() => this.#takeNext());
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  #takeNext(): void {
    const batch = this.#waiting.length <= maxBatch ? this.#waiting : this.#waiting.slice(0, maxBatch);
    this.#waiting = this.#waiting.slice(batch.length);
    const nowMs = Date.now();
    this.#take(batch, nowMs)
      .then(
        (earlier) => {
          this.#next();
          for (const { contribution, done } of batch)
            done(
              null,
              earlier?.get(contribution.key) ?? { potsMicros: contribution.potsMicros, takenAtMs: nowMs },
            );
        },
        (error: Error) => {
          this.#next();
          for (const { done } of batch) done(error, null);
        },
      )
      .catch((error: unknown) => {
        process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
        process.exit(1);
      });
  }

  /** The next batch is on its way before the results of the last are written. */
  #next(): void {
    if (this.#waiting.length > 0) this.#takeNext();
    else this.#isUnderWay = false;
  }

  /** What was taken under the batch's keys, where some of them are repeated; otherwise null. */
  async #take(batch: readonly Waiting[], nowMs: number): Promise<ReadonlyMap<string, Taken> | null> {
    const columns: [string[], string[], string[], string[], number[], number[]] = [[], [], [], [], [], []];
    for (const { contribution } of batch) {
      columns[0].push(contribution.key);
      columns[1].push(contribution.instance);
      columns[2].push(contribution.player);
      columns[3].push(contribution.gameround);
      columns[4].push(contribution.wagerMicros);
      columns[5].push(contribution.potsMicros);
    }
    const { rows } = await this.#client.query({ ...takeBatch, values: [...columns, nowMs] });
    if (Number(rows[0].fresh) === batch.length) return null;
    const taken = await this.#client.query({ ...selectTaken, values: [columns[0]] });
    return new Map(
      taken.rows.map(({ key, pots, taken_at }) => [
        key,
        { potsMicros: Number(pots), takenAtMs: Number(taken_at) },
      ]),
    );
  }
}
