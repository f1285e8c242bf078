import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  beside,
  besideWith,
  files,
  filesWith,
  folderOf,
  imports,
  specifiersOf,
  texts,
} from './support/imports.ts';
import { modulesOf, repository } from './support/modules.ts';

/** Imports go in one direction; the table is that of ARCHITECTURE.md. */

const maxFileLines = 400;

/** Which of our rooms a room may import beside itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  files: [],
  network: [],
  'ports.ts': [],
  messages: ['lib', 'ports.ts'],
  jackpot: ['lib', 'messages'],
  contracts: ['lib', 'messages'],
  directory: ['lib', 'messages', 'contracts'],
  access: ['lib', 'ports.ts', 'contracts', 'files'],
  audit: ['lib', 'ports.ts'],
  log: ['lib', 'ports.ts', 'messages', 'contracts', 'files'],
  actors: ['lib', 'ports.ts', 'messages', 'audit', 'log', 'contracts', 'jackpot', 'files'],
  storage: ['lib', 'ports.ts', 'log'],
  simulation: ['lib', 'messages', 'jackpot', 'actors'],
  reporting: [
    'lib',
    'ports.ts',
    'messages',
    'audit',
    'log',
    'contracts',
    'jackpot',
    'actors',
    'simulation',
    'files',
  ],
  config: ['network'],
  runtime: ['lib', 'contracts', 'files', 'config'],
  supervisor: ['lib', 'log', 'files', 'runtime'],
  outbound: ['lib', 'network'],
  reference: ['contracts', 'access'],
  // Of an API of jackpots it knows the form of errors and bodies alone: who changes a jackpot need not read it.
  'gateway/http': ['lib', 'ports.ts', 'network', 'contracts/errors', 'contracts/bodies', 'gateway/base'],
  gateway: [
    'lib',
    'ports.ts',
    'messages',
    'contracts',
    'directory',
    'access',
    'audit',
    'log',
    'network',
    'outbound',
    'reference',
  ],
  fanout: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'log', 'network'],
  wallet: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'log', 'outbound'],
  outbox: ['lib', 'ports.ts', 'messages', 'contracts', 'directory', 'access', 'log', 'network', 'outbound'],
};

/** Which rooms these tools may import: what proves something of a wallet shares only its format with the client. */
const toolMayImport: Readonly<Record<string, readonly string[]>> = {
  'reference-wallet': ['lib', 'contracts', 'files', 'wallet'],
  'wallet-verify': ['lib', 'contracts', 'outbound', 'wallet'],
  demo: [
    'lib',
    'messages',
    'contracts',
    'directory',
    'access',
    'files',
    'gateway',
    'wallet',
    'tools/reference-wallet',
  ],
};
const toolComposition = /^tools\/[^/]+\/(main|commands|run)\.ts$/;

/** The composition file of a role or of a thread takes settings, adapters and what every role runs on. */
const composition =
  /^((gateway|actors|fanout|wallet|outbox|reporting|storage)\/main|actors\/epochs\/epoch-thread|reporting\/places\/place-thread)\.ts$/;
const compositionMayImport = ['config', 'wiring.ts', 'runtime'];
/** These put things together. */
const everything = /^(main\.ts|roles\.ts|wiring\.ts|cli\/)/;
const http = 'gateway/http';
/** These start tools. */
const startsTools = /^(main|roles)\.ts$/;

const besideImports = beside.flatMap(({ file, imports: all }) => all.map((each) => ({ file, ...each })));

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
  const text = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([a-z./-]+)` \| [^|]* \| ([^|]*) \|$/gm)].map(
    ([, folder = '', allowed = '']) =>
      [folder, allowed === '–' ? [] : allowed.split(', ').toSorted()] as const,
  );
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(mayImport).map(([folder, allowed]) => [folder, allowed.toSorted()])),
  );
});

// Caught: rooms that grew folders no newcomer could find.
test('ARCHITECTURE.md says what lies in each folder of a room, and in each tool', () => {
  const page = readFileSync(join(repository, 'ARCHITECTURE.md'), 'utf8');
  const folders = new Set(
    files.filter((file) => file.split('/').length > 2).map((file) => file.split('/', 2).join('/')),
  );
  const unnamed = [...folders].filter(
    (folder) => !folder.startsWith('cli/') && !page.includes(`\`${folder}\``),
  );
  const tools = new Set(modulesOf(['tools']).map(({ file }) => file.split('/', 2).join('/')));
  expect([...unnamed, ...[...tools].filter((folder) => !page.includes(`\`${folder}\``))]).toEqual([]);
});

