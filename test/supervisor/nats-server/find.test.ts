import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findNatsServer } from '../../../src/supervisor/nats-server/find.ts';

const directory = mkdtempSync(join(tmpdir(), 'potstream-find-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A program that tells this version and does nothing else. */
function serverOfVersion(version: string): string {
  const folder = join(directory, version);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'nats-server');
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(path, 0o755);
  return path;
}

const find = (options: { namedPath?: string; searchPath?: string; privatePath?: string }) =>
  findNatsServer({
    namedPath: options.namedPath ?? null,
    searchPath: options.searchPath ?? '',
    privatePath: options.privatePath ?? join(directory, 'none/nats-server'),
    print: () => {},
  });

test('the named one wins', async () => {
  const [named, other] = [serverOfVersion('2.15.1'), serverOfVersion('2.16.0')];
  const found = await find({ namedPath: named, searchPath: join(other, '..') });
  expect(found.path).toBe(named);
});

test('a named one that is too old is an error, whatever else there is', async () => {
  const attempt = find({ namedPath: serverOfVersion('2.10.3'), privatePath: serverOfVersion('2.15.1') });
  await expect(attempt).rejects.toMatchObject({
    code: 'nats_server_unsuitable',
    message: expect.stringMatching(/2\.10\.3.*>= 2\.15 < 3/),
  });
});

test('a named one that is not there is an error', async () => {
  await expect(find({ namedPath: join(directory, 'nowhere') })).rejects.toMatchObject({
    code: 'nats_server_unsuitable',
    message: expect.stringContaining('nowhere'),
  });
});

test('the private copy is used where the PATH has only an old one', async () => {
  const privatePath = serverOfVersion('2.15.2');
  const found = await find({ searchPath: join(serverOfVersion('2.9.0'), '..'), privatePath });
  expect(found.path).toBe(privatePath);
});
