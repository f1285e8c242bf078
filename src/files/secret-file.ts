import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs';

const ownerOnly = 0o600;
const readableByOthers = 0o077;
const groupMayRead = 0o040;

/**
 * The text of a file with keys; null if it is missing.
 * @throws `refusal(message)` if others may read it; other file system errors
 */
export function readSecretFile(path: string, refusal: (message: string) => Error): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!isSecretFile(statSync(path))) throw refusal(`${path} must have mode 0600.`);
  return text;
}

/**
 * Whether only its owner may read a file; or it is root's, and of a group of this process, as Kubernetes
 * mounts secrets (docs/decisions/0042), or of root's group, as systemd gives credentials: an access list lets
 * this user read them.
 */
export function isSecretFile({ mode, uid, gid }: Stats): boolean {
  const others = mode & readableByOthers;
  if (others === 0) return true;
  const groups = [0, ...(process.getgroups?.() ?? [])];
  const isMounted = uid === 0 && process.getuid?.() !== 0 && groups.includes(gid);
  return isMounted && others === groupMayRead;
}

/** Creates a file of mode 0600 in one step. False: it exists already and stays as it is. */
export function createSecretFile(path: string, text: string): boolean {
  try {
    putInPlace(path, text, linkSync);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Writes a file of mode 0600 in one step: readers see the old content or the new one. */
export function replaceSecretFile(path: string, text: string): void {
  putInPlace(path, text, renameSync);
}

function putInPlace(path: string, text: string, put: (draft: string, path: string) => void): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: ownerOnly, flag: 'wx', flush: true });
    put(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}
