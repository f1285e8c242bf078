import { serverAuthorization } from '../../src/wallet/client/signature.ts';
import type { WalletKeys } from '../reference-wallet/server.ts';
import type { Answer } from './api.ts';

/** The reference wallet of this machine. */
export interface DemoWallet {
  readonly url: string;
  readonly keys: WalletKeys;
}

const answerTimeoutMs = 10_000;

/** One signed request to the wallet; null: there was no answer. */
export async function callWallet(
  { url, keys }: DemoWallet,
  method: 'GET' | 'PUT' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer | null> {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body), 'utf8');
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${keys.bearerKey}`,
        'x-server-authorization': serverAuthorization(keys.hmacSecret, bytes),
        'content-type': 'application/json',
      },
      body: body === undefined ? null : bytes,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : JSON.parse(text) };
  } catch {
    return null;
  }
}
