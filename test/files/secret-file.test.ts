import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createSecretFile,
  isSecretFile,
  readSecretFile,
  replaceSecretFile,
} from '../../src/files/secret-file.ts';

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-secret-'));
  path = join(directory, 'key');
});
afterEach(() => {
  chmodSync(directory, 0o700);
  rmSync(directory, { recursive: true });
});

const refusal = (message: string): Error => new Error(message);

test('the first of two that create a file wins, and nothing lies beside it', () => {
  expect([createSecretFile(path, 'first'), createSecretFile(path, 'second')]).toEqual([true, false]);
  expect(readSecretFile(path, refusal)).toBe('first');
  expect(readdirSync(directory)).toEqual(['key']);
});

test('a file is replaced as a whole, and only its owner may read either', () => {
  createSecretFile(path, 'first');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  replaceSecretFile(path, 'second');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readSecretFile(path, refusal)).toBe('second');
  expect(readdirSync(directory)).toEqual(['key']);
});

test('where the place is taken by a directory the failure is told, and no draft is left', () => {
  expect(() => replaceSecretFile(directory, 'text')).toThrow();
  expect(
    readdirSync(join(directory, '..')).filter((name) => name.startsWith(`${directory.split('/').at(-1)}.`)),
  ).toEqual([]);
});

test('one that others may read is refused, one that is not there is null', () => {
  expect(readSecretFile(path, refusal)).toBeNull();
  createSecretFile(path, 'text');
  chmodSync(path, 0o640);
  expect(() => readSecretFile(path, refusal)).toThrow(`${path} must have mode 0600.`);
  expect(readFileSync(path, 'utf8')).toBe('text');
});

test('one of root may be read by a group of this process, as Kubernetes mounts it, and by nobody else', () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  vi.spyOn(process, 'getgroups').mockReturnValue([1000]);
  const judged = (mode: number, uid: number, gid: number) => isSecretFile({ mode, uid, gid } as Stats);
  expect(judged(0o100440, 0, 1000)).toBe(true);
  // A credential of systemd, whose access list names this user.
  expect(judged(0o100440, 0, 0)).toBe(true);
  expect(judged(0o100600, 1000, 1000)).toBe(true);
  for (const [mode, uid, gid] of [
    [0o100440, 0, 5],
    [0o100440, 1000, 1000],
    [0o100460, 0, 1000],
    [0o100444, 0, 1000],
  ] as const)
    expect(judged(mode, uid, gid)).toBe(false);
  vi.restoreAllMocks();
});
