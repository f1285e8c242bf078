import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'])('%s names files that are there', (page) => {
  const text = readFileSync(resolve(root, page), 'utf8');
  const named = [...text.matchAll(/`((?:[a-z0-9.-]+\/)+[a-z0-9.-]+\.[a-z]+)`/g)].map(([, path = '']) => path);
  const made = /^(\.potstream|data|dist)\//;
  const missing = named.filter(
    (path) => !made.test(path) && ![path, `src/${path}`].some((each) => existsSync(resolve(root, each))),
  );
  expect(missing).toEqual([]);
});
