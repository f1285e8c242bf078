import { createCipheriv, createDecipheriv } from 'node:crypto';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretFile, readSecretFile, replaceSecretFile } from '../../../files/secret-file.ts';
import { toHex } from '../../../lib/bytes.ts';
import type { Random } from '../../../ports.ts';
import type { KeyRing } from '../../ports/actor-ports.ts';

export const keyRingFile = 'epoch-seeds.json';
const keyBytes = 32;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;

/** A key ring whose file has copies on other hosts. */
export interface SharedKeyRing extends KeyRing {
  keyIds(): readonly string[];
  /** Seeds are sealed only under keys that every host has: the newest of them (docs/decisions/0042). */
  sealWhereAll(hostsHave: (keyId: string) => boolean): void;
}

export class KeyRingError extends Error {
  readonly code:
    | 'key_file_missing'
    | 'key_missing'
    | 'seal_broken'
    | 'key_file_invalid'
    | 'key_file_readable_by_others';
  readonly retryable = false;
  constructor(code: KeyRingError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'KeyRingError';
    this.code = code;
  }
}

type KeyFile = { readonly current: string; readonly keys: Readonly<Record<string, string>> };

/** Opens the key ring `<directory>/epoch-seeds.json` (mode 0600), and makes it where it is missing. */
export function openKeyRing(directory: string, random: Random): SharedKeyRing {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, keyRingFile);
  const watched = new WatchedKeyFile(path, readKeyFile(path) ?? createKeyFile(path, random));
  let hostsHave = (_keyId: string): boolean => true;
  const sealingKey = (): string => {
    const { current, keys } = watched.latest();
    const newestFirst = [current, ...Object.keys(keys).toReversed()];
    return newestFirst.find((keyId) => hostsHave(keyId)) ?? current;
  };
  return {
    get currentKeyId() {
      return sealingKey();
    },
    keyIds: () => Object.keys(watched.latest().keys),
    sealWhereAll(has) {
      hostsHave = has;
    },
    seal(secret) {
      const keyId = sealingKey();
      return { keyId, sealed: sealUnder(keyOf(watched.latest(), keyId), secret, random) };
    },
    unseal: (keyId, sealed) => unsealUnder(keyOf(watched.latest(), keyId), sealed),
    rotate() {
      replaceSecretFile(path, JSON.stringify(withNewKey(watched.latest().keys, random)));
    },
  };
}

/** A key file that another process, or a person, may replace at any time. */
class WatchedKeyFile {
  readonly #path: string;
  #file: KeyFile;
  #readAs = '';

  constructor(path: string, file: KeyFile) {
    this.#path = path;
    this.#file = file;
  }

  /** What was read last stays in use while the file cannot be read. */
  latest(): KeyFile {
    try {
      const { ino, size, mtimeMs } = statSync(this.#path);
      const present = `${ino} ${size} ${mtimeMs}`;
      if (present !== this.#readAs) this.#file = readKeyFile(this.#path) ?? this.#file;
      this.#readAs = present;
    } catch {
      // The doctor names what is wrong with it.
    }
    return this.#file;
  }
}

/** Makes a key ring in a directory that has none. False: it has one. */
export function createKeyRing(directory: string, random: Random): boolean {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return createSecretFile(join(directory, keyRingFile), JSON.stringify(withNewKey({}, random)));
}

/**
 * For a log that holds messages: seeds of draw epochs are sealed in it, and no key that is made now opens
 * them.
 * @throws KeyRingError where the key ring is not there, or cannot be used.
 */
export function requireKeyRing(directory: string): void {
  const path = join(directory, keyRingFile);
  if (readKeyFile(path) !== null) return;
  throw new KeyRingError(
    'key_file_missing',
    `${path} is missing, but the log has messages. Its keys seal the seeds of their draw epochs; without them jackpots can ` +
      'neither draw nor reveal. Restore the file from a backup or another host of the system. Only a system that has never ' +
      'had a jackpot can start without it: POTSTREAM_NEW_KEYS=1 for one start makes a new file.',
  );
}

/** The keys of a data directory, read only; null where there are none. @throws KeyRingError */
export function readKeyRing(directory: string): Pick<KeyRing, 'unseal'> | null {
  const file = readKeyFile(join(directory, keyRingFile));
  return file === null ? null : { unseal: (keyId, sealed) => unsealUnder(keyOf(file, keyId), sealed) };
}

/** Moves the keys of one file into another, which keeps its current key. */
export function mergeKeyRings(from: string, to: string): void {
  const [old, present] = [readKeyFile(from), readKeyFile(to)];
  if (old !== null) {
    const merged = { current: present?.current ?? old.current, keys: { ...old.keys, ...present?.keys } };
    replaceSecretFile(to, JSON.stringify(merged));
  }
  rmSync(from, { force: true });
}

function readKeyFile(path: string): KeyFile | null {
  const text = readSecretFile(path, (message) => new KeyRingError('key_file_readable_by_others', message));
  if (text === null) return null;
  const file = parseKeyFile(text);
  if (file === null) throw new KeyRingError('key_file_invalid', `${path} is not a key ring.`);
  return file;
}

function parseKeyFile(text: string): KeyFile | null {
  let parsed: Partial<KeyFile> | null;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed?.current !== 'string' || typeof parsed.keys !== 'object') return null;
  const keys = Object.values(parsed.keys);
  if (!keys.every((key) => typeof key === 'string' && /^[0-9a-f]{64}$/.test(key))) return null;
  return parsed.keys[parsed.current] === undefined ? null : { current: parsed.current, keys: parsed.keys };
}

/** When two processes start at once, the first one's file stays. */
function createKeyFile(path: string, random: Random): KeyFile {
  createSecretFile(path, JSON.stringify(withNewKey({}, random)));
  return readKeyFile(path) as KeyFile;
}

function withNewKey(keys: KeyFile['keys'], random: Random): KeyFile {
  const current = toHex(random.bytes(keyIdBytes));
  return { current, keys: { ...keys, [current]: toHex(random.bytes(keyBytes)) } };
}

function keyOf(file: KeyFile, keyId: string): Uint8Array {
  const key = file.keys[keyId];
  if (key === undefined) throw new KeyRingError('key_missing', `There is no key ${keyId} in the key ring.`);
  return Buffer.from(key, 'hex');
}

function sealUnder(key: Uint8Array, secret: Uint8Array, random: Random): Uint8Array {
  const nonce = random.bytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
}

function unsealUnder(key: Uint8Array, sealed: Uint8Array): Uint8Array {
  if (sealed.length < nonceBytes + tagBytes) throw new KeyRingError('seal_broken', 'The seal is too short.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)),
      decipher.final(),
    ]);
  } catch (cause) {
    throw new KeyRingError('seal_broken', 'The seal does not open under its key.', { cause });
  }
}
