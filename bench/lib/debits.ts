import { randomBytes } from 'node:crypto';
import { serverAuthorization } from '../../src/wallet/client/signature.ts';
import type { WalletKeys } from '../../tools/reference-wallet/server.ts';
import type { LoadPlan } from '../load.ts';
import { administratorOf, callerOf } from './http.ts';
import type { BenchJackpot } from './jackpot.ts';
import type { RunningSystem } from './system.ts';

const player = 'load-player-1';

/** How hard a plan pushes. */
export type Load = Pick<LoadPlan, 'connections' | 'durationMs' | 'warmupMs' | 'rate'>;

/** An account with money, a session token for it, and the brand's wallet settings. */
export async function openAccount(
  system: RunningSystem,
  keys: WalletKeys,
  { brand }: BenchJackpot,
): Promise<string> {
  const token = randomBytes(16).toString('hex');
  await openAccounts(system, keys, brand, [{ player, token }]);
  return token;
}

/** Accounts of players with their session tokens, and the brand's wallet settings. */
export async function openAccounts(
  system: RunningSystem,
  keys: WalletKeys,
  brand: string,
  sessions: readonly { readonly player: string; readonly token: string }[],
  batch_debits = false,
): Promise<void> {
  const { wallet_url } = system.credentials;
  const accounts = sessions.map((session) => ({
    brand_id: brand,
    player_id: session.player,
    currency: 'EUR',
    country: 'DE',
    balance: '1000000000',
  }));
  await control(wallet_url, keys, 'PUT', '/control/players', accounts);
  const tokens = sessions.map(({ player: player_id, token }) => ({ brand_id: brand, player_id, token }));
  await control(wallet_url, keys, 'POST', '/control/tokens', tokens);
  const [operator, id] = brand.split(':');
  const settings = {
    base_url: `${wallet_url}/brands/${brand}`,
    bearer_key: keys.bearerKey,
    hmac_secret: keys.hmacSecret,
    provider_id: 'potstream',
    close_rounds: false,
    batch_debits,
  };
  const admin = await administratorOf(system);
  await callerOf(system)('PUT', `/config/operators/${operator}/brands/${id}/wallet`, settings, admin);
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

/** Contributions of the player of `openAccount`, who pays them through the wallet. */
export function contributions(
  { host, port }: RunningSystem,
  jackpot: BenchJackpot,
  token: string,
  load: Load,
): LoadPlan {
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
    ...{ ...load, host, port },
    path: `/v1/jackpot/instances/${jackpot.instance}/contributions`,
    headers: { Authorization: `Bearer ${jackpot.token}` },
    body: JSON.stringify(body),
  };
}

/** W3 as the wallet role sends it, of this player. */
export function walletCalls(
  system: RunningSystem,
  keys: WalletKeys,
  { brand, instance }: BenchJackpot,
  load: Load,
): LoadPlan {
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
    ...{ ...load, host: hostname, port: Number(port) },
    path: `/brands/${brand}/transactions`,
    headers: { Authorization: `Bearer ${keys.bearerKey}`, Accept: 'application/json' },
    body: JSON.stringify(body),
    isScattered: true,
    hmacSecret: keys.hmacSecret,
  };
}
