import { LoginError, PotstreamError } from './errors.ts';
import type { StreamMessage } from './stream-messages.ts';

/** Why a connection is over. */
export interface ConnectionEnd {
  readonly error: PotstreamError;
  /** This line of it and those behind it were not taken; null: that is not known. */
  readonly line: number | null;
}

const renewableCodes = new Set<string>(['token_expired', 'token_revoked', 'unauthenticated']);
/** Ends that name a line which cannot be taken, and nothing against the connection. */
const tooLarge = 'payload_too_large';

/** The error of a message. */
export function errorOfMessage({ error, retry_after }: StreamMessage): PotstreamError {
  return new PotstreamError({
    status_code: error?.status_code ?? null,
    code: error?.code ?? 'unexpected_answer',
    message: error?.message ?? 'The stream ended.',
    request_id: null,
    retry_after_ms: retry_after === undefined ? null : retry_after * 1000,
  });
}

/** The token was refused: the next one comes from a log-in. */
export function refusesToken(error: PotstreamError): boolean {
  return error.status_code === 401 && renewableCodes.has(error.code) && !(error instanceof LoginError);
}

/** Whether another connection may go on. `unexpected_answer` without a status is no answer of Potstream's at all. */
export function canReconnect({ status_code: status, code }: PotstreamError): boolean {
  if (status === null) return code !== 'unexpected_answer';
  if (status === 408 || status === 429 || status >= 500) return true;
  return code === 'malformed_http' || code === tooLarge;
}

/** The line that is named is too large: it is refused, and the stream goes on behind it. */
export function refusesLine({ error, line }: ConnectionEnd): boolean {
  return error.code === tooLarge && line !== null;
}

/** Where the end of a connection is no sign of trouble, the next one needs no pause. */
export function isOrdinary({ code }: PotstreamError): boolean {
  return code === 'request_timeout' || code === 'token_expired' || code === tooLarge;
}
