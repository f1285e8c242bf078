import { accepted, amountOf } from './answers.ts';
import { type Check, CheckFailed } from './check.ts';
import { checks } from './checks.ts';
import { type Exchange, WalletClient } from './client.ts';
import { Kit } from './kit.ts';
import { type LatencyRow, latencies } from './latency.ts';
import type { Target, TestPlayer } from './target.ts';

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

/** The wallet does not answer at all. */
export class WalletUnreachable extends Error {
  readonly code = 'wallet_unreachable';
  readonly retryable = true;
}

/** Minor units that each player gets for the time of the checks. */
const fundsMinorUnits = 1_000n;

/**
 * Checks a wallet, one rule after the other, with money of its test players.
 * @throws WalletUnreachable
 */
export async function verifyWallet(
  target: Target,
  finished: (result: CheckResult) => void = () => {},
): Promise<ConformanceReport> {
  const client = new WalletClient(target);
  const kit = new Kit(target, client);
  try {
    await ensureReachable(kit);
    const players = [target.main, target.second];
    const begun = new Map<TestPlayer, bigint | null>();
    for (const player of players) begun.set(player, await fund(kit, player));
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = await resultOf(check, kit);
      results.push(result);
      finished(result);
    }
    const remains: string[] = [];
    for (const player of players) remains.push(await restore(kit, player, begun.get(player) ?? null));
    return {
      url: target.url,
      brand: target.brand,
      players: players.map(({ id, currency }) => `${id} (${currency})`),
      certified: results.every(({ outcome }) => outcome !== 'failed'),
      results,
      latencies: latencies(client.ended),
      remains,
    };
  } finally {
    await client.close();
  }
}

async function ensureReachable(kit: Kit): Promise<void> {
  const { status, fault } = await kit.authenticate();
  if (status === null) throw new WalletUnreachable(`${kit.target.url} cannot be reached. ${fault}`);
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

/** The player's balance before; null where the wallet does not say. Players need no money of their own. */
async function fund(kit: Kit, player: TestPlayer): Promise<bigint | null> {
  const before = await balanceOf(kit, player);
  await kit.execute(kit.transaction('Credit', fundsMinorUnits, {}, player));
  return before;
}

/** Moves the player's balance back to what it was. */
async function restore(kit: Kit, player: TestPlayer, before: bigint | null): Promise<string> {
  const now = await balanceOf(kit, player);
  if (before === null || now === null) return `The balance of ${player.id} is not known.`;
  const units = (now - before) / player.minorAtoms;
  const type = units > 0n ? 'Debit' : 'Credit';
  if (units !== 0n) await kit.execute(kit.transaction(type, units > 0n ? units : -units, {}, player));
  const isRestored = (await balanceOf(kit, player)) === before;
  return isRestored
    ? `The balance of ${player.id} is what it was.`
    : `The balance of ${player.id} is not what it was: correct it by hand.`;
}

async function balanceOf(kit: Kit, player: TestPlayer): Promise<bigint | null> {
  try {
    const exchange = await kit.authenticate(player);
    accepted(exchange);
    return amountOf(exchange, 'balance');
  } catch (error) {
    if (error instanceof CheckFailed) return null;
    throw error;
  }
}
