import { errorOf, PotstreamError } from './errors.ts';
import { defaultRetryLimits, Failure, type Pace, withRetries } from './retry.ts';

/** A service user of Potstream. */
export interface Password {
  readonly username: string;
  readonly password: string;
}

/** The service's token, always valid. */
export interface Tokens {
  /** Logs in or renews where that is needed, once for all callers that wait. @throws PotstreamError */
  current(): Promise<string>;
  /** Says that this token was refused: the next one comes from a log-in. */
  discard(token: string): void;
}

interface CachedToken {
  readonly token: string;
  renewAtMs: number;
  readonly expiresAtMs: number;
}

/** Parts of a token's life. In between, requests use the token while it is being renewed. */
const renewAfter = 0.6;
const useUntil = 0.9;
const renewalPauseMs = 5_000;
/** Ten wrong passwords in a minute lock the user out. */
const refusedLoginPauseMs = 10_000;

/** @param send makes one request to Potstream, without a credential. */
export function createTokens(baseUrl: string, password: Password, send: typeof fetch, pace: Pace): Tokens {
  let cached: CachedToken | null = null;
  let pending: Promise<string> | null = null;
  let refused: { readonly error: PotstreamError; readonly untilMs: number } | null = null;

  const ask = async (path: string, init: RequestInit): Promise<string> => {
    const askedAtMs = pace.nowMs();
    const request = { method: 'POST', redirect: 'error', ...init } as const;
    const token = await withRetries(
      async () => {
        const signal = AbortSignal.timeout(defaultRetryLimits.attemptTimeoutMs);
        return tokenOf(await send(`${baseUrl}${path}`, { ...request, signal }));
      },
      defaultRetryLimits,
      pace,
    ).catch((failure: unknown) => {
      throw failure instanceof Failure ? failure.error : failure;
    });
    const lifeMs = lifeOf(token);
    cached = {
      token,
      renewAtMs: askedAtMs + lifeMs * renewAfter,
      expiresAtMs: askedAtMs + lifeMs * useUntil,
    };
    return token;
  };

  const logIn = async (): Promise<string> => {
    if (refused !== null && pace.nowMs() < refused.untilMs) throw refused.error;
    const { username, password: secret } = password;
    const body = JSON.stringify({ username, password: secret });
    try {
      return await ask('/v1/auth/service', { headers: { 'content-type': 'application/json' }, body });
    } catch (error) {
      if (error instanceof PotstreamError && error.status_code === 401)
        refused = { error, untilMs: pace.nowMs() + refusedLoginPauseMs };
      throw error;
    }
  };

  const refresh = async (): Promise<string> => {
    const old = cached;
    if (old === null || pace.nowMs() >= old.expiresAtMs) return logIn();
    try {
      return await ask('/v1/auth/service/renew', { headers: { authorization: `Bearer ${old.token}` } });
    } catch (error) {
      // A session ends 24 hours after its log-in.
      const { status_code: status } = error as PotstreamError;
      if (status === 401 || status === 403) return logIn();
      old.renewAtMs = pace.nowMs() + renewalPauseMs;
      if (pace.nowMs() < old.expiresAtMs) return old.token;
      return logIn();
    }
  };

  return {
    async current() {
      const nowMs = pace.nowMs();
      if (cached !== null && nowMs < cached.renewAtMs) return cached.token;
      pending ??= refresh().finally(() => {
        pending = null;
      });
      if (cached === null || nowMs >= cached.expiresAtMs) return pending;
      // Callers that still have a token do not wait. Should the renewal fail, the next request tries again.
      pending.catch(() => undefined);
      return cached.token;
    },
    discard(token) {
      if (cached?.token === token) cached = null;
    },
  };
}

async function tokenOf(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
  const { token } = JSON.parse(text) as { token: string };
  return token;
}

/** From the token's claims, which the server checks; by its clock alone, because ours may be wrong. */
function lifeOf(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  return (claims.exp - claims.iat) * 1000;
}
