import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** What a browser loads before it shows Home, of the built console. */

const dist = resolve(import.meta.dirname, '../../console/dist');
const maxBytes = 250_000;

const page = readFileSync(join(dist, 'index.html'), 'utf8');
const named = [...page.matchAll(/(?:src|href)="\/console\/([^"]+)"/g)].map(([, file = '']) => file);

test('the first load takes at most 250 KB, compressed', () => {
  const home = readdirSync(join(dist, 'assets')).filter((file) => /^home-.*\.js$/.test(file));
  expect(home).toHaveLength(1);
  const loaded = new Set([...named, `assets/${home[0]}`]);
  for (const file of loaded) for (const imported of importsOf(file)) loaded.add(imported);
  const sizes = [...loaded].map((file) => gzipSync(readFileSync(join(dist, file))).length);
  const total = sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
  expect(loaded.size).toBeGreaterThan(3);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(maxBytes);
});

test('each screen is loaded when a person goes there', () => {
  for (const screen of ['money', 'player', 'contribution', 'search'])
    expect(named.filter((file) => file.includes(`/${screen}-`))).toEqual([]);
});

test('the page has no script and no style of its own', () => {
  expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
});

function importsOf(file: string): string[] {
  if (!file.endsWith('.js')) return [];
  const { module } = parseSync(file, readFileSync(join(dist, file), 'utf8'));
  return module.staticImports.map(({ moduleRequest }) => join('assets', moduleRequest.value));
}
