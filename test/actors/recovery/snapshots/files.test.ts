import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSnapshotFiles } from '../../../../src/actors/recovery/snapshots/files.ts';

const header = { lane: 1, sequence: 7, timestampMs: 1_700_000_000_000, laneHead: new Uint8Array(32) };
const partBytes = 700_000;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-snapshots-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function part(number: number): Uint8Array {
  return new Uint8Array(partBytes).fill(number);
}

it.each([0, 2, 99])('a file has all its parts in order, hurried from part %d on', async (hurriedFrom) => {
  const files = openSnapshotFiles(directory);
  const draft = await files.create(header);
  const parts = [part(1), Uint8Array.of(1, 2), part(2), part(3), Uint8Array.of(3), Uint8Array.of(4)];
  for (const [number, bytes] of parts.entries()) {
    if (number === hurriedFrom) draft.hurry();
    await draft.write(bytes);
  }
  expect(await files.list(1)).toEqual([]);
  await draft.commit();
  expect(await files.list(1)).toEqual([{ sequence: 7, timestampMs: header.timestampMs }]);
  expect(Buffer.compare((await files.read(1, header))!, Buffer.concat(parts))).toBe(0);
});

it('leaves nothing of a file that was discarded', async () => {
  const files = openSnapshotFiles(directory);
  const draft = await files.create(header);
  await draft.write(part(1));
  await draft.discard();
  expect(readdirSync(join(directory, '1'))).toEqual([]);
});
