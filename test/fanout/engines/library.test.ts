import { expect, it } from 'vitest';
import { openEngine } from '../../../src/fanout/engines/open-engine.ts';
import { EngineUnavailable, loadEngine } from '../../../src/fanout/engines/uwebsockets/library.ts';
import { mayShareNamedPorts } from '../../../src/fanout/engines/ws/server.ts';

const olderLibrary = "libc.so.6: version `GLIBC_2.38' not found (required by uws_linux_x64_115.node)";
const failing = (reason: string) => () => {
  throw new Error(reason);
};

it.each([
  [olderLibrary, /GLIBC 2\.38 or newer/],
  ["Cannot find module './uws_linux_ppc64_115.node'", /needs Linux with glibc/],
])('says what the machine lacks when the engine does not load: %s', (reason, said) => {
  const load = () => loadEngine(failing(reason), () => 'uws.node');
  expect(load).toThrow(EngineUnavailable);
  expect(load).toThrow(said);
});

it('takes ws where uWebSockets.js does not load, and says why', () => {
  const opened = openEngine('auto', () => loadEngine(failing(olderLibrary), () => 'uws.node'));
  expect(opened.server.name).toBe('ws');
  expect(opened.fallbackReason).toMatch(/GLIBC 2\.38/);
});

it('takes the engine that is demanded, or none', () => {
  const broken = () => loadEngine(failing(olderLibrary), () => 'uws.node');
  expect(() => openEngine('uwebsockets', broken)).toThrow(EngineUnavailable);
  const opened = openEngine('ws', broken);
  expect([opened.server.name, opened.fallbackReason]).toEqual(['ws', null]);
});

it('a bug in the loading is no reason for another engine', () => {
  const faulty = () => {
    throw new TypeError('a bug');
  };
  expect(() => openEngine('auto', faulty)).toThrow(TypeError);
});

it.each([
  ['20.20.2', 'linux', false],
  ['22.11.0', 'linux', false],
  ['22.12.0', 'linux', true],
  ['23.0.0', 'linux', false],
  ['23.1.0', 'linux', true],
  ['24.0.0', 'linux', true],
  ['24.0.0', 'darwin', false],
] as const)('Node %s on %s shares named ports: %s', (version, platform, expected) => {
  expect(mayShareNamedPorts(version, platform)).toBe(expected);
});
