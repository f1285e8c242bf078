import { createHmac, timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { exactWebhook } from './exact-decimals.ts';

export { WebhookVerificationError } from 'standardwebhooks';

type HeaderValues = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const standardHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * Checks the Standard Webhooks headers of a webhook and returns the content of its body, amounts as strings. It refuses
 * timestamps more than 5 minutes off. A webhook may come more than once: `event_id` is the same each time.
 * @param rawBody the bytes as they came; parsed and written again they no longer match.
 * @param secret as registered with O1. After `whsec_` it is Base64.
 * @throws WebhookVerificationError
 */
export function verifyWebhook(rawBody: string | Uint8Array, headers: HeaderValues, secret: string): unknown {
  const text = typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8');
  const given = standardHeaders.map((name) => [name, headerOf(headers, name) ?? '']);
  webhookOf(secret).verify(text, Object.fromEntries(given), { jsonParse: false });
  return exactWebhook(text);
}

/**
 * Whether `X-Server-Authorization` is right: the hex HMAC-SHA-256 of the raw body under the secret. Calls to wallets carry
 * it under the `hmac_secret` of the brand's wallet, webhooks under the secret of O1. It does not cover a timestamp, so for
 * webhooks use `verifyWebhook`, which refuses old ones.
 */
export function verifyServerAuthorization(
  rawBody: string | Uint8Array,
  header: string | null | undefined,
  secret: string,
): boolean {
  if (typeof header !== 'string' || !/^[0-9a-f]{64}$/.test(header)) return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(header, 'hex'));
}

function webhookOf(secret: string): Webhook {
  return secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });
}

function headerOf(headers: HeaderValues, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  return typeof entry?.[1] === 'string' ? entry[1] : undefined;
}
