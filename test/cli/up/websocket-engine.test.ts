import { expect, test } from 'vitest';
import {
  chooseWebsocketEngine,
  explain,
  glibcVersion,
  probeUwebsockets,
} from '../../../src/cli/up/websocket-engine.ts';
import { EngineUnavailable } from '../../../src/fanout/engines/uwebsockets/library.ts';

const reason = 'uWebSockets.js needs glibc 2.38 or newer';
const loads = async () => null;
const fails = async () => reason;

test('says which glibc is needed, and which is there', () => {
  const output =
    "Error: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by uws_linux_x64_115.node)";
  expect(explain(output)).toMatch(/needs glibc 2\.38 or newer .* and this system has \d+\.\d+/);
});

test('any other failure is told as it is', () => {
  expect(explain('Error: Cannot find module uWebSockets.js')).toContain('Cannot find module');
});

test('the preferred engine is taken where it loads, and ws elsewhere, with the reason', async () => {
  expect(await chooseWebsocketEngine('auto', loads)).toEqual({ engine: 'uwebsockets', fallbackReason: null });
  expect(await chooseWebsocketEngine('auto', fails)).toEqual({ engine: 'ws', fallbackReason: reason });
});

test('a demanded engine is taken, or the start refused', async () => {
  expect(await chooseWebsocketEngine('ws', fails)).toEqual({ engine: 'ws', fallbackReason: null });
  expect(await chooseWebsocketEngine('uwebsockets', loads)).toMatchObject({ engine: 'uwebsockets' });
  await expect(chooseWebsocketEngine('uwebsockets', fails)).rejects.toMatchObject({
    code: 'websocket_engine_unusable',
    message: expect.stringContaining(reason),
  });
});

test('a file that is not known is not loaded, not even to try', async () => {
  const unknown = () => {
    throw new EngineUnavailable('it is no build that this release knows');
  };
  expect(await probeUwebsockets(unknown)).toBe('it is no build that this release knows');
});

test('on this machine there is always an engine', async () => {
  const { engine } = await chooseWebsocketEngine('auto');
  expect(engine === 'uwebsockets').toBe((await probeUwebsockets()) === null);
  expect(glibcVersion()).not.toBe('');
});
