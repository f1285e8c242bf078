import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { patienceMs, saw, scaled } from '../jackpot/checks/scale.ts';
import { AdministratorClient, type ContributionAnswer, OperatorClient } from '../support/operator-client.ts';
import { type RunningSystem, startSystem } from '../support/system.ts';

const kills = scaled(1, 20);
const callers = 64;
const players = 400;
const trafficMs = 1_000;
const patience = { timeout: 90_000, interval: 50 };
/** Of the answers of each round, those that are asked for again after the kill. */
const repeated = 40;

let directory: string;
let system: RunningSystem;
let instance: string;
let operator: OperatorClient;
let administrator: AdministratorClient;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'potstream-heaviest-'));
  await start();
  instance = await heaviestInstance();
});
afterAll(async () => {
  await system?.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

/** Every contribution wins and shares with as many players as there are, whose ids are as long as ids may be. */
it('wins with the largest records survive the end of every process at once', {
  timeout: patienceMs,
}, async () => {
  const applied = new Map<string, ContributionAnswer>();
  for (let kill = 0; kill < kills; kill += 1) {
    const before = applied.size;
    const stop = traffic(`${kill}`, applied);
    await pause(trafficMs);
    await vi.waitUntil(() => applied.size > before + callers, patience);
    await system.killAll();
    await start();
    await pause(trafficMs);
    await stop();
    expect(await total()).toBe(applied.size);
    for (const [key, first] of [...applied].slice(-repeated)) {
      const again = await operator.contributeSurely(instance, contribution(key));
      expect([again.status, again.headers]).toEqual([204, first.headers]);
    }
    const books = await fetch(`${system.baseUrl}/v1/fairness/instances/${instance}/conservation`);
    expect(Number(((await books.json()) as { sum: number }).sum)).toBe(0);
  }
  expect(applied.size).toBeGreaterThan(kills * callers);
  saw('kills of everything under the heaviest wins', { kills, contributions: applied.size });
});

async function start(): Promise<void> {
  system = await startSystem({
    args: ['--no-traffic'],
    dataDirectory: directory,
    environment: { POTSTREAM_LANES: '1' },
  });
  operator = await OperatorClient.login(system.baseUrl, system.credentials.service);
  administrator = await AdministratorClient.login(system.baseUrl, system.credentials.admin);
}

/** Each contribution is repeated until it is answered, also through the kill; returns how to end. */
function traffic(round: string, applied: Map<string, ContributionAnswer>): () => Promise<void> {
  let running = true;
  const all = Array.from({ length: callers }, async (_, caller) => {
    for (let n = 0; running; n += 1) {
      const key = `${round}-${caller}-${n}`;
      applied.set(key, await surely(key));
    }
  });
  return async () => {
    running = false;
    await Promise.all(all);
  };
}

/** A start brings another address and another token, so the client is looked up for each try. */
async function surely(key: string): Promise<ContributionAnswer> {
  for (;;) {
    const answer = await operator.contribute(instance, contribution(key)).catch(() => null);
    if (answer !== null && (answer.status === 200 || answer.status === 204)) return answer;
    if (answer !== null && answer.status < 500 && ![401, 409, 429].includes(answer.status))
      throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    await pause(50);
  }
}

function contribution(key: string) {
  const number = [...key].reduce((sum, each) => sum * 31 + each.charCodeAt(0), 7) % players;
  return {
    token: 'session',
    brand_id: 'demo:direct',
    player_id: `${'𝕡'.repeat(124)}${String(number).padStart(4, '0')}`,
    player_country: 'DE',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: key,
  };
}

async function heaviestInstance(): Promise<string> {
  const shares = (kind: string, more: object = {}) => ({
    payout_percentage: '0.2',
    rule: { [kind]: { max_number_of_payouts: 400, ...more } },
  });
  const pot = {
    id: 'pot',
    contribution: { Percentage: '0.9' },
    seed_contribution: { Percentage: '0.1' },
    seed_strategy: { initial_seed_value: 1000, min_reseed_value: 1000 },
    pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0.01' } }],
    payout_ruleset: {
      main_winner_percentage: '0.4',
      payout_rules: [
        shares('ActivePlayers', { period_before_win: 3_600_000 }),
        shares('HighestContributors'),
      ],
    },
  };
  const template = {
    owner_id: 'demo',
    id: 'heaviest',
    name: 'Heaviest',
    description: '',
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Fixed: 1 }, opt_in_required: false },
    house_pot: { contribution_type: { Percentage: '0.05' } },
    pots: [pot],
  };
  await expectCall(201, 'POST', '/config/templates', template);
  const created = await expectCall(201, 'POST', '/config/instances', {
    template_owner_id: 'demo',
    template_id: 'heaviest',
    owner_id: 'demo',
    name: 'Heaviest',
  });
  const { id } = created as { id: string };
  await expectCall(200, 'POST', `/config/instances/${id}/status`, { status: 'Active', reason: 'go' });
  return id;
}

async function expectCall(status: number, method: string, path: string, body: unknown): Promise<unknown> {
  const answer = await administrator.call(method, path, body);
  expect([path, answer.status, answer.body]).toEqual([path, status, answer.body]);
  return answer.body;
}

async function total(): Promise<number> {
  const answer = await administrator.call('GET', `/config/instances/${instance}`);
  return (answer.body as { total_contributions: number }).total_contributions;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
