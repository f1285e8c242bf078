import pg from 'pg';
import { type Contribution, sharesPercent, type Taken } from './contribution.ts';
import { createTables } from './postgres-tables.ts';
import type { Store } from './store.ts';

const connections = 16;
const { mini, major, grand } = sharesPercent;

const insertContribution = {
  name: 'insert-contribution',
  text: `
    INSERT INTO contributions (key, instance, player, gameround, wager, pots, taken_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (key) DO NOTHING`,
};
const selectContribution = {
  name: 'select-contribution',
  text: 'SELECT pots, taken_at FROM contributions WHERE key = $1',
};
const updatePots = {
  name: 'update-pots',
  text: `
    INSERT INTO pots AS known (instance, mini, major, grand, house) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (instance) DO UPDATE SET
      mini = known.mini + excluded.mini, major = known.major + excluded.major,
      grand = known.grand + excluded.grand, house = known.house + excluded.house`,
};
const updatePlayer = {
  name: 'update-player',
  text: `
    INSERT INTO players AS known (instance, player, contributions, wagered) VALUES ($1, $2, 1, $3)
    ON CONFLICT (instance, player) DO UPDATE SET
      contributions = known.contributions + 1, wagered = known.wagered + excluded.wagered`,
};

/**
 * One transaction a contribution: its key, its player, and last the pots, whose row all the others wait for.
 */
export async function openPostgresTransactions(port: number): Promise<Store> {
  const pool = new pg.Pool({
    host: '127.0.0.1',
    port,
    user: 'potstream',
    database: 'postgres',
    max: connections,
  });
  // Errors of a connection reach its query. One without a query is replaced.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  await createTables(pool);
  return {
    contribute(contribution, done) {
      takeOnce(pool, contribution).then(
        (taken) => done(null, taken),
        (error: Error) => done(error, null),
      );
    },
    close: () => pool.end(),
  };
}

async function takeOnce(pool: pg.Pool, contribution: Contribution): Promise<Taken> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await take(client, contribution);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

async function take(client: pg.PoolClient, contribution: Contribution): Promise<Taken> {
  const { key, instance, player, gameround, wagerMicros, potsMicros } = contribution;
  const takenAtMs = Date.now();
  await client.query('BEGIN');
  const inserted = await client.query({
    ...insertContribution,
    values: [key, instance, player, gameround, wagerMicros, potsMicros, takenAtMs],
  });
  if (inserted.rowCount === 0) {
    const { rows } = await client.query({ ...selectContribution, values: [key] });
    await client.query('COMMIT');
    return { potsMicros: Number(rows[0].pots), takenAtMs: Number(rows[0].taken_at) };
  }
  await client.query({ ...updatePlayer, values: [instance, player, wagerMicros] });
  const parts = [mini, major, grand].map((percent) => Math.floor((potsMicros * percent) / 100));
  const house = parts.reduce((rest, part) => rest - part, potsMicros);
  await client.query({ ...updatePots, values: [instance, ...parts, house] });
  await client.query('COMMIT');
  return { potsMicros, takenAtMs };
}
