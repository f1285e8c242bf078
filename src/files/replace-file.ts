import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './directories.ts';

const ownerOnly = 0o600;

/**
 * Replaces a file, mode 0600, in one step and durably: after a crash it is the old one or the new one, whole.
 * @throws file system errors
 */
export async function replaceFile(
  path: string,
  bytes: Uint8Array | readonly Uint8Array[] | string,
): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}${draftSuffix}`;
  try {
    const file = await open(draft, 'wx', ownerOnly);
    try {
      for (const part of Array.isArray(bytes) ? bytes : [bytes]) await file.writeFile(part);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  await syncDirectory(dirname(path));
}

/** What a killed process may leave ends so. */
export const draftSuffix = '.draft';
