import { join } from 'node:path';
import { defaultActorSettings } from '../../actors/ports/actor-ports.ts';
import { openSnapshotFiles } from '../../actors/recovery/snapshots/files.ts';
import { partsOfBytes, readInParts, type SnapshotChunks } from '../../actors/recovery/snapshots/parts.ts';
import { readableBatch } from '../../actors/replica/quarantines.ts';
import type { Settings } from '../../config/settings.ts';
import { type StoredLane, snapshotVersion } from '../../jackpot/lane/snapshots/copy.ts';
import type { StoredInstance } from '../../jackpot/lane/snapshots/instance-facts.ts';
import { fromHex } from '../../lib/bytes.ts';
import { unframe } from '../../lib/json-chunks.ts';
import { archivedSnapshotName, archivedSnapshots } from '../../log/archive/snapshot-names.ts';
import type { LoggedCommand } from '../../messages/commands.ts';
import type { CommittedSeed } from '../../messages/lane-commands.ts';
import { type Follower, type Log, LogError, type StoredCommand } from '../../ports.ts';

/** The seed of an epoch that is not revealed yet. */
export type SealedSeed = CommittedSeed & { readonly instance: string };

/** The follower waits for a lost server without limit; `doctor` does not. */
const maxSilenceMs = 10_000;

type Place = Pick<Settings, 'dataDirectory' | 'lanes'>;

/** By instance and epoch. */
type Seeds = Map<string, SealedSeed>;

/** The sealed seeds of the newest snapshots, and of the log after them if there is one. */
export async function readSealedSeeds(settings: Place, log: Log | null): Promise<SealedSeed[]> {
  const all: SealedSeed[] = [];
  for (let lane = 0; lane < settings.lanes; lane += 1) {
    const lastSequence = log === null ? 0 : await lastCommand(log, lane);
    const snapshot =
      (await localSnapshot(settings, lane)) ??
      (log === null ? null : await archived(log, lane, lastSequence));
    const seeds: Seeds = new Map();
    if (snapshot !== null) addSeedsOf(snapshot, seeds);
    if (log !== null) await followTo(log, lane, (snapshot?.sequence ?? 0) + 1, lastSequence, seeds);
    all.push(...seeds.values());
  }
  return all;
}

/** 0 where the stream is not there: the system has never been started. */
async function lastCommand(log: Log, lane: number): Promise<number> {
  try {
    return await log.lastCommand(lane);
  } catch (error) {
    if (error instanceof LogError && error.code === 'misconfigured') return 0;
    throw error;
  }
}

async function localSnapshot(settings: Place, lane: number): Promise<SnapshotChunks | null> {
  const files = openSnapshotFiles(join(settings.dataDirectory, 'snapshots'));
  for (const name of await files.list(lane)) {
    const snapshot = await usable(await files.readParts(lane, name));
    if (snapshot !== null) return snapshot;
  }
  return null;
}

/** A short log is read from its beginning: its lane may have no archive, which would then be made. */
async function archived(log: Log, lane: number, lastSequence: number): Promise<SnapshotChunks | null> {
  if (lastSequence <= defaultActorSettings.snapshotEveryMessages) return null;
  const archive = await log.archive('SNAPSHOTS');
  for (const name of await archivedSnapshots(archive, lane)) {
    const bytes = await archive.get(archivedSnapshotName(lane, name));
    const snapshot = await usable(bytes === null ? null : partsOfBytes(bytes));
    if (snapshot !== null) return snapshot;
  }
  return null;
}

/** null where it is torn, or of an engine with another form of state: as a lane passes over it. */
async function usable(parts: AsyncIterable<Uint8Array> | null): Promise<SnapshotChunks | null> {
  const snapshot = parts === null ? null : await readInParts(parts);
  const chunks = [...(snapshot?.chunks ?? [])];
  const [first] = chunks;
  if (snapshot === null || first === undefined) return null;
  const lane = unframe(first).facts as Partial<StoredLane>;
  return lane.type === 'lane' && lane.version === snapshotVersion ? { ...snapshot, chunks } : null;
}

function addSeedsOf(snapshot: SnapshotChunks, seeds: Seeds): void {
  for (const chunk of snapshot.chunks) {
    const stored = unframe(chunk).facts as StoredInstance | { readonly type: 'end' };
    if (stored.type !== 'instance') continue;
    const instance = stored.facts.id;
    for (const { epoch, commit, sealed, keyId } of stored.seeds) {
      add(seeds, { instance, epoch, commit: fromHex(commit), sealed: fromHex(sealed), keyId });
    }
  }
}

async function followTo(log: Log, lane: number, from: number, last: number, seeds: Seeds): Promise<void> {
  if (from > last) return;
  let follower: Follower | null = null;
  let silence: NodeJS.Timeout | undefined;
  const reached = new Promise<void>((resolve, reject) => {
    const message = (stored: StoredCommand): void => {
      silence?.refresh();
      for (const command of commandsOfOwner(stored)) take(command, seeds);
      if (stored.sequence >= last) resolve();
    };
    follower = log.follow(lane, from, { message });
    follower.done.catch(reject);
    silence = setTimeout(() => {
      reject(new LogError('unavailable', `Nothing of lane ${lane} was read for ${maxSilenceMs / 1000} s.`));
    }, maxSilenceMs);
  });
  await reached.finally(() => {
    clearTimeout(silence);
    return follower?.stop();
  });
}

/** What the lane's owner wrote by itself: only there are epochs opened and revealed. */
function commandsOfOwner(stored: StoredCommand): readonly LoggedCommand[] {
  return stored.channel === 'control' ? (readableBatch(stored.bytes)?.commands ?? []) : [];
}

function take(command: LoggedCommand, seeds: Seeds): void {
  if (command.kind === 'OpenEpoch') {
    for (const seed of command.seeds) add(seeds, { ...seed, instance: command.instance });
  } else if (command.kind === 'RevealEpoch') {
    seeds.delete(keyOf(command));
  }
}

/** The first seed that is committed counts, as it does in the lane. */
function add(seeds: Seeds, seed: SealedSeed): void {
  const key = keyOf(seed);
  if (!seeds.has(key)) seeds.set(key, seed);
}

function keyOf({ instance, epoch }: { readonly instance: string; readonly epoch: number }): string {
  return `${epoch}:${instance}`;
}
