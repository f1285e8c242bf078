import type { Client } from 'pg';

/** A row a jackpot with a column a pot, a row a player, a row a contribution; money is in millionths. */
const tables = `
  CREATE TABLE IF NOT EXISTS pots (
    instance text PRIMARY KEY,
    mini bigint NOT NULL DEFAULT 0,
    major bigint NOT NULL DEFAULT 0,
    grand bigint NOT NULL DEFAULT 0,
    house bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 10);
  CREATE TABLE IF NOT EXISTS players (
    instance text NOT NULL,
    player text NOT NULL,
    contributions bigint NOT NULL,
    wagered bigint NOT NULL,
    PRIMARY KEY (instance, player)
  ) WITH (fillfactor = 70);
  CREATE TABLE IF NOT EXISTS contributions (
    key text PRIMARY KEY,
    instance text NOT NULL,
    player text NOT NULL,
    gameround text NOT NULL,
    wager bigint NOT NULL,
    pots bigint NOT NULL,
    taken_at bigint NOT NULL
  );
`;

export async function createTables(client: Pick<Client, 'query'>): Promise<void> {
  await client.query(tables);
}
