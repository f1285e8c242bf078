import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import {
  files,
  filesWith,
  folderOf,
  type Import,
  imports,
  sources,
  specifiersOf,
  texts,
} from './support/imports.ts';

/** Imports go in one direction; the table is that of ARCHITECTURE.md. */

const maxFileLines = 400;

/** Which of our folders a folder may import beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  files: [],
  network: [],
  'ports.ts': [],
  messages: ['lib', 'ports.ts'],
  jackpot: ['lib', 'messages'],
  // An independent recomputation: it shares nothing with the engine, not even lib; hash functions are handed in.
  verifier: [],
  directory: ['lib', 'messages', 'contracts'],
  contracts: ['lib', 'messages'],
  access: ['lib', 'ports.ts', 'contracts', 'files'],
  audit: ['lib', 'ports.ts'],
  log: ['lib', 'ports.ts', 'messages', 'contracts', 'files'],
  actors: ['lib', 'ports.ts', 'messages', 'audit', 'log', 'contracts', 'jackpot', 'files'],
  storage: ['lib', 'ports.ts', 'log'],
  runtime: ['lib', 'contracts', 'files', 'config.ts'],
  supervisor: ['lib', 'log', 'files', 'runtime'],
  outbound: ['lib', 'network'],
  gateway: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'audit', 'log', 'network'],
  fanout: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'log', 'network'],
  wallet: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'log', 'outbound'],
  outbox: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'log', 'network', 'outbound'],
  'reference-wallet': ['lib', 'contracts', 'files', 'wallet'],
  conformance: ['lib', 'contracts', 'outbound', 'wallet'],
  demo: [
    'lib',
    'messages',
    'contracts',
    'directory',
    'access',
    'files',
    'gateway',
    'wallet',
    'reference-wallet',
  ],
};

/** The composition file of a role or of a thread takes settings, adapters and what every role runs on. */
const composition =
  /^((gateway|actors|fanout|wallet|outbox|storage|reference-wallet|demo)\/main|actors\/epoch-thread)\.ts$/;
const compositionMayImport = ['config.ts', 'wiring.ts', 'runtime'];
/** These put things together. */
const everything = /^(start\.ts|main\.ts|roles\.ts|wiring\.ts|config\.ts|cli\/)/;

test('there is something to look at', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(imports.length).toBeGreaterThan(100);
});

test('the parser sees every way to import', () => {
  const text = `
    import a from './a.ts';
    import type { B } from "./b.ts";
    import {
      c,
      d,
    } from './c.ts';
    import './effect.ts';
    export { e } from './e.ts';
    export type * from './f.ts';
    const g = await import('./g.ts');
    type H = import('./h.ts').H;
    // import nothing from './comment.ts'
  `;
  const names = ['a', 'b', 'c', 'effect', 'e', 'f', 'g', 'h'];
  expect(specifiersOf(text).toSorted()).toEqual(names.map((name) => `./${name}.ts`).toSorted());
});

test('every folder is in the table', () => {
  const folders = new Set(files.filter((file) => file.includes('/')).map(folderOf));
  folders.delete('cli');
  expect([...folders].filter((folder) => !(folder in mayImport))).toEqual([]);
});

test('ARCHITECTURE.md has the same table', () => {
  const text = readFileSync(resolve(sources, '../ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z.-]+)` \| [^|]* \| ([^|]*) \|$/gm)].map(
    ([, folder = '', allowed = '']) =>
      [folder, allowed === '–' ? [] : allowed.split(', ').toSorted()] as const,
  );
  const folders = Object.entries(mayImport).filter(([folder]) =>
    files.some((file) => folderOf(file) === folder),
  );
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(folders.map(([folder, allowed]) => [folder, allowed.toSorted()])),
  );
});

