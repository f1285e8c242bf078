import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from '../../src/files/json-file.ts';
import type { WalletKeys } from './server.ts';

/** Where the reference wallet keeps what is its own. */
export function referenceWalletPaths(dataDirectory: string) {
  const directory = join(dataDirectory, 'reference-wallet');
  return { directory, keys: join(directory, 'keys.json'), database: join(directory, 'wallet.db') };
}

const keysShape = z.object({ bearer_key: z.string().min(1), hmac_secret: z.string().min(1) });
const secretBytes = 32;

/** The keys that callers need: those in the file (mode 0600), or new ones that are then in it. */
export function ensureKeys(dataDirectory: string): WalletKeys {
  const paths = referenceWalletPaths(dataDirectory);
  mkdirSync(paths.directory, { recursive: true, mode: 0o700 });
  const present = readKeys(dataDirectory);
  if (present !== null) return present;
  const made = { bearer_key: newSecret(), hmac_secret: newSecret() };
  writeJsonFile(paths.keys, made);
  return { bearerKey: made.bearer_key, hmacSecret: made.hmac_secret };
}

/** null: there is no reference wallet with this data. */
export function readKeys(dataDirectory: string): WalletKeys | null {
  const stored = readJsonFile(referenceWalletPaths(dataDirectory).keys);
  if (stored === null) return null;
  const { bearer_key, hmac_secret } = keysShape.parse(stored);
  return { bearerKey: bearer_key, hmacSecret: hmac_secret };
}

function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}
