import { type FileHandle, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { orNull, syncDirectory } from '../../../files/directories.ts';
import { concatenate } from '../../../lib/bytes.ts';
import {
  newestSnapshotFirst,
  parseSnapshotFileName,
  type SnapshotName,
  snapshotFileName,
} from '../../../log/archive/snapshot-names.ts';
import type { SnapshotDraft, SnapshotStore } from '../../ports/snapshot-store.ts';

const ownerOnly = 0o600;
/** Several chunks: few of them lie across two parts. */
const partBytes = 4 * 1024 * 1024;
/** Fewer bytes, such as the length of a chunk, wait for those after them. */
const smallBytes = 64;
/**
 * Bytes handed to the disk at once: what the log syncs meanwhile waits for no more than these. With fewer the
 * turns of the event loop between two syncs, and not the disk, decide how long a large snapshot takes.
 */
const syncEveryBytes = 512 * 1024;
/** The same where the process ends: other lanes that drain wait for no more than these. */
const hurriedSyncEveryBytes = 8 * 1024 * 1024;
/** After each sync the disk is left to others for this many times as long as it took. */
const giveWayFactor = 3;

/** Snapshots as files `<directory>/<lane>/<sequence>-<time>.snapshot`. */
export function openSnapshotFiles(directory: string): SnapshotStore {
  const laneDirectory = (lane: number): string => join(directory, String(lane));
  const pathOf = (lane: number, name: SnapshotName): string =>
    join(laneDirectory(lane), snapshotFileName(name));
  return {
    async list(lane) {
      const files = await orNull(readdir(laneDirectory(lane)));
      const names = (files ?? []).map(parseSnapshotFileName).filter((name) => name !== null);
      return names.sort(newestSnapshotFirst);
    },
    read: (lane, name) => orNull(readFile(pathOf(lane, name))),
    async readParts(lane, name) {
      const file = await orNull(open(pathOf(lane, name), 'r'));
      return file === null ? null : partsOf(file);
    },
    async create(header) {
      await mkdir(laneDirectory(header.lane), { recursive: true, mode: 0o700 });
      // One draft a lane: what a killed process left of the last one is overwritten.
      const draftPath = join(laneDirectory(header.lane), 'draft');
      const file = await open(draftPath, 'w', ownerOnly);
      return fileDraft(file, draftPath, pathOf(header.lane, header), laneDirectory(header.lane));
    },
    remove: (lane, name) => rm(pathOf(lane, name), { force: true }),
  };
}

async function* partsOf(file: FileHandle): AsyncIterable<Uint8Array> {
  const next = async (): Promise<Uint8Array> => {
    const part = Buffer.allocUnsafeSlow(partBytes);
    const { bytesRead } = await file.read(part, 0, partBytes);
    return part.subarray(0, bytesRead);
  };
  let reading = next();
  try {
    for (;;) {
      const part = await reading;
      if (part.length === 0) return;
      reading = next();
      yield part;
    }
  } finally {
    // What is under way ends before the file is closed; its own error is no news here.
    await reading.catch(() => {});
    await file.close();
  }
}

function fileDraft(file: FileHandle, draftPath: string, finalPath: string, directory: string): SnapshotDraft {
  let small: Uint8Array = new Uint8Array(0);
  let unsyncedBytes = 0;
  let isHurried = false;
  const append = async (bytes: Uint8Array): Promise<void> => {
    const parts = small.length === 0 ? [bytes] : [small, bytes];
    small = new Uint8Array(0);
    await writeAll(file, parts);
    unsyncedBytes += bytes.length;
    if (unsyncedBytes < (isHurried ? hurriedSyncEveryBytes : syncEveryBytes)) return;
    unsyncedBytes = 0;
    if (isHurried) await file.datasync();
    else await syncAndGiveWay(file);
  };
  return {
    async write(bytes) {
      if (bytes.length + small.length <= smallBytes) {
        small = concatenate([small, bytes]);
        return;
      }
      for (let at = 0; at < bytes.length; ) {
        const part = bytes.subarray(at, at + (isHurried ? hurriedSyncEveryBytes : syncEveryBytes));
        at += part.length;
        await append(part);
      }
    },
    hurry() {
      isHurried = true;
    },
    async commit() {
      await append(new Uint8Array(0));
      await file.sync();
      await file.close();
      await rename(draftPath, finalPath);
      await syncDirectory(directory);
    },
    async discard() {
      await file.close();
      await rm(draftPath, { force: true });
    },
  };
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  const { bytesWritten } = await file.writev(parts);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (bytesWritten < bytes) await file.writeFile(concatenate(parts).subarray(bytesWritten));
}

async function syncAndGiveWay(file: FileHandle): Promise<void> {
  const beganMs = performance.now();
  await file.datasync();
  await delay(Math.ceil(giveWayFactor * (performance.now() - beganMs)));
}
