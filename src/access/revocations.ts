import type { Clock } from '../ports.ts';
import type { AccountStore } from './account-store.ts';
import { tokenLifetimeSeconds } from './claims.ts';

/** Single tokens that are worth nothing any more, in KV ACCOUNTS: every role that follows it acts at once. */
export interface Revocations {
  /** `tokenId` is the token's `jti`. Repeats change nothing. */
  revoke(tokenId: string): Promise<void>;
}

/** Clocks of hosts differ a little. */
const marginMs = 60_000;

export function createRevocations(accounts: AccountStore, clock: Clock): Revocations {
  return {
    async revoke(tokenId) {
      const nowMs = clock.nowMs();
      // Whatever token it is, it has been issued by now.
      await accounts.create('revocation', tokenId, {
        expires: nowMs + tokenLifetimeSeconds * 1000 + marginMs,
      });
      for (const [name, { expires }] of accounts.entries('revocation'))
        if (expires < nowMs) await accounts.remove('revocation', name);
    },
  };
}

export function isRevoked(accounts: AccountStore, tokenId: string): boolean {
  return accounts.find('revocation', tokenId) !== undefined;
}
