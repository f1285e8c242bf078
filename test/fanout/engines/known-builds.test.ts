import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashesOf, prune } from '../../../scripts/websocket-builds.mjs';
import { openEngine } from '../../../src/fanout/engines/open-engine.ts';
import { knownBuilds } from '../../../src/fanout/engines/uwebsockets/known-builds.ts';
import {
  EngineUnavailable,
  knownEngineFile,
  loadEngine,
  packageDirectory,
} from '../../../src/fanout/engines/uwebsockets/library.ts';

const { platform, arch, versions } = process;
const own = `uws_${platform}_${arch}_${versions.modules}.node`;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-engine-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

it('the list has every file of the installed package, and no other', () => {
  expect(hashesOf(packageDirectory())).toEqual(knownBuilds);
});

it('the file that is loaded is a known one, and the only one of its package', () => {
  const loaded: string[] = [];
  loadEngine((path) => void loaded.push(path));
  expect(loaded).toEqual([join(packageDirectory(), own)]);
});

it('a file that differs in one byte is not loaded: ws serves, and says why', () => {
  const altered = readFileSync(join(packageDirectory(), own));
  altered[altered.length - 1]! ^= 1;
  writeFileSync(join(directory, own), altered);
  const load = () => {
    throw new Error('It was loaded.');
  };
  const engine = () => loadEngine(load, () => knownEngineFile(() => directory));
  expect(engine).toThrow(EngineUnavailable);
  expect(openEngine('auto', engine)).toMatchObject({
    server: { name: 'ws' },
    fallbackReason: expect.stringMatching(/uws_\w+\.node with the SHA-256 [0-9a-f]{64} is no build/),
  });
  expect(() => openEngine('uwebsockets', engine)).toThrow('is no build that this release knows');
});

it('a build is known by its name too: the one for another Node is not loaded in its place', () => {
  const other = Object.keys(knownBuilds).find((name) => name !== own) as string;
  copyFileSync(join(packageDirectory(), other), join(directory, own));
  expect(() => knownEngineFile(() => directory)).toThrow('is no build that this release knows');
});

it.each([
  ['no package', () => join(tmpdir(), 'potstream-engine-none')],
  ['no file', () => directory],
])('where there is %s for this machine, that is said', (_, find) => {
  expect(() => knownEngineFile(find)).toThrow(/^uWebSockets\.js has no build for .* Node/);
});

it('of the files only the one for this machine is kept', () => {
  const others = Object.keys(knownBuilds).filter((name) => name !== own);
  for (const name of [own, ...others, 'uws.js', 'package.json', 'LICENSE'])
    writeFileSync(join(directory, name), name);
  expect(prune(directory)).toEqual(others.toSorted());
  expect(readdirSync(directory).toSorted()).toEqual(
    ['LICENSE', 'package.json', basename(own), 'uws.js'].toSorted(),
  );
});
