import { checks } from './checks.ts';
import { type Check, CheckFailed } from './kit/check.ts';
import { type Exchange, WalletClient } from './kit/client.ts';
import { Kit } from './kit/kit.ts';
import { type LatencyRow, latencies } from './kit/latency.ts';
import type { Target, TestPlayer } from './kit/target.ts';
import { preflight } from './preflight.ts';
import { restoreBalances } from './restore.ts';

export interface CheckResult {
  readonly id: string;
  readonly rule: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly tookMs: number;
  /** What is wrong; of a skipped check, what it needs. */
  readonly detail: string | null;
  readonly advice: string;
  /** The exchange that shows what is wrong. */
  readonly exchange: Exchange | null;
}

export interface ConformanceReport {
  readonly url: string;
  readonly brand: string;
  readonly players: readonly string[];
  readonly certified: boolean;
  readonly results: readonly CheckResult[];
  readonly latencies: readonly LatencyRow[];
  /** What the kit has left in the wallet. */
  readonly remains: readonly string[];
}

/** Minor units that each player gets for the time of the checks. */
const fundsMinorUnits = 1_000n;

/**
 * Checks a wallet, one rule after the other, with money of its test players.
 * @throws PreflightFailed before any money has moved
 */
export async function verifyWallet(
  target: Target,
  finished: (result: CheckResult) => void = () => {},
): Promise<ConformanceReport> {
  const client = new WalletClient(target);
  const kit = new Kit(target, client);
  try {
    const before = await preflight(kit);
    const players = [target.main, target.second];
    for (const player of players) await fund(kit, player);
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = await resultOf(check, kit);
      results.push(result);
      finished(result);
    }
    return {
      url: target.url,
      brand: target.brand,
      players: players.map(({ id, currency }) => `${id} (${currency})`),
      certified: results.every(({ outcome }) => outcome !== 'failed'),
      results,
      latencies: latencies(client.ended),
      remains: await restoreBalances(kit, before),
    };
  } finally {
    await client.close();
  }
}

async function resultOf(check: Check, kit: Kit): Promise<CheckResult> {
  const { id, rule, advice } = check;
  const needs = check.needs?.(kit.target) ?? null;
  const result = { id, rule, advice, detail: null, exchange: null };
  if (needs !== null) return { ...result, outcome: 'skipped', tookMs: 0, detail: `It needs ${needs}.` };
  const begunMs = performance.now();
  try {
    await check.run(kit);
    return { ...result, outcome: 'passed', tookMs: performance.now() - begunMs };
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    const { message: detail, exchange } = error;
    const shown = exchange ?? null;
    return { ...result, outcome: 'failed', tookMs: performance.now() - begunMs, detail, exchange: shown };
  }
}

/** Players need no money of their own. */
async function fund(kit: Kit, player: TestPlayer): Promise<void> {
  await kit.execute(kit.transaction('Credit', fundsMinorUnits, {}, player));
}
