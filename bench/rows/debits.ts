import { randomBytes } from 'node:crypto';
import { readKeys } from '../../src/reference-wallet/keys.ts';
import type { WalletKeys } from '../../src/reference-wallet/server.ts';
import { serverAuthorization } from '../../src/wallet/signature.ts';
import { creditShare, creditTimes } from '../lib/credit-times.ts';
import { administratorOf, callerOf } from '../lib/http.ts';
import { type BenchJackpot, makeJackpot } from '../lib/jackpot.ts';
import { runLoad } from '../lib/load-process.ts';
import { processTree } from '../lib/processor-time.ts';
import type { Figure, Row } from '../lib/report.ts';
import { spread } from '../lib/statistics.ts';
import { type RunningSystem, startSystem } from '../lib/system.ts';
import type { LoadPlan, LoadReport } from '../load.ts';

const roundsPerRun = 3;
const connections = 64;
const durationMs = 8_000;
const warmUpMs = 2_000;
const player = 'load-player-1';

/**
 * O8 with a player who pays through the reference wallet, beside the same W3 calls sent to that wallet alone. In both the wallet
 * syncs what it answers. One contribution in two hundred wins.
 */
export async function measure(): Promise<Row> {
  const system = await startSystem();
  try {
    const keys = readKeys(system.dataDirectory);
    if (keys === null) throw new Error('The reference wallet has no keys.');
    const jackpot = await makeJackpot(system, { operatorPart: '0', smallOdds: 200 });
    const session = await openAccount(system, keys, jackpot);
    const plan = contributions(system, jackpot, session);
    const calls = walletCalls(system, keys, jackpot);
    const ours: LoadReport[] = [];
    const alone: LoadReport[] = [];
    for (let round = 0; round < roundsPerRun; round += 1) {
      alone.push(await runLoad(calls));
      ours.push(await runLoad(plan));
    }
    const rate = spread(ours.map(({ perSecond }) => perSecond)).median / 2;
    const use = processTree(system.pid);
    const before = await creditTimes(system.credentials.ops_url);
    const half: LoadReport[] = [];
    for (let round = 0; round < roundsPerRun; round += 1) half.push(await runLoad({ ...plan, rate }));
    const after = await creditTimes(system.credentials.ops_url);
    const median = creditShare(before, after, 0.5);
    const loadSeconds = (roundsPerRun * (durationMs + warmUpMs)) / 1_000;
    return {
      name: 'debits',
      title: 'O8 with a debit of the player, 64 connections, one hot instance and player, sync always',
      figures: figures(ours, alone, half, median.ms, creditShare(before, after, 0.99).ms),
      notes: [
        `answers other than 200: ${failures([...ours, ...half])}; of W3 alone: ${failures(alone)}`,
        `${median.credits} credits at half load`,
        `p99 of W3 alone: ${spread(alone.map(({ p99Ms }) => p99Ms)).median.toFixed(1)} ms`,
      ],
      processors: processTree(system.pid).map(({ pid, name, cpuSeconds }) => ({
        process: `${name} (at half load)`,
        cores: (cpuSeconds - (use.find((one) => one.pid === pid)?.cpuSeconds ?? 0)) / loadSeconds,
      })),
    };
  } finally {
    await system.stop();
  }
}

function figures(
  ours: readonly LoadReport[],
  alone: readonly LoadReport[],
  half: readonly LoadReport[],
  medianMs: number,
  p99Ms: number,
): Figure[] {
  const perSecond = (loads: readonly LoadReport[]): number[] => loads.map((load) => load.perSecond);
  const ratio = spread(perSecond(ours).map((value, at) => value / (alone[at]?.perSecond ?? 1)));
  const latency = spread(half.map((load) => load.p99Ms));
  const single = { unit: 'ms', yardstick: null, ratio: null };
  return [
    {
      name: 'contributions with a debit a second',
      unit: '/s',
      ours: spread(perSecond(ours)),
      yardstick: { name: 'the same W3 calls alone', value: spread(perSecond(alone)) },
      ratio,
      ...{ must: '0.4', aim: '0.7', reached: ratio.median >= 0.4 },
    },
    {
      ...single,
      name: 'p99 at half load',
      ours: latency,
      ...{ must: '60 ms', aim: '–', reached: latency.median < 60 },
    },
    {
      ...single,
      name: "from a win's record to its credit, median at half load",
      ours: spread([medianMs]),
      ...{ must: '100 ms', aim: '–', reached: medianMs < 100 },
    },
    {
      ...single,
      name: "from a win's record to its credit, p99 at half load",
      ours: spread([p99Ms]),
      ...{ must: '–', aim: '–', reached: true },
    },
  ];
}

