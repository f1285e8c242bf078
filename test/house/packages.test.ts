import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

/** What npm would warn of on the oldest Node that we support. */

interface Locked {
  readonly engines?: { readonly node?: string };
  readonly deprecated?: string;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly engines: { readonly node: string };
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}

const root = resolve(import.meta.dirname, '../..');
const manifest = read<Manifest>('package.json');
const locked = Object.entries(
  read<{ packages: Record<string, Locked> }>('package-lock.json').packages,
).filter(([path]) => path !== '');
const oldest = versionOf(manifest.engines.node.replace('>=', ''));

test('the ranges of engines are understood', () => {
  const supports = (range: string) => supportsVersion(range, [20, 19, 0]);
  for (const range of [
    '>=20',
    '>= 18',
    '^20.19.0 || >=22.12.0',
    '18 || 20 || >=22',
    '*',
    '>=12.0.0',
    '^16 || ^18 || >=20',
    '6.* || >= 10.*',
  ])
    expect([range, supports(range)]).toEqual([range, true]);
  for (const range of ['>= 22.x', '>=22', '^18', '>=20.20.0', '20.18', '^22.0.0 || >=24'])
    expect([range, supports(range)]).toEqual([range, false]);
  expect(() => supports('~20')).toThrow();
});

test('every package supports the oldest Node', () => {
  const wrong = locked.filter(([, { engines }]) => !supportsVersion(engines?.node ?? '*', oldest));
  expect(wrong.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});

test('no package is deprecated', () => {
  expect(locked.filter(([, { deprecated }]) => deprecated !== undefined).map(([path]) => path)).toEqual([]);
});

test('package.json says of each install script whether it runs', () => {
  const scripts = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
  const names = scripts.map(([path]) =>
    path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  );
  expect(names.filter((name) => !(name in (manifest.allowScripts ?? {})))).toEqual([]);
});

test('README.md has a row of the matrix for each release that it tries, the oldest among them', () => {
  const script = readFileSync(resolve(root, 'scripts/matrix.mjs'), 'utf8');
  const tried = [...(/: \[('\d+'(?:, '\d+')*)\]/.exec(script)?.[1] ?? '').matchAll(/\d+/g)].map(
    ([release]) => release,
  );
  const rows = readFileSync(resolve(root, 'README.md'), 'utf8').matchAll(
    /^\| (\d+)\.\d+\.\d+ \| \S+ [\d.]+ \| 0 \|/gm,
  );
  expect([...rows].map(([, release]) => release)).toEqual(tried);
  expect(tried[0]).toBe(String(oldest[0]));
});

/** The forms of ranges that packages use; another form is an error, so that none is misread. */
function supportsVersion(range: string, version: readonly number[]): boolean {
  return range.split('||').some((alternative) => {
    const text = alternative.trim();
    if (text === '*' || text === '') return true;
    const found = /^(>=|\^)? ?v?(\d+(?:\.\d+)*)(?:\.[x*])?$/.exec(text);
    if (found === null) throw new Error(`The range "${text}" is not understood.`);
    const least = versionOf(found[2] as string);
    if (found[1] === '>=') return compare(version, least) >= 0;
    if (found[1] === '^') return version[0] === least[0] && compare(version, least) >= 0;
    const parts = (found[2] as string).split('.').length;
    return least.slice(0, parts).every((part, index) => part === version[index]);
  });
}

function compare(one: readonly number[], other: readonly number[]): number {
  const different = one.findIndex((part, index) => part !== other[index]);
  return different === -1 ? 0 : (one[different] ?? 0) - (other[different] ?? 0);
}

function versionOf(text: string): number[] {
  const [major = 0, minor = 0, patch = 0] = text.split('.').map(Number);
  return [major, minor, patch];
}

function read<T>(path: string): T {
  return JSON.parse(readFileSync(resolve(root, path), 'utf8'));
}
