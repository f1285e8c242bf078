import { readTarget, type Target } from '../../../tools/wallet-verify/kit/target.ts';
import { keys, type TestWallet } from '../../wallet/support.ts';

const players = [
  ['ada', 'EUR'],
  ['bo', 'EUR'],
  ['goro', 'JPY'],
  ['farah', 'KWD'],
] as const;

/** Answers of a busy machine may take long; what is slow does not decide these tests. */
const timeoutMs = 60_000;

/** Gives the wallet players of every kind, and tokens that are good, expired and revoked. */
export async function prepare(wallet: TestWallet, url = wallet.url): Promise<Target> {
  const brand_id = 'acme:main';
  const set = async (method: string, path: string, body: unknown) => {
    const answer = await wallet.call(method, path, body);
    if (answer.status !== 204) throw new Error(JSON.stringify(answer));
  };
  const fields = players.map(([player_id, currency]) => ({
    brand_id,
    player_id,
    currency,
    balance: '12.34',
  }));
  const whole = fields.map((one) => (one.currency === 'JPY' ? { ...one, balance: '1234' } : one));
  await set('PUT', '/control/players', whole);
  await set('POST', '/control/tokens', [
    ...players.map(([player_id]) => ({ brand_id, player_id, token: `token of ${player_id}` })),
    { brand_id, player_id: 'ada', token: 'expired', expires: wallet.nowMs - 1 },
    { brand_id, player_id: 'ada', token: 'revoked' },
  ]);
  await set('POST', '/control/tokens/revoke', { tokens: ['revoked'] });
  return readTarget({ ...configuration(url), timeout_ms: timeoutMs });
}

/** As an operator would write it into a file. */
export function configuration(url: string) {
  return {
    url,
    bearer_key: keys.bearerKey,
    hmac_secret: keys.hmacSecret,
    operator_id: 'acme',
    brand_id: 'main',
    players: players.map(([player_id, currency]) => ({
      player_id,
      currency,
      token: `token of ${player_id}`,
    })),
    expired_token: 'expired',
    revoked_token: 'revoked',
  };
}