function failures(loads: readonly LoadReport[]): number {
  return loads.reduce((sum, load) => sum + load.failures + load.requests - (load.statuses['200'] ?? 0), 0);
}

/** An account with money, a session token for it, and the brand's wallet settings. */
async function openAccount(
  system: RunningSystem,
  keys: WalletKeys,
  { brand }: BenchJackpot,
): Promise<string> {
  const { wallet_url } = system.credentials;
  const token = randomBytes(16).toString('hex');
  const account = {
    brand_id: brand,
    player_id: player,
    currency: 'EUR',
    country: 'DE',
    balance: '1000000000',
  };
  await control(wallet_url, keys, 'PUT', '/control/players', [account]);
  await control(wallet_url, keys, 'POST', '/control/tokens', [{ brand_id: brand, player_id: player, token }]);
  const [operator, id] = brand.split(':');
  const settings = {
    base_url: `${wallet_url}/brands/${brand}`,
    bearer_key: keys.bearerKey,
    hmac_secret: keys.hmacSecret,
    provider_id: 'potstream',
    close_rounds: false,
  };
  const admin = await administratorOf(system);
  await callerOf(system)('PUT', `/config/operators/${operator}/brands/${id}/wallet`, settings, admin);
  return token;
}

async function control(
  url: string,
  { bearerKey, hmacSecret }: WalletKeys,
  method: string,
  path: string,
  body: unknown,
): Promise<void> {
  const text = JSON.stringify(body);
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${bearerKey}`,
      'x-server-authorization': serverAuthorization(hmacSecret, Buffer.from(text)),
    },
    body: text,
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}

function contributions({ host, port }: RunningSystem, jackpot: BenchJackpot, token: string): LoadPlan {
  const body = {
    token,
    brand_id: jackpot.brand,
    player_id: player,
    player_country: 'DE',
    gameround_id: 'round-of-the-load-generator',
    base_wager: 1,
    currency: 'EUR',
    idempotency_key: 'key-@@@@@@@@@@@@',
  };
  return {
    ...{ host, port, connections, durationMs, warmupMs: warmUpMs, rate: 0 },
    path: `/v1/jackpot/instances/${jackpot.instance}/contributions`,
    headers: { Authorization: `Bearer ${jackpot.token}` },
    body: JSON.stringify(body),
  };
}

/** W3 as the wallet role sends it, of this player. */
function walletCalls(system: RunningSystem, keys: WalletKeys, { brand, instance }: BenchJackpot): LoadPlan {
  const { hostname, port } = new URL(system.credentials.wallet_url);
  const body = {
    player_id: player,
    transaction_id: '6f0e1b0a-0000-5000-8000-@@@@@@@@@@@@',
    transaction_type: 'Debit',
    provider_id: 'potstream',
    amount: 0.01,
    jackpot_amount: 0,
    bonus_amount: 0,
    source_id: instance,
    source_variant: null,
    gameround_id: '01010101-0101-0101-0101-@@@@@@@@@@@@',
    gameround_complete: false,
    category: null,
    bonus_id: null,
    currency: 'EUR',
    metadata: { instance_id: instance, gameround_id: 'round-of-the-load-generator' },
  };
  return {
    ...{ host: hostname, port: Number(port), connections, durationMs, warmupMs: warmUpMs, rate: 0 },
    path: `/brands/${brand}/transactions`,
    headers: { Authorization: `Bearer ${keys.bearerKey}`, Accept: 'application/json' },
    body: JSON.stringify(body),
    hmacSecret: keys.hmacSecret,
  };
}
