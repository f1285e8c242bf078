/** What the service answered in place of what was asked for. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  constructor(status: number, code: string, message: string, requestId: string | null) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.requestId = requestId;
  }
}

/** @param body of an answer that is no success */
export function errorOf(response: Response, body: unknown): ApiError {
  const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    code?: unknown;
    message?: unknown;
  };
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : 'unknown',
    typeof message === 'string' ? message : `The service answered with ${response.status}.`,
    response.headers.get('x-request-id'),
  );
}

/** Once more may help: no answer, or one that says so. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 502);
}

/**
 * The session is over: its person logs in anew. A password that is wrong in a dialog, and what needs a player's token, are
 * 401 as well and end nothing.
 */
export function endsSession(error: unknown): boolean {
  return error instanceof ApiError && sessionEnds.includes(error.code);
}

const sessionEnds = ['unauthenticated', 'token_expired', 'token_revoked'];
