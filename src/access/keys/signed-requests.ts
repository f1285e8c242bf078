import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock, Table } from '../../ports.ts';
import type { ServicePrincipal } from '../rights/principal.ts';
import type { RequestKeys } from './request-keys.ts';

/** A request with the headers that sign it (docs/rules/http.md "Callers"). */
interface SignedRequest {
  readonly method: string;
  /** As it was sent, still encoded. */
  readonly pathAndQuery: string;
  /** Empty where there is none. */
  readonly body: Uint8Array;
  readonly keyId: string | undefined;
  /** Decimal milliseconds since the epoch. */
  readonly timestamp: string | undefined;
  readonly nonce: string | undefined;
  /** `v1=` and 64 hexadecimal digits. */
  readonly signature: string | undefined;
}

type SignatureFault = 'signature_invalid' | 'timestamp_out_of_window' | 'replay_detected';

export interface SignedRequests {
  /** The service user who signed it, or why it is refused. @throws LogError if the nonce cannot be stored */
  verify(request: SignedRequest): Promise<ServicePrincipal | SignatureFault>;
}

const windowMs = 60_000;

/** Verifies signed requests; KV NONCES keeps a nonce longer than its timestamp counts. */
export function createSignedRequests(keys: RequestKeys, nonces: Table, clock: Clock): SignedRequests {
  return {
    async verify(request) {
      const { keyId, timestamp, nonce, signature } = request;
      if (keyId === undefined || timestamp === undefined || nonce === undefined || signature === undefined)
        return 'signature_invalid';
      if (!/^[0-9]{1,15}$/.test(timestamp) || !/^[\x21-\x7e]{1,128}$/.test(nonce)) return 'signature_invalid';
      const key = keys.find(keyId);
      const given = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1];
      if (key === undefined || given === undefined) return 'signature_invalid';
      const expected = signatureOf(key.secret, request, timestamp, nonce);
      if (!timingSafeEqual(expected, Buffer.from(given, 'hex'))) return 'signature_invalid';
      const nowMs = clock.nowMs();
      if (Math.abs(nowMs - Number(timestamp)) > windowMs) return 'timestamp_out_of_window';
      // Nonces of valid signatures alone are stored: others neither fill the table nor use up a user's nonce.
      const entry = `${keyId}.${Buffer.from(nonce, 'utf8').toString('base64url')}`;
      if ((await nonces.put(entry, new Uint8Array(0), 0)) === null) return 'replay_detected';
      const { account } = key;
      return {
        kind: 'service',
        subject: account.username,
        operator: account.operator_id,
        brands: account.brands === null ? null : new Set(account.brands),
        rights: new Set(account.rights ?? []),
        tokenId: keyId,
        expiresAtMs: nowMs + windowMs,
      };
    },
  };
}

/** HMAC-SHA-256 over method, path and query, timestamp, nonce and the body's SHA-256 in hex, joined by LF. */
function signatureOf(secret: string, request: SignedRequest, timestamp: string, nonce: string): Buffer {
  const digest = createHash('sha256').update(request.body).digest('hex');
  const text = [request.method, request.pathAndQuery, timestamp, nonce, digest].join('\n');
  return createHmac('sha256', secret).update(text, 'utf8').digest();
}
