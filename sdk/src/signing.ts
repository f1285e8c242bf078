import { createHash, createHmac, randomUUID } from 'node:crypto';

/** A key of a service user, as POST /config/service-users/{username}/keys answers it. */
export interface SigningKey {
  readonly key_id: string;
  readonly secret: string;
}

/**
 * The headers that sign one request. Each attempt needs its own: a nonce counts once, and a timestamp is accepted for a
 * minute. `pathAndQuery` is as it is sent, still encoded.
 */
export function signatureHeaders(
  key: SigningKey,
  request: { readonly method: string; readonly pathAndQuery: string; readonly body: Uint8Array },
  nowMs: number = Date.now(),
  nonce: string = randomUUID(),
): Record<string, string> {
  const timestamp = String(nowMs);
  const digest = createHash('sha256').update(request.body).digest('hex');
  const text = [request.method, request.pathAndQuery, timestamp, nonce, digest].join('\n');
  const signature = createHmac('sha256', key.secret).update(text, 'utf8').digest('hex');
  return {
    'X-Key-Id': key.key_id,
    'X-Timestamp': timestamp,
    'X-Nonce': nonce,
    'X-Signature': `v1=${signature}`,
  };
}
