import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { potstream } from '../cli/support/command.ts';
import { saw } from '../jackpot/checks/scale.ts';
import { type Administrator, administratorOf, instanceOf } from '../sdk/support/practice.ts';
import { startTestPostgres, type TestPostgres } from '../support/postgres.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';
import { contributedAtoms, header, rowOf, seedless, wagerCents } from './send/rounds.ts';
import { SendProcess } from './send/send-process.ts';

/**
 * `npm run checks -- books-million`: many contributions, adjustments and changes of status, while the books' process, their database and
 * nats-server are killed. Then the books have what the clients were answered, and what the verifier, which shares no code with the service,
 * computes from the published epochs. POTSTREAM_BOOKS_LINES is the number of contributions.
 */
const lines = Number(process.env.POTSTREAM_BOOKS_LINES ?? 2_000_000);
const players = 20_000;
const ends = 15;
const victims = ['reporting', 'database', 'nats-server'] as const;
const pollMs = 100;

let system: RunningSystem;
let postgres: TestPostgres;
let books: pg.Pool;
let administrator: Administrator;
let directory: string;
const instances: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'potstream-books-million-'));
  postgres = await startTestPostgres();
  const url = await postgres.database();
  const environment = {
    POTSTREAM_REPORTING: 'on',
    POTSTREAM_REPORTING_URL: url,
    POTSTREAM_EPOCH_SECONDS: '20',
  };
  system = await startSystem({ args: ['--no-traffic'], environment });
  books = new pg.Pool({ connectionString: url });
  books.on('error', () => {});
  administrator = await administratorOf(system);
  for (const name of ['One', 'Two']) instances.push(await instanceOf(administrator, seedless, name));
  for (const name of ['Three', 'Four'])
    instances.push(await instanceOf(administrator, { ...threePots, owner_id: 'demo', id: 'drops' }, name));
});
afterAll(async () => {
  await system?.stop();
  await books?.end();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Pots that are hit often, and one that must be. */
const threePots = {
  name: 'Drops',
  description: 'Wins by chance and by value.',
  jackpot_type: 'Jackpot',
  currency: 'EUR',
  contribution_rules: {
    opt_in_required: false,
    contribution_type: { Percentage: 0.05 },
    operator_contribution_percentage: '1',
  },
  house_pot: { contribution_type: { Percentage: 0.3 } },
  pots: [
    potOf('mini', 0.3, { HitRate: { max_magic_number: 500, cost_per_attempt: 0.1 } }),
    potOf('major', 0.3, { HitRate: { max_magic_number: 5_000, cost_per_attempt: 0.1 } }),
  ],
};

function potOf(id: string, part: number, trigger: object) {
  return {
    id,
    contribution: { Percentage: part },
    seed_contribution: { Percentage: 0.85 },
    seed_strategy: {
      initial_seed_value: 20,
      min_reseed_value: 20,
      fund_strategy: 'CollectToMinReseed',
      reseed_strategy: 'Full',
    },
    pot_types: [trigger],
  };
}

it(`have ${lines.toLocaleString('en')} contributions exactly once, whatever is killed`, async () => {
  const file = join(directory, 'rounds.csv');
  const results = join(directory, 'results');
  await writeRounds(file);
  const sending = new SendProcess(file, results, { POTSTREAM_DATA: system.dataDirectory });
  sending.start();
  for (let end = 1; end <= ends; end += 1) {
    while (sending.answered() < (end / (ends + 1)) * lines && sending.isRunning) await pause(pollMs);
    await kill(victims[end % victims.length]!);
    await administer(end);
  }
  const { code, stderr, report } = await sending.end();
  expect(code, stderr).toBe(0);
  expect(report.applied + report.repeated).toBe(lines);
  await system.ready();

  const sent = await sentTo(results);
  await expect
    .poll(async () => Number((await one('SELECT count(*) AS n FROM reporting.contributions')).n), wait)
    .toBe(lines);
  const wins = await compareEpochs(sent);
  for (const [instance, { count, atoms }] of sent) {
    const row = await one(
      `SELECT count(*) AS n, count(DISTINCT contribution_id) AS ids, sum(contribution_amount) * 100000000 AS atoms
       FROM reporting.contributions WHERE instance = '${instance}'`,
    );
    expect(row).toMatchObject({ n: String(count), ids: String(count) });
    expect(BigInt(String(row.atoms).replace(/\.0+$/, ''))).toBe(atoms);
    const totals = await one(
      `SELECT sum(contributions) AS n, sum(contributed) * 100000000 AS atoms FROM reporting.daily_totals
       WHERE instance = '${instance}' AND pot = ''`,
    );
    expect(totals.n).toBe(String(count));
    expect(BigInt(String(totals.atoms).replace(/\.0+$/, ''))).toBe(atoms);
  }
  const sum = await one(
    'SELECT sum(movement) AS movements, count(*) FILTER (WHERE opening + movement <> closing) AS wrong FROM reporting.daily_balances',
  );
  expect(sum).toEqual({ movements: '0.00000000', wrong: '0' });
  saw('books', { contributions: lines, kills: ends, 'wins that the verifier has computed': wins });
}, 7_200_000);

const wait = { timeout: 600_000, interval: 1_000 } as const;

async function one(text: string): Promise<Record<string, unknown>> {
  for (;;)
    try {
      return (await books.query(text)).rows[0];
    } catch (error) {
      if (!/connect|terminat|recovery|starting up|ECONN/i.test(String(error))) throw error;
      await pause(pollMs);
    }
}

/** A database loses a process without warning, takes all connections down, and recovers from its log. */
async function kill(victim: (typeof victims)[number]): Promise<void> {
  if (victim !== 'database') return system.kill(victim);
  const client = "backend_type = 'client backend' AND pid <> pg_backend_pid()";
  for (;;) {
    // The role may not be back yet.
    const { pid } = await one(`SELECT max(pid) AS pid FROM pg_stat_activity WHERE ${client}`);
    if (pid !== null) return void process.kill(Number(pid), 'SIGKILL');
    await pause(pollMs);
  }
}

/** What moves money and statuses beside contributions. */
async function administer(round: number): Promise<void> {
  const instance = instances[2 + (round % 2)]!;
  const body = { instance_id: instance, pot_id: 'mini', adjustment: 50 + round, reason: 'check' };
  for (;;)
    try {
      await administrator.call('PUT', `/config/instances/${instance}/pots/mini/seed-value`, body);
      return;
    } catch (error) {
      if (!/: 50[023]|fetch failed/.test(String(error))) throw error;
      await pause(pollMs);
    }
}

async function writeRounds(file: string): Promise<void> {
  const output = createWriteStream(file);
  output.write(`${header}\n`);
  for (let number = 0; number < lines; number += 1) {
    const row = rowOf(instances[number % instances.length]!, number, players);
    if (!output.write(`${row}\n`)) await new Promise<void>((done) => output.once('drain', () => done()));
  }
  await new Promise<void>((done) => output.end(() => done()));
}

/** What the client was answered, by instance. */
async function sentTo(results: string): Promise<Map<string, { count: number; atoms: bigint }>> {
  const sent = new Map(instances.map((instance) => [instance, { count: 0, atoms: 0n }]));
  for await (const text of createInterface({ input: createReadStream(results) })) {
    const { line } = JSON.parse(text) as { line: number };
    const number = line - 2;
    const of = sent.get(instances[number % instances.length]!)!;
    of.count += 1;
    of.atoms += contributedAtoms(wagerCents(number));
  }
  return sent;
}

interface VerifiedEpoch {
  readonly verified: boolean;
  readonly epoch: number;
  readonly counts: { readonly contributions: number; readonly wins: number };
  readonly wins: readonly { readonly sequence: number; readonly pot: string; readonly amount: string }[];
}

/** Each epoch as the verifier computes it from what is published, beside the rows of the books. */
async function compareEpochs(sent: ReadonlyMap<string, { readonly count: number }>): Promise<number> {
  let wins = 0;
  for (const [instance, { count }] of sent) {
    let epochs: readonly VerifiedEpoch[] = [];
    await expect
      .poll(async () => {
        epochs = await verified(instance);
        return epochs.reduce((sum, { counts }) => sum + counts.contributions, 0);
      }, wait)
      .toBe(count);
    for (const { epoch, counts, wins: computed, ...rest } of epochs) {
      expect(rest.verified).toBe(true);
      const { n } = await one(
        `SELECT count(*) AS n FROM reporting.contributions WHERE instance = '${instance}' AND epoch = ${epoch}`,
      );
      expect(Number(n)).toBe(counts.contributions);
      const { rows } = await books.query(
        `SELECT instance_sequence AS sequence, pot, amount * 100000000 AS amount FROM reporting.wins
         WHERE instance = $1 AND epoch = $2 ORDER BY instance_sequence`,
        [instance, epoch],
      );
      const booked = rows.map(({ sequence, pot, amount }) => [
        Number(sequence),
        pot,
        String(amount).replace(/\.0+$/, ''),
      ]);
      expect(booked).toHaveLength(counts.wins);
      expect(booked.slice(0, computed.length)).toEqual(
        computed.map(({ sequence, pot, amount }) => [sequence, pot, amount]),
      );
      wins += counts.wins;
    }
  }
  return wins;
}

async function verified(instance: string): Promise<readonly VerifiedEpoch[]> {
  const { stdout } = await potstream(['verify', system.baseUrl, '--instance', instance, '--json'], {});
  const answer = JSON.parse(stdout) as { readonly epochs: readonly VerifiedEpoch[] };
  return answer.epochs;
}
