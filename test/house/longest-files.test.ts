import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { longestFiles } from '../support/longest-first.ts';

const repository = resolve(import.meta.dirname, '../..');

test('every file that begins a run is there, and named once', () => {
  expect(longestFiles.filter((file) => !existsSync(join(repository, file)))).toEqual([]);
  expect(new Set(longestFiles).size).toBe(longestFiles.length);
});
