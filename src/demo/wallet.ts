import type { WalletKeys } from '../reference-wallet/server.ts';
import { serverAuthorization } from '../wallet/signature.ts';
import { type Answer, type Api, DemoRefused } from './api.ts';
import { createBackOff } from './back-off.ts';
import { type DemoPlayer, demoPlayers } from './fixtures.ts';

/** The reference wallet of this machine. */
export interface DemoWallet {
  readonly url: string;
  readonly keys: WalletKeys;
}

export interface DemoSession {
  readonly player: DemoPlayer;
  readonly token: string;
}

const provider = 'potstream';
const answerTimeoutMs = 10_000;

/** Gives the brand's players an account in the wallet and their tokens, and tells the brand where its wallet is. */
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
  }));
  const tokens = ours.map(({ player, token }) => ({ brand_id: brand, player_id: player.player, token }));
  await control(wallet, 'PUT', '/control/players', players, stopped);
  await control(wallet, 'POST', '/control/tokens', tokens, stopped);
  const [operator, id] = brand.split(':');
  const path = `/config/operators/${operator}/brands/${id}/wallet`;
  const body = {
    base_url: wallet.url,
    bearer_key: wallet.keys.bearerKey,
    hmac_secret: wallet.keys.hmacSecret,
    provider_id: provider,
    close_rounds: false,
  };
  const answer = await api.call('PUT', path, body, adminToken);
  if (answer.status !== 200) throw new DemoRefused('PUT', path, answer);
}

/** New tokens for everybody, but those that a player of the demo has already. */
export function sessionsOf(
  known: readonly { readonly player_id: string; readonly token: string }[],
  newToken: () => string,
): DemoSession[] {
  const tokens = new Map(known.map((player) => [player.player_id, player.token]));
  return demoPlayers.map((player) => ({ player, token: tokens.get(player.player) ?? newToken() }));
}

/** Repeated until the wallet answers: what it is told is absolute. */
async function control(
  wallet: DemoWallet,
  method: string,
  path: string,
  body: unknown,
  stopped: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body), 'utf8');
  const backOff = createBackOff();
  for (;;) {
    const answer = await oneTry(wallet, method, path, bytes, stopped);
    if (answer !== null && answer.status < 300) return;
    if (answer !== null && answer.status < 500) throw new DemoRefused(method, path, answer);
    await backOff.wait(stopped);
  }
}

async function oneTry(
  wallet: DemoWallet,
  method: string,
  path: string,
  body: Buffer<ArrayBuffer>,
  stopped: AbortSignal,
): Promise<Answer | null> {
  try {
    const response = await fetch(`${wallet.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${wallet.keys.bearerKey}`,
        'x-server-authorization': serverAuthorization(wallet.keys.hmacSecret, body),
        'content-type': 'application/json',
      },
      body,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    stopped.throwIfAborted();
    return null;
  }
}
