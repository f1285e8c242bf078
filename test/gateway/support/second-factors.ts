import { expect } from 'vitest';
import { totp } from '../../support/totp.ts';
import type { World } from './administration.ts';

/** An authenticator app with the factor of one account. */
export interface App {
  readonly secret: string;
  /** A token that has just shown a code. Each call is a step of 30 s later than the one before. */
  stepUp(token: string): Promise<string>;
}

export function userOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8')).sub;
}

/**
 * Gives the account a factor, without the requests that enrol one. `clock.nowMs` goes on by a step for
 * each code, because none counts twice.
 */
export async function equip(
  { access, call }: Pick<World, 'access' | 'call'>,
  username: string,
  clock: { nowMs: number },
): Promise<App> {
  const account = access.accounts.find('administrator', username)!;
  const { enrolmentId, secret } = access.secondFactors.begin(account);
  const enrolment = access.secondFactors.open(account, enrolmentId)!;
  expect(await access.secondFactors.enrol(username, enrolment, 0)).toBe(true);
  return {
    secret,
    async stepUp(shown) {
      clock.nowMs += 30_000;
      const body = { code: totp(secret, clock.nowMs) };
      const { status, json, text } = await call('POST', '/auth/admin/step-up', body, { token: shown });
      expect(status, text).toBe(200);
      return json.token;
    },
  };
}
