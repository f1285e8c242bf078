import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/**
 * The headers that identify and sign a body (docs/rules/callbacks.md "Signatures"). Without a registered
 * secret the request is not signed.
 */
export function signedHeaders(
  secret: string | null,
  { id, nowMs, body }: { readonly id: string; readonly nowMs: number; readonly body: Uint8Array },
): Record<string, string> {
  const time = new Date(nowMs);
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(nowMs / 1000)) };
  if (secret === null) return headers;
  const signature = webhookOf(secret)?.sign(id, time, Buffer.from(body).toString('utf8'));
  return {
    ...headers,
    ...(signature === undefined ? {} : { 'webhook-signature': signature }),
    'x-server-authorization': createHmac('sha256', secret).update(body).digest('hex'),
  };
}

/**
 * The key of Standard Webhooks (docs/rules/callbacks.md "Signatures"). null for `whsec_` that valid Base64
 * does not follow, which cannot be verified.
 */
function webhookOf(secret: string): Webhook | null {
  if (!secret.startsWith('whsec_')) return new Webhook(Buffer.from(secret, 'utf8'), { format: 'raw' });
  try {
    return new Webhook(secret);
  } catch {
    return null;
  }
}
