import { describe, expect, it } from 'vitest';
import { ApiError, endsSession } from '../../console/src/api/errors.ts';
import { errorStatus } from '../../src/contracts/errors/codes.ts';

describe('a session of the page', () => {
  it('is over where the service knows its token no more, and by nothing else', () => {
    const codes = Object.entries(errorStatus).filter(([code, status]) =>
      endsSession(new ApiError(status, code, '', null)),
    );
    expect(codes).toEqual([
      ['unauthenticated', 401],
      ['token_expired', 401],
      ['token_revoked', 401],
    ]);
  });

  it('outlives a wrong password, a proxy’s own 401, and what is no answer', () => {
    for (const code of ['invalid_credentials', 'unknown'])
      expect(endsSession(new ApiError(401, code, '', null))).toBe(false);
    for (const other of [new Error('unauthenticated'), null, 'token_revoked'])
      expect(endsSession(other)).toBe(false);
  });
});
