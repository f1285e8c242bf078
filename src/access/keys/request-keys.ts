import { createHash } from 'node:crypto';
import type { Clock, Random } from '../../ports.ts';
import { keysGeneration, type RequestKeyEntry, type ServiceAccount } from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Sealer } from './seal.ts';

/** Keys that service users sign requests with (docs/rules/http.md "Secrets"), kept sealed in KV ACCOUNTS. */
export interface RequestKeys {
  /** Creates a key and shows its secret this once; a third ends the oldest, an approval makes one key. */
  create(
    account: ServiceAccount,
    given?: GivenKey,
  ): Promise<{ readonly keyId: string; readonly secret: string }>;
  /** The key's secret and user; undefined: there is no such key, or its user is gone or disabled. */
  find(keyId: string): { readonly secret: string; readonly account: ServiceAccount } | undefined;
  /** The ids of the user's keys, found without a look at those of others. */
  idsOf(username: string): readonly string[];
  /** Ends all keys of the user. */
  removeAll(username: string): Promise<void>;
}

/** What of a new key is not left to chance. */
interface GivenKey {
  readonly secret: string | null;
  readonly approval: string | null;
}

/** Two keys let a client change to the new one before the old one ends. */
const livingKeys = 2;
const keyIdBytes = 12;
const secretBytes = 32;

/** Keys for signed requests, sealed in the account store (docs/rules/http.md "Secrets"). */
export function createRequestKeys(
  accounts: AccountStore,
  sealer: Sealer,
  clock: Clock,
  random: Random,
): RequestKeys {
  const opened = new Map<string, { readonly sealed: string; readonly secret: string }>();
  const idsByUser = new Map<string, Set<string>>();
  const userOfId = new Map<string, string>();

  function enter(keyId: string, username: string): void {
    if (userOfId.get(keyId) !== username) leave(keyId);
    userOfId.set(keyId, username);
    const ids = idsByUser.get(username);
    if (ids === undefined) idsByUser.set(username, new Set([keyId]));
    else ids.add(keyId);
  }

  function leave(keyId: string): void {
    const username = userOfId.get(keyId);
    if (username === undefined) return;
    userOfId.delete(keyId);
    opened.delete(keyId);
    const ids = idsByUser.get(username);
    ids?.delete(keyId);
    if (ids?.size === 0) idsByUser.delete(username);
  }

  for (const [keyId, { username }] of accounts.entries('request')) enter(keyId, username);
  accounts.onChange((kind, keyId) => {
    if (kind !== 'request') return;
    const entry = accounts.find('request', keyId);
    if (entry === undefined) leave(keyId);
    else enter(keyId, entry.username);
  });

  function secretOf(keyId: string, { sealed }: RequestKeyEntry): string {
    const known = opened.get(keyId);
    if (known?.sealed === sealed) return known.secret;
    const secret = sealer.open(sealed, label(keyId));
    opened.set(keyId, { sealed, secret });
    return secret;
  }

  function idsOf(username: string): readonly string[] {
    return [...(idsByUser.get(username) ?? [])];
  }

  /** Newest first. */
  function keysOf(username: string): RequestKeyEntry[] {
    return idsOf(username)
      .flatMap((keyId) => accounts.find('request', keyId) ?? [])
      .sort((left, right) => right.created - left.created || (left.key_id < right.key_id ? 1 : -1));
  }

  return {
    idsOf,
    async create(account, { secret: given, approval } = noneGiven) {
      const keyId = text(approval === null ? random.bytes(keyIdBytes) : idOfApproval(approval));
      const secret = given ?? text(random.bytes(secretBytes));
      const { username } = account;
      const generation = keysGeneration(account);
      // Two keys of the same millisecond need an order, too.
      const created = Math.max(clock.nowMs(), (keysOf(username)[0]?.created ?? 0) + 1);
      const sealed = sealer.seal(secret, label(keyId));
      await accounts.create('request', keyId, { key_id: keyId, username, generation, sealed, created });
      for (const old of keysOf(username).slice(livingKeys)) await accounts.remove('request', old.key_id);
      return { keyId, secret };
    },
    find(keyId) {
      const entry = accounts.find('request', keyId);
      if (entry === undefined) return undefined;
      const account = accounts.find('service', entry.username);
      // Keys of a removed user do not count for a new user of the same name.
      if (account?.enabled !== true || keysGeneration(account) !== entry.generation) return undefined;
      return { secret: secretOf(keyId, entry), account };
    },
    async removeAll(username) {
      for (const entry of keysOf(username)) await accounts.remove('request', entry.key_id);
    },
  };
}

const noneGiven: GivenKey = { secret: null, approval: null };

function idOfApproval(approval: string): Uint8Array {
  return createHash('sha256').update(`request-key ${approval}`).digest().subarray(0, keyIdBytes);
}

const label = (keyId: string) => `request-key.${keyId}`;

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