test('imports between folders go in one direction', () => {
  const isOurs = (target: string | null) => target !== null && !target.startsWith('../');
  const wrong = imports.filter(({ file, target }) => isOurs(target) && !isAllowed(file, target ?? ''));
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('relative imports stay inside src, but for a command that uses the SDK, and name a file that is there', () => {
  const isOfSdk = ({ file, target }: Import) =>
    target === '../sdk/src/index.ts' && file.startsWith('cli/send/');
  const wrong = imports.filter((each) => each.target !== null && !texts.has(each.target) && !isOfSdk(each));
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('the pure folders import no package and nothing of Node', () => {
  const pure = /^(jackpot|directory|verifier|messages\/(?!codec\/))/;
  const wrong = imports.filter(({ file, target }) => pure.test(file) && target === null);
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('neither the engine nor a message knows how messages are encoded', () => {
  const wrong = imports.filter(
    ({ file, target }) =>
      target?.startsWith('messages/codec/') && /^(jackpot|messages\/(?!codec\/))/.test(file),
  );
  expect(imports.some(({ target }) => target === 'messages/codec/codec.ts')).toBe(true);
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('the verifier belongs to the command line and the page: nothing else imports it', () => {
  const importers = imports.filter(
    ({ file, target }) => target?.startsWith('verifier/') && folderOf(file) !== 'verifier',
  );
  const wrong = importers.filter(({ file }) => !file.startsWith('cli/verify/'));
  expect(importers.length).toBeGreaterThan(0);
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('only the log speaks NATS', () => {
  const wrong = imports.filter(
    ({ file, specifier }) => specifier.startsWith('@nats-io/') && folderOf(file) !== 'log',
  );
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('what operators name is called through outbound alone', () => {
  const rooms = ['gateway', 'actors', 'fanout', 'wallet', 'outbox', 'access', 'directory', 'log', 'lib'];
  const wrong = imports.filter(
    ({ file, specifier }) =>
      folderOf(file) !== 'outbound' && /^(undici|(node:)?(https|http2|dns|dns\/promises))$/.test(specifier),
  );
  expect(imports.some(({ specifier }) => specifier === 'undici')).toBe(true);
  expect(wrong.filter(({ file }) => rooms.includes(folderOf(file))).map(({ file }) => file)).toEqual([]);
  const fetching = filesWith(/(?<![.\w#])fetch\(/).filter((file) => rooms.includes(folderOf(file)));
  expect(fetching).toEqual([]);
});

test('only the gateway has an HTTP framework, and its operations know nothing of it', () => {
  const fastify = imports.filter(({ specifier }) => /^(@fastify\/|fastify$)/.test(specifier));
  const wrong = fastify.filter(
    ({ file }) => folderOf(file) !== 'gateway' || file.startsWith('gateway/operations/'),
  );
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('what operations share imports none of them', () => {
  const inGateway = /^gateway\/(?!operations\/|main\.ts$)/;
  const wrong = imports.filter(
    ({ file, target }) => inGateway.test(file) && target?.startsWith('gateway/operations/') === true,
  );
  expect(imports.some(({ file }) => file.startsWith('gateway/contribution/'))).toBe(true);
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('exactly one file names uWebSockets.js', () => {
  const importers = imports.filter(({ specifier }) => specifier === 'uWebSockets.js').map(({ file }) => file);
  expect([...new Set(importers)]).toEqual(['fanout/engines/uwebsockets/library.ts']);
  expect(filesWith(/['"]uWebSockets\.js['"]/)).toEqual(['fanout/engines/uwebsockets/library.ts']);
});

test('only config.ts reads the environment', () => {
  expect(filesWith(/\bprocess\s*\.\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/)).toEqual(['config.ts']);
});

test('the engine and the actors take time and chance from their ports', () => {
  const clocksAndChance = filesWith(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/);
  const wrong = clocksAndChance.filter((file) => /^(jackpot|directory|actors)\//.test(file));
  // A stopwatch around the engine is for the metrics; inside it there is none.
  const stopwatches = filesWith(/\bperformance\.now\b/).filter((file) => /^(jackpot|directory)\//.test(file));
  expect([...wrong, ...stopwatches].filter((file) => !composition.test(file))).toEqual([]);
});

test(`no file is longer than ${maxFileLines} lines`, () => {
  const long = files.filter((file) => (texts.get(file) ?? '').split('\n').length - 1 > maxFileLines);
  expect(long).toEqual([]);
});

function isAllowed(file: string, target: string): boolean {
  if (everything.test(file)) return true;
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === to || (mayImport[from] ?? []).includes(to)) return true;
  return composition.test(file) && compositionMayImport.includes(to);
}
