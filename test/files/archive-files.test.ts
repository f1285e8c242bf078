import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ArchiveFiles } from '../../src/files/archive-files.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'potstream-test-archive-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it('stores objects in folders that only their owner may read', async () => {
  const files = new ArchiveFiles(join(directory, 'archive'));
  expect([await files.list(), await files.get('0/a'), await files.has('0/a')]).toEqual([[], null, false]);
  await files.put('0/b', new Uint8Array([1, 2]));
  await files.put('0/a', [new Uint8Array([3]), new Uint8Array([4, 5])]);
  await files.put('1/a', new Uint8Array(0));
  expect(await files.list()).toEqual(['0/a', '0/b', '1/a']);
  expect([...((await files.get('0/a')) as Uint8Array)]).toEqual([3, 4, 5]);
  const path = join(directory, 'archive', '0');
  expect([(await stat(path)).mode & 0o777, (await stat(join(path, 'a'))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
  await files.remove('0/a');
  await files.remove('0/a');
  expect([await files.has('0/a'), await files.has('0/b')]).toEqual([false, true]);
});

it('replaces an object as a whole, and knows nothing of what a killed process left half written', async () => {
  const files = new ArchiveFiles(directory);
  await files.put('0/a', new Uint8Array(1000).fill(1));
  await writeFile(join(directory, '0', 'a.0123456789abcdef.draft'), new Uint8Array(10));
  await Promise.all([2, 3].map((byte) => files.put('0/a', new Uint8Array(1000).fill(byte))));
  const bytes = (await files.get('0/a')) as Uint8Array;
  expect([2, 3]).toContain(bytes[0]);
  expect(new Set(bytes).size).toBe(1);
  expect(await files.list()).toEqual(['0/a']);
  expect(await readdir(join(directory, '0'))).toHaveLength(2);
});

it.each(['', '/a', 'a/', 'a//b', '../a', 'a/../../b', 'a\0', 'a/.draft/../..'])(
  'refuses the name %j',
  async (name) => {
    const files = new ArchiveFiles(directory);
    await expect(files.put(name, new Uint8Array(1))).rejects.toThrow('cannot be the name');
  },
);
