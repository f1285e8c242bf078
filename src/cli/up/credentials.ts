import { randomBytes } from 'node:crypto';
import { readJsonFile, writeJsonFile } from '../../supervisor/json-file.ts';

/** The part of `<data>/credentials.json` that `up` writes; the demo completes it. */
export type AdministratorCredentials = { readonly username: string; readonly password: string };

export type Addresses = { readonly baseUrl: string; readonly operationsUrl: string };

/**
 * Writes the addresses of this start and gives the administrator's credentials: those that are there, or new ones.
 * They are on the disk before anybody is created with them, so a start that is cut off loses no password.
 */
export function prepareCredentials(path: string, addresses: Addresses): AdministratorCredentials {
  const present = (readJsonFile(path) ?? {}) as { admin?: Partial<AdministratorCredentials> };
  const admin = {
    username: present.admin?.username ?? 'admin',
    password: present.admin?.password ?? newPassword(),
  };
  writeJsonFile(path, {
    ...present,
    base_url: addresses.baseUrl,
    ops_url: addresses.operationsUrl,
    admin,
  });
  return admin;
}

/** 24 random bytes as text. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}
