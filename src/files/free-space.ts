import { statfsSync } from 'node:fs';

/** Below this a person must make room (docs/operate.md "PotstreamDiskFull"). */
export const minFreeBytes = 512 * 1024 * 1024;

/** Bytes that this user may still write below a directory; null: that cannot be found out now. */
export function freeBytesOf(directory: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return null;
  }
}
