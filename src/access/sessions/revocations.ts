import type { Clock } from '../../ports.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { tokenLifetimeSeconds } from '../rights/claims.ts';

/** Revoked tokens in KV ACCOUNTS: every role that follows the table acts at once. */
export interface Revocations {
  /** `tokenId` is the token's `jti`. Repeats change nothing. */
  revoke(tokenId: string): Promise<void>;
}

/** Clocks of hosts differ a little. */
const marginMs = 60_000;

/** Stores each revocation until the token has expired on every host, and removes older ones. */
export function createRevocations(accounts: AccountStore, clock: Clock): Revocations {
  return {
    async revoke(tokenId) {
      const nowMs = clock.nowMs();
      // Any token with this id was issued before now.
      await accounts.create('revocation', tokenId, {
        expires: nowMs + tokenLifetimeSeconds * 1000 + marginMs,
      });
      for (const [name, { expires }] of accounts.entries('revocation'))
        if (expires < nowMs) await accounts.remove('revocation', name);
    },
  };
}

/** Whether the token or session with this id (`jti`, `sid`) is revoked. */
export function isRevoked(accounts: AccountStore, tokenId: string): boolean {
  return accounts.find('revocation', tokenId) !== undefined;
}
