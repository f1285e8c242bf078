import { systemRandom } from '../../src/wiring.ts';
import { administratorOf, callerOf } from './http.ts';
import type { BenchJackpot } from './jackpot.ts';
import type { RunningSystem } from './system.ts';

const senders = 6;
const pauseMs = 10;
const retryMs = 20;
const tryMs = 10_000;
const giveUpMs = 60_000;

/** What became of contributions that were sent while something happened. */
export interface Outcome {
  /** The longest time between two answers. */
  readonly gapMs: number;
  readonly sent: number;
  /** Tries that had no answer, or one that asks to try again. */
  readonly failedTries: number;
  /** Counted by the instance beyond those that were sent: below zero lost ones, above doubled ones. */
  readonly surplus: number;
}

/**
 * Sends contributions, each repeated under its key until it is taken, while `work` is under way and a while
 * before and after it.
 */
export async function whileRequested(
  system: RunningSystem,
  jackpot: BenchJackpot,
  calmMs: number,
  work: () => Promise<void>,
): Promise<Outcome> {
  const before = await totalOf(system, jackpot);
  const answeredAt: number[] = [];
  const counts = { failed: 0, isOver: false };
  const sending = Array.from({ length: senders }, async (_, sender) => {
    while (!counts.isOver) {
      counts.failed += await sendSurely(system, jackpot, sender);
      answeredAt.push(performance.now());
      await pause(pauseMs);
    }
  });
  await pause(calmMs);
  await work();
  await pause(calmMs);
  counts.isOver = true;
  await Promise.all(sending);
  const times = answeredAt.sort((a, b) => a - b);
  return {
    gapMs: Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))),
    sent: times.length,
    failedTries: counts.failed,
    surplus: (await totalOf(system, jackpot)) - before - times.length,
  };
}

/** The number of tries that failed. */
async function sendSurely(system: RunningSystem, jackpot: BenchJackpot, sender: number): Promise<number> {
  const key = Buffer.from(systemRandom.bytes(12)).toString('hex');
  const deadline = performance.now() + giveUpMs;
  for (let failed = 0; ; failed += 1) {
    const status = await send(system, jackpot, sender, key);
    if (status === 200 || status === 204) return failed;
    if (performance.now() > deadline) throw new Error(`no definite answer in time: ${status}`);
    await pause(retryMs);
  }
}

async function send(
  { host, port }: RunningSystem,
  { instance, brand, token }: BenchJackpot,
  sender: number,
  key: string,
): Promise<number> {
  try {
    const answer = await fetch(`http://${host}:${port}/v1/jackpot/instances/${instance}/contributions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        token: 'session',
        brand_id: brand,
        player_id: `requester-${sender}`,
        player_country: 'DE',
        base_wager: '1.00',
        currency: 'EUR',
        idempotency_key: key,
      }),
      signal: AbortSignal.timeout(tryMs),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function totalOf(system: RunningSystem, { instance }: BenchJackpot): Promise<number> {
  const path = `/config/instances/${instance}`;
  const answer = await callerOf(system)('GET', path, undefined, await administratorOf(system));
  return (answer as { total_contributions: number }).total_contributions;
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
