import { createHmac, timingSafeEqual } from 'node:crypto';

/** `X-Server-Authorization`: hex HMAC-SHA-256 of the raw body (docs/rules/wallets.md "Answers"). */
export function serverAuthorization(secret: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** In constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given, 'utf8'), Buffer.from(expected, 'utf8')];
  return a.length === b.length && timingSafeEqual(a, b);
}
