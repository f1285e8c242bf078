import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts';

/** The part of `<data>/credentials.json` that `up` writes; the demo completes it. */
type AdministratorCredentials = { readonly username: string; readonly password: string };

/** `isNew`: the file had no password, so it is the administrator's only if the account is made now. */
type PreparedCredentials = AdministratorCredentials & { readonly isNew: boolean };

export type Addresses = { readonly baseUrl: string; readonly operationsUrl: string };

/**
 * Writes the addresses of this start and returns the administrator's credentials, stored or new. They are on
 * disk before the account is created, so an interrupted start loses no password.
 * @returns null where the password was removed from the file
 */
export function prepareCredentials(path: string, addresses: Addresses): PreparedCredentials | null {
  const present = readStored(path);
  const addressed = { ...present, base_url: addresses.baseUrl, ops_url: addresses.operationsUrl };
  if (present.admin?.password === null) {
    writeJsonFile(path, addressed);
    return null;
  }
  const admin = {
    username: present.admin?.username ?? 'admin',
    password: present.admin?.password ?? newPassword(),
  };
  writeJsonFile(path, { ...addressed, admin });
  return { ...admin, isNew: present.admin?.password === undefined };
}

/** Removes the first administrator's password from the file, for good. @returns false where there is none */
export function removePassword(path: string): boolean {
  const present = readStored(path);
  if (typeof present.admin?.password !== 'string') return false;
  writeJsonFile(path, { ...present, admin: { ...present.admin, password: null } });
  return true;
}

interface Stored {
  readonly admin?: { readonly username?: string; readonly password?: string | null };
}

function readStored(path: string): Stored {
  return (readJsonFile(path) ?? {}) as Stored;
}

/** 24 random bytes as text. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
