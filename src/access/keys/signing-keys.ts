import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { crash } from '../../lib/crash.ts';
import { type Clock, LogError, type Random } from '../../ports.ts';
import type { SigningKeyEntry } from '../accounts/account-entries.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { Sealer } from './seal.ts';

const rotationMs = 30 * 24 * 3_600_000;
/** How long a key stays after its successor: far longer than its tokens live. */
const retirementMs = 24 * 3_600_000;
const checkEveryMs = 3_600_000;

/** The Ed25519 keys that sign tokens, shared by all gateways through ACCOUNTS. The newest one signs. */
export interface SigningKeys {
  signer(): { readonly kid: string; readonly key: KeyObject };
  verifier(kid: string): KeyObject | undefined;
  /** RFC 7517 key set of the public halves. */
  jwks(): { readonly keys: readonly Readonly<Record<string, string>>[] };
  stop(): void;
}

/** The public keys, for a process that only verifies: its `signer` throws. */
export function verifyingKeys(accounts: AccountStore): Pick<SigningKeys, 'signer' | 'verifier'> {
  const publicKeys = new Map<string, KeyObject>();
  accounts.onChange(() => {
    const known = new Set(accounts.list('key').map((entry) => entry.kid));
    for (const kid of publicKeys.keys()) if (!known.has(kid)) publicKeys.delete(kid);
  });
  return {
    signer() {
      throw new Error('This process has no key to sign with.');
    },
    verifier(kid) {
      const known = publicKeys.get(kid);
      if (known !== undefined) return known;
      const entry = accounts.find('key', kid);
      if (entry === undefined) return undefined;
      const key = createPublicKey({ key: publicJwk(entry), format: 'jwk' });
      publicKeys.set(kid, key);
      return key;
    },
  };
}

/** Opens the signing keys: a new one signs after 30 days, and the others go a day later. @throws LogError */
export async function openSigningKeys(
  accounts: AccountStore,
  sealer: Sealer,
  clock: Clock,
  random: Random,
): Promise<SigningKeys> {
  const { verifier } = verifyingKeys(accounts);
  let privateKey: { readonly kid: string; readonly key: KeyObject } | undefined;
  let cancelCheck: () => void = () => {};
  let stopped = false;

  async function rotate(): Promise<void> {
    const keys = byAge(accounts.list('key'));
    const newest = keys[0];
    if (newest === undefined || clock.nowMs() - newest.created > rotationMs || !opensKey(newest, sealer)) {
      // The newest key signs, so a new key must be newer, even after a lost key or a clock that was set back.
      const entry = createKey(sealer, Math.max(clock.nowMs(), (newest?.created ?? -1) + 1), random);
      await accounts.create('key', entry.kid, entry);
    } else if (clock.nowMs() - newest.created > retirementMs) {
      for (const old of keys.slice(1)) await accounts.remove('key', old.kid);
    }
  }

  /** An outage only delays the next key; the present ones stay in use. */
  function checkLater(): void {
    cancelCheck = clock.after(checkEveryMs, () => {
      void rotate()
        .catch((error: unknown) => {
          if (!(error instanceof LogError)) crash(error);
        })
        .finally(() => {
          if (!stopped) checkLater();
        });
    });
  }

  await rotate();
  checkLater();

  return {
    signer() {
      const newest = byAge(accounts.list('key'))[0];
      if (newest === undefined) throw new Error('There is no signing key.');
      if (privateKey?.kid !== newest.kid) privateKey = { kid: newest.kid, key: unsealKey(newest, sealer) };
      return privateKey;
    },
    verifier,
    jwks: () => ({
      keys: byAge(accounts.list('key')).map((entry) => ({
        ...publicJwk(entry),
        kid: entry.kid,
        use: 'sig',
        alg: 'EdDSA',
      })),
    }),
    stop() {
      stopped = true;
      cancelCheck();
    },
  };
}

/** The keys, newest first. */
export function byAge(keys: readonly SigningKeyEntry[]): SigningKeyEntry[] {
  return [...keys].sort((left, right) => right.created - left.created || (left.kid < right.kid ? -1 : 1));
}

function createKey(sealer: Sealer, created: number, random: Random): SigningKeyEntry {
  const kid = Buffer.from(random.bytes(9)).toString('base64url');
  const jwk = newPrivateKey().export({ format: 'jwk' });
  if (jwk.x === undefined || jwk.d === undefined) throw new Error('The key has no exportable halves.');
  return { kid, x: jwk.x, sealed: sealer.seal(jwk.d, `signing-key.${kid}`), created };
}

/**
 * A key that no job of Node.js shares: exporting one that `generateKeyPair` returns can wait forever, for the
 * lock that it has itself, if a garbage collection comes in between and takes the job away.
 */
function newPrivateKey(): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { format: 'der', type: 'spki' },
    privateKeyEncoding: { format: 'der', type: 'pkcs8' },
  });
  return createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
}

function unsealKey(entry: SigningKeyEntry, sealer: Sealer): KeyObject {
  const d = sealer.open(entry.sealed, `signing-key.${entry.kid}`);
  return createPrivateKey({ key: { ...publicJwk(entry), d }, format: 'jwk' });
}

/** Whether `sealer` opens the private key. If not, the key still verifies tokens but cannot sign. */
export function opensKey(entry: SigningKeyEntry, sealer: Sealer): boolean {
  try {
    unsealKey(entry, sealer);
    return true;
  } catch {
    return false;
  }
}

function publicJwk(entry: SigningKeyEntry): { kty: 'OKP'; crv: 'Ed25519'; x: string } {
  return { kty: 'OKP', crv: 'Ed25519', x: entry.x };
}
