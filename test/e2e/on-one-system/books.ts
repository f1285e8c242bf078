import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import { beforeAll, expect, test } from 'vitest';
import { eventually } from '../../outbox/support/receiver.ts';
import { oneSystem } from '../../support/one-system.ts';
import { OperatorClient } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';

/** The books of a whole running system: what was answered is in the database once, whatever dies. */
let system: RunningSystem;
let operator: OperatorClient;
let instance: string;

beforeAll(async () => {
  system = await oneSystem();
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  const lookup = await fetch(`${system.baseUrl}/v1/jackpot/instances/source/slot-1/brand/demo:main`);
  instance = ((await lookup.json()) as { id: string }).id;
}, 240_000);

/** As an operator does it: again with the same key, until it is answered. */
async function contribute(): Promise<string> {
  const contribution = {
    token: 'session',
    brand_id: 'demo:direct',
    player_id: 'booked-player',
    player_country: 'DE',
    base_wager: 10,
    currency: 'EUR',
    idempotency_key: randomUUID(),
  };
  let id = '';
  await eventually(async () => {
    const { status, headers } = await operator.contribute(instance, contribution);
    id = headers['x-contribution-id'] ?? '';
    return status === 200;
  }, 'a contribution is taken');
  return id;
}

/** The rows of a SELECT in the database of the running role. */
function rowsOf(text: string): readonly Record<string, unknown>[] {
  const database = new Database(join(system.dataDirectory, 'reporting/books-1.db'), {
    readonly: true,
    // A writer that was killed leaves a file that the next one recovers.
    timeout: 10_000,
  });
  try {
    return database.prepare(text).all() as Record<string, unknown>[];
  } finally {
    database.close();
  }
}

function booked(): readonly string[] {
  return rowsOf("SELECT contribution_id FROM contributions WHERE player = 'booked-player'").map(
    ({ contribution_id }) => String(contribution_id),
  );
}

test('each contribution is there once, through kill -9 of the role and of nats-server', async () => {
  const made: string[] = [];
  const contributeSome = async (): Promise<void> => {
    for (let count = 0; count < 20; count += 1) made.push(await contribute());
  };
  await contributeSome();
  await eventually(() => made.every((id) => booked().includes(id)), 'the first ones');
  for (const role of ['reporting', 'nats-server', 'reporting']) {
    await contributeSome();
    await system.kill(role);
    await eventually(async () => (await fetch(`${system.baseUrl}/readyz`)).ok, 'the gateway is ready');
    await contributeSome();
  }
  await eventually(() => made.every((id) => booked().includes(id)), 'all of them');
  const all = booked();
  expect(all.toSorted()).toEqual(made.toSorted());
  const [split] = rowsOf("SELECT split FROM contributions WHERE player = 'booked-player' LIMIT 1");
  expect(JSON.parse(String(split?.split))).toMatchObject({ operator_capital: '-0.5' });
}, 300_000);
