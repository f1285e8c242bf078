import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareDataDirectory, whyUnusable } from '../../src/runtime/data-directory.ts';

const directory = mkdtempSync(join(tmpdir(), 'potstream-data-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('makes its rooms, at any depth, for its owner alone, and again without harm', () => {
  const root = join(directory, 'deep/er');
  const paths = prepareDataDirectory(root);
  prepareDataDirectory(root);
  for (const path of [paths.root, paths.run, paths.logs, paths.nats, paths.keys]) {
    expect(statSync(path).mode & 0o777).toBe(0o700);
  }
});

test('a file in the way is told', () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  for (const root of [file, join(file, 'below')]) {
    expect(() => prepareDataDirectory(root)).toThrow(
      expect.objectContaining({
        code: 'data_directory_unusable',
        message: expect.stringMatching(/POTSTREAM_DATA/),
      }),
    );
  }
});

test.skipIf(!existsSync('/proc/self'))('a file system without new directories is told', () => {
  expect(() => prepareDataDirectory('/proc/potstream/data')).toThrow(
    expect.objectContaining({ code: 'data_directory_unusable' }),
  );
});

test('a full disk is told as such, before anything is started on it', () => {
  const root = join(directory, 'full');
  const full = expect.objectContaining({ code: 'disk_full', message: expect.stringContaining(root) });
  const withRoom = (availableBytes: number) => () => prepareDataDirectory(root, () => availableBytes);
  expect(withRoom(4096)).toThrow(full);
  expect(withRoom(2 ** 30)).not.toThrow();
  const refusing = () =>
    prepareDataDirectory(root, () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
  expect(refusing).toThrow(full);
});

test('a file in it that must not be read is told with its path, other failures are not its', () => {
  const failure = (code: string, path: string) =>
    Object.assign(new Error(`${code}: permission denied, open '${path}'`), { code, path });
  expect(whyUnusable('/data', failure('EACCES', '/data/credentials.json'))).toMatchObject({
    code: 'data_directory_unusable',
    message: expect.stringContaining('/data/credentials.json'),
  });
  expect(whyUnusable('/data', failure('ENOSPC', '/data/run/nats.conf'))).toMatchObject({ code: 'disk_full' });
  expect(whyUnusable('/data', failure('EACCES', '/elsewhere/nats-server'))).toBeNull();
  expect(whyUnusable('/data', new Error('something else'))).toBeNull();
});
