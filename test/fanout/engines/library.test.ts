import { expect, it } from 'vitest';
import { EngineUnavailable, loadEngine, sendStatus } from '../../../src/fanout/sockets/engine.ts';

it.each([
  ["libc.so.6: version `GLIBC_2.38' not found (required by uws_linux_x64_115.node)", /GLIBC 2\.38 or newer/],
  ["Cannot find module './uws_linux_ppc64_115.node'", /needs Linux with glibc/],
])('says what the machine lacks when the engine does not load: %s', (reason, said) => {
  const load = () => {
    throw new Error(reason);
  };
  expect(() => loadEngine(load)).toThrow(EngineUnavailable);
  expect(() => loadEngine(load)).toThrow(said);
});

it('names what became of a frame', () => {
  expect([1, 0, 2].map(sendStatus)).toEqual(['sent', 'queued', 'dropped']);
});
