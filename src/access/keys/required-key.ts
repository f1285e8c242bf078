import type { Random } from '../../ports.ts';
import { type AccountKind, parseAccountKey } from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { hasSealKey, openSealer, type Sealer, SealKeyError } from './seal.ts';
import { byAge, opensKey } from './signing-keys.ts';

export interface SealerOptions {
  readonly random: Random;
  /** `<data>/keys` */
  readonly keysDirectory: string;
  /** Start even with a missing or wrong key file. Everything sealed under the right one is then lost. */
  readonly newKeys?: boolean;
}

/** Opens the key file; creates it if nothing is sealed yet. @throws SealKeyError if it is missing or wrong */
export function openSealerOf(accounts: AccountStore, options: SealerOptions): Sealer {
  const { keysDirectory, newKeys = false } = options;
  if (!newKeys) requireSealKey(keysDirectory, accounts.keys());
  const sealer = openSealer(keysDirectory, options.random);
  const [newest] = byAge(accounts.list('key'));
  if (newKeys || newest === undefined || opensKey(newest, sealer)) return sealer;
  throw new SealKeyError(
    `${keysDirectory}/accounts.key is not the key that seals the secrets of this system. ${waysOut}`,
  );
}

const waysOut =
  'Restore the file from a backup or another host of the system. If there is no copy, set POTSTREAM_NEW_KEYS=1 for one start: ' +
  'log-ins continue with a new signing key, and you have to enter every other secret again.';

/** Kinds of entries that contain sealed secrets. */
const sealedKinds: ReadonlySet<AccountKind> = new Set([
  'key',
  'wallet',
  'webhook',
  'request',
  'factor',
  'provider',
]);

/** A new key file could not open what is sealed. @throws SealKeyError if the file is missing */
export function requireSealKey(keysDirectory: string, entries: readonly string[]): void {
  const sealed = entries.filter((key) => {
    const named = parseAccountKey(key);
    return named !== null && sealedKinds.has(named.kind);
  });
  if (sealed.length === 0 || hasSealKey(keysDirectory)) return;
  throw new SealKeyError(
    `${keysDirectory}/accounts.key is missing, but ${sealed.length} entries of this system hold secrets that it seals: keys that ` +
      `sign tokens, brands' wallets, webhook secrets, keys of service users, second factors, identity providers. ${waysOut}`,
  );
}
