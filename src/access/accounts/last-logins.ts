import { crash } from '../../lib/crash.ts';
import { type Clock, LogError } from '../../ports.ts';
import type { AccountStore } from './account-store.ts';
import { AccountContention } from './table-turns.ts';

/** When accounts last logged in with their password, to the minute, in KV ACCOUNTS. */
export interface LastLogins {
  /** Stores it behind the log-in, which neither waits for the table nor fails with it. */
  record(kind: LoginKind, username: string): void;
  /** Milliseconds; null: never. */
  of(kind: LoginKind, account: { readonly username: string; readonly created: number }): number | null;
  /** Removes the entry of a removed account. */
  forget(kind: LoginKind, username: string): Promise<void>;
}

export type LoginKind = 'service' | 'administrator';

/** The account of an entry's name. User names have no space in them. */
export function accountOfLogin(name: string): readonly [kind: LoginKind, username: string] {
  const [kind = '', username = ''] = name.split(' ', 2);
  return [kind as LoginKind, username];
}

const nameOf = (kind: LoginKind, username: string): string => `${kind} ${username}`;

/** An account that logs in all the time costs one write a minute. */
const recordEveryMs = 60_000;

/** Last log-ins beside the accounts: writing one changes no account and ends no token. */
export function createLastLogins(accounts: AccountStore, clock: Clock): LastLogins {
  return {
    record(kind, username) {
      const name = nameOf(kind, username);
      const at = clock.nowMs();
      const before = accounts.find('login', name)?.at ?? Number.NEGATIVE_INFINITY;
      if (Math.abs(at - before) < recordEveryMs) return;
      accounts.set('login', name, { at }).catch((error: unknown) => {
        if (!(error instanceof LogError || error instanceof AccountContention)) crash(error);
      });
    },
    of(kind, { username, created }) {
      const at = accounts.find('login', nameOf(kind, username))?.at ?? null;
      // An earlier account had the same name.
      return at === null || at < created ? null : at;
    },
    async forget(kind, username) {
      await accounts.remove('login', nameOf(kind, username));
    },
  };
}