test('imports between folders go in one direction', () => {
  const isOurs = (target: string | null) => target !== null && !target.startsWith('../');
  const wrong = imports.filter(({ file, target }) => isOurs(target) && !isAllowed(file, target ?? ''));
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

// Caught: tools inside the service, a third of whose lines they were.
test('src starts tools and imports nothing else outside of it', () => {
  const outside = imports.filter(({ target }) => target !== null && !texts.has(target));
  const wrong = outside.filter(
    ({ file, target }) => !(startsTools.test(file) && target?.startsWith('../tools/')),
  );
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

// Caught: checks that saw no tool any more once the tools had left src.
test('tools that prove something import only what they may', () => {
  const wrong = besideImports.filter(({ file, target }) => {
    const [top, tool = ''] = file.split('/');
    if (top !== 'tools' || target === null || toolComposition.test(file)) return false;
    const [place = '', room = ''] = target.split('/');
    const allowed = toolMayImport[tool];
    if (allowed === undefined || target.startsWith(`tools/${tool}/`)) return false;
    return !allowed.includes(place === 'src' ? room : `${place}/${room}`);
  });
  expect(Object.keys(toolMayImport).filter((tool) => !beside.some(isIn(`tools/${tool}/`)))).toEqual([]);
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('one tool alone uses the verifier, and two the SDK, each by its entrance', () => {
  const users = (folder: string) =>
    besideImports
      .filter(({ file, target }) => target?.startsWith(`${folder}/`) === true && !file.startsWith(folder))
      .map(({ file, target }) => `${file.split('/', 2).join('/')} ${target}`);
  expect([...new Set(users('verifier'))]).toEqual(['tools/verify verifier/src/index.ts']);
  expect([...new Set(users('sdk'))].sort()).toEqual([
    'tools/listen sdk/src/index.ts',
    'tools/send sdk/src/index.ts',
  ]);
});

test('the verifier imports nothing, so that it proves something, and runs anywhere', () => {
  const modules = modulesOf(['verifier/src']);
  const wrong = modules.flatMap(({ file, imports: all }) =>
    all
      .filter(({ target }) => target?.startsWith('verifier/src/') !== true)
      .map(({ specifier }) => `${file} imports ${specifier}`),
  );
  expect(modules.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

test('the pure folders import no package and nothing of Node', () => {
  const pure = /^(jackpot|directory|messages\/(?!codec\/))/;
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

test('only the log speaks NATS', () => {
  const wrong = [...imports, ...besideImports].filter(
    ({ file, specifier }) => specifier.startsWith('@nats-io/') && folderOf(file) !== 'log',
  );
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('what operators name is called through outbound alone', () => {
  const rooms = [
    'gateway',
    'reference',
    'actors',
    'fanout',
    'wallet',
    'outbox',
    'access',
    'directory',
    'log',
    'lib',
  ];
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
  const fastify = [...imports, ...besideImports].filter(({ specifier }) =>
    /^(@fastify\/static|fastify)$/.test(specifier),
  );
  const wrong = fastify.filter(({ file }) => folderOf(file) !== 'gateway' || file.startsWith('gateway/api/'));
  expect(wrong.map(({ file, specifier }) => `${file} imports ${specifier}`)).toEqual([]);
});

test('what operations share imports none of them', () => {
  const inGateway = /^gateway\/(?!api\/operations\/|main\.ts$)/;
  const wrong = imports.filter(
    ({ file, target }) => inGateway.test(file) && target?.startsWith('gateway/api/operations/') === true,
  );
  expect(imports.some(({ file }) => file.startsWith('gateway/api/contribution/'))).toBe(true);
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
});

test('exactly one file names uWebSockets.js', () => {
  const all = [...imports, ...besideImports];
  const importers = all.filter(({ specifier }) => specifier === 'uWebSockets.js').map(({ file }) => file);
  expect([...new Set(importers)]).toEqual(['fanout/engines/uwebsockets/library.ts']);
  const name = /['"]uWebSockets\.js['"]/;
  expect([...filesWith(name), ...besideWith(name)]).toEqual(['fanout/engines/uwebsockets/library.ts']);
});

test('only config/settings.ts reads the environment', () => {
  const environment = /\bprocess\s*\.\s*env\b|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/;
  expect([...filesWith(environment), ...besideWith(environment)]).toEqual(['config/settings.ts']);
});

test('the engine and the actors take time and chance from their ports', () => {
  const clocksAndChance = filesWith(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/);
  const wrong = clocksAndChance.filter((file) => /^(jackpot|directory|actors)\//.test(file));
  // A stopwatch around the engine is for the metrics; inside it there is none.
  const stopwatches = filesWith(/\bperformance\.now\b/).filter((file) => /^(jackpot|directory)\//.test(file));
  expect([...wrong, ...stopwatches].filter((file) => !composition.test(file))).toEqual([]);
});

test(`no file is longer than ${maxFileLines} lines`, () => {
  const all = [...texts, ...beside.map(({ file, text }) => [file, text] as const)];
  const long = all.filter(([, text]) => text.split('\n').length - 1 > maxFileLines);
  expect(long.map(([file]) => file)).toEqual([]);
});

function isIn(folder: string): (module: { readonly file: string }) => boolean {
  return ({ file }) => file.startsWith(folder);
}

function isAllowed(file: string, target: string): boolean {
  if (everything.test(file)) return true;
  const [from, to] = [folderOf(file), folderOf(target)];
  if (file.startsWith(`${http}/`))
    return [http, ...(mayImport[http] ?? [])].some((each) => target.startsWith(each));
  if (from === to || (mayImport[from] ?? []).includes(to)) return true;
  return composition.test(file) && compositionMayImport.includes(to);
}
