import { type Api, DemoRefused } from './api.ts';
import { createBackOff } from './back-off.ts';
import { type DemoPlayer, demoPlayers, demoRates } from './fixtures.ts';
import { callWallet, type DemoWallet } from './wallet-call.ts';

export interface DemoSession {
  readonly player: DemoPlayer;
  readonly token: string;
}

const provider = 'potstream';
/** In euros: what a player begins with, and gets again when there is less than the second. */
const pocketMoney = 1000;
const lowBalance = 250;

/**
 * Gives the brand's players an account in the wallet and their tokens, and tells the brand where its wallet
 * is.
 */
export async function seedWallet(
  api: Api,
  adminToken: string,
  wallet: DemoWallet,
  brand: string,
  sessions: readonly DemoSession[],
  stopped: AbortSignal,
): Promise<void> {
  const ours = sessions.filter(({ player }) => player.brand === brand);
  const players = ours.map(({ player: { player, currency, country } }) => ({
    brand_id: brand,
    player_id: player,
    currency,
    country,
    balance: inCurrency(pocketMoney, currency),
  }));
  const tokens = ours.map(({ player, token }) => ({ brand_id: brand, player_id: player.player, token }));
  await control(wallet, 'PUT', '/control/players', players, stopped);
  await control(wallet, 'POST', '/control/tokens', tokens, stopped);
  const [operator, id] = brand.split(':');
  const path = `/config/operators/${operator}/brands/${id}/wallet`;
  const body = {
    base_url: walletOfBrand(wallet, brand),
    bearer_key: wallet.keys.bearerKey,
    hmac_secret: wallet.keys.hmacSecret,
    provider_id: provider,
    close_rounds: false,
  };
  const answer = await api.call('PUT', path, body, adminToken);
  if (answer.status !== 200) throw new DemoRefused('PUT', path, answer);
}

/**
 * Transactions name a player, and no brand: each brand has an address, as if its operator ran a wallet for
 * it.
 */
function walletOfBrand({ url }: DemoWallet, brand: string): string {
  return `${url}/brands/${brand}`;
}

/** New tokens for everybody, but those that a player of the demo has already. */
export function sessionsOf(
  known: readonly { readonly player_id: string; readonly token: string }[],
  newToken: () => string,
): DemoSession[] {
  const tokens = new Map(known.map((player) => [player.player_id, player.token]));
  return demoPlayers.map((player) => ({ player, token: tokens.get(player.player) ?? newToken() }));
}

/** Players who have spent nearly all get pocket money. A deposit whose answer was lost is not repeated. */
export async function refillBalances(wallet: DemoWallet): Promise<void> {
  const deposits: unknown[] = [];
  for (const { brand, player, currency } of demoPlayers) {
    const found = await callWallet(wallet, 'GET', `/control/players/${brand}/${player}`);
    const { balance } = (found?.body ?? {}) as { readonly balance?: number };
    if (found?.status !== 200 || balance === undefined) continue;
    if (balance >= Number(inCurrency(lowBalance, currency))) continue;
    deposits.push({ brand_id: brand, player_id: player, amount: inCurrency(pocketMoney, currency) });
  }
  if (deposits.length > 0) await callWallet(wallet, 'POST', '/control/deposits', deposits);
}

/** Whole units: every currency has them. */
function inCurrency(euros: number, currency: string): string {
  return String(Math.round(euros * Number(demoRates[currency] ?? '1')));
}

/** Repeated until the wallet answers: what it is told is absolute. */
async function control(
  wallet: DemoWallet,
  method: 'PUT' | 'POST',
  path: string,
  body: unknown,
  stopped: AbortSignal,
): Promise<void> {
  const backOff = createBackOff();
  for (;;) {
    const answer = await callWallet(wallet, method, path, body);
    stopped.throwIfAborted();
    if (answer !== null && answer.status < 300) return;
    if (answer !== null && answer.status < 500) throw new DemoRefused(method, path, answer);
    await backOff.wait(stopped);
  }
}
