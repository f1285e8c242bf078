import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, readText } from './support/modules.ts';

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

// Caught: a room that had gone, which the table of folders still explained.
test('ARCHITECTURE.md explains folders that are there', () => {
  const text = readFileSync(resolve(root, 'ARCHITECTURE.md'), 'utf8');
  const named = [...text.matchAll(/`((?:[a-z0-9-]+\/)+[a-z0-9-]+)`/g)].map(([, path = '']) => path);
  const missing = named.filter(
    (path) => !['', 'src'].some((folder) => existsSync(resolve(root, folder, path))),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});

// Caught: a setting without the end of its name, in the line that an operator follows at night.
test('documents name settings that something reads', () => {
  const code = listFiles(['src', 'tools', 'scripts', 'bench', 'test', 'deploy']).map(readText).join('\n');
  const known = new Set(code.match(/\bPOTSTREAM_[A-Z0-9_]+/g));
  const pages = listFiles(['*.md', 'docs', 'sdk/README.md']).filter((file) =>
    /(?<!CHANGELOG)\.md$/.test(file),
  );
  const unknown = pages.flatMap((file) =>
    [...new Set(readText(file).match(/\bPOTSTREAM_[A-Z0-9_]*[A-Z0-9]/g))]
      .filter((name) => !known.has(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

test('the built files that scripts load have a source', () => {
  const scripts = [...readdirSync(join(root, 'scripts')).map((name) => `scripts/${name}`), 'bin/potstream'];
  const loaded = scripts.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return [...text.matchAll(/dist\/((?:src|tools|bench)\/[\w./-]+)\.js/g)].map(([, path]) => `${path}.ts`);
  });
  expect(loaded.length).toBeGreaterThan(4);
  expect(loaded.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
