import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

test('the built files that scripts load have a source', () => {
  const scripts = [...readdirSync(join(root, 'scripts')).map((name) => `scripts/${name}`), 'bin/potstream'];
  const loaded = scripts.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/dist\/((?:src|bench)\/[\w./-]+)\.js/g)].map(([, path]) => `${path}.ts`);
  });
  expect(loaded.length).toBeGreaterThan(4);
  expect(loaded.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
