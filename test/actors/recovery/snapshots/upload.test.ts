import { expect, it } from 'vitest';
import { uploadSnapshot } from '../../../../src/actors/recovery/snapshots/upload.ts';
import { archivedSnapshots } from '../../../../src/log/archive/snapshot-names.ts';
import { type Archive, LogError } from '../../../../src/ports.ts';

const dayMs = 86_400_000;
const keptMs = 35 * dayMs;

/** An archive of an object store that is limited to so many objects. */
function limitedTo(maxObjects: number): Archive {
  const objects = new Map<string, Uint8Array>();
  return {
    async put(name, bytes) {
      if (!objects.has(name) && objects.size >= maxObjects)
        throw new LogError('unavailable', 'maximum bytes');
      objects.set(name, bytes as Uint8Array);
    },
    get: async (name) => objects.get(name) ?? null,
    has: async (name) => objects.has(name),
    list: async () => [...objects.keys()],
    remove: async (name) => void objects.delete(name),
  };
}

async function upload(archive: Archive, sequence: number, timestampMs: number): Promise<void> {
  await uploadSnapshot(archive, 0, { sequence, timestampMs }, Uint8Array.of(sequence), keptMs);
}

const sequencesOf = async (archive: Archive) =>
  (await archivedSnapshots(archive, 0)).map(({ sequence }) => sequence);

it('a full archive takes the newest snapshot in the place of one that need not be kept any more', async () => {
  const archive = limitedTo(4);
  for (const sequence of [10, 20, 30, 40, 50, 60]) await upload(archive, sequence, dayMs + sequence);
  expect(await sequencesOf(archive)).toEqual([60, 50, 40]);
  const full = limitedTo(3);
  for (const sequence of [10, 20, 30, 40, 50, 60]) await upload(full, sequence, dayMs + sequence);
  expect(await sequencesOf(full)).toEqual([60, 50, 40]);
});

it('removes nothing that must be kept, and tells of it', async () => {
  const archive = limitedTo(3);
  for (const day of [1, 2, 3]) await upload(archive, day, day * dayMs);
  await expect(upload(archive, 4, 4 * dayMs)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await sequencesOf(archive)).toEqual([3, 2, 1]);
});
