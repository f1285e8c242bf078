import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSecretFile, readSecretFile } from '../../files/secret-file.ts';
import { toHex } from '../../lib/bytes.ts';
import type { Random } from '../../ports.ts';

const fileName = 'accounts.key';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts the secrets in KV ACCOUNTS under the key in `<keys directory>/accounts.key` (mode 0600). */
export interface Sealer {
  /** AES-256-GCM: nonce 12 ‖ ciphertext ‖ tag 16, in base64url. Only the same `label` opens it. */
  seal(secret: string, label: string): string;
  /** @throws Error if the key or the label is another one, or the bytes are damaged */
  open(sealed: string, label: string): string;
  /** 32 bytes that only holders of the key file can derive, others for each purpose and salt. */
  derivedKey(purpose: string, salt: Uint8Array): Uint8Array;
}

/** The key file cannot be used. */
export class SealKeyError extends Error {
  readonly code = 'seal_key_invalid';
  readonly retryable = false;
}

/** Opens or creates the key file, 32 bytes in hex. @throws SealKeyError if others may read it, too */
export function openSealer(keysDirectory: string, random: Random): Sealer {
  mkdirSync(keysDirectory, { recursive: true, mode: 0o700 });
  const path = join(keysDirectory, fileName);
  const key = readKey(path) ?? createKey(path, random);
  return {
    seal(secret, label) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(label, 'utf8'));
      const parts = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(parts).toString('base64url');
    },
    open(sealed, label) {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(label, 'utf8'));
      decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
      const opened = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes));
      return Buffer.concat([opened, decipher.final()]).toString('utf8');
    },
    derivedKey: (purpose, salt) => new Uint8Array(hkdfSync('sha256', key, salt, purpose, keyBytes)),
  };
}

/** Whether the key file exists. @throws SealKeyError if it is not a key or others may read it */
export function hasSealKey(keysDirectory: string): boolean {
  return readKey(join(keysDirectory, fileName)) !== null;
}

function readKey(path: string): Buffer | null {
  const text = readSecretFile(path, (message) => new SealKeyError(message));
  if (text === null) return null;
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SealKeyError(`${path} is not a key.`);
  return Buffer.from(text, 'hex');
}

/** If two processes start at the same time, the file of the first stays. */
function createKey(path: string, random: Random): Buffer {
  createSecretFile(path, toHex(random.bytes(keyBytes)));
  return readKey(path) as Buffer;
}
