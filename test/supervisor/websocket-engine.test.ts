import { expect, test } from 'vitest';
import { explain, probeWebsocketEngine } from '../../src/supervisor/websocket-engine.ts';

test('loads here', async () => {
  expect(await probeWebsocketEngine()).toBeNull();
});

test('says which glibc is needed, and which is there', () => {
  const output =
    "Error: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by uws_linux_x64_115.node)";
  expect(explain(output)).toMatch(/needs glibc 2\.38 or newer, and this system has \d+\.\d+/);
});

test('any other failure is told as it is', () => {
  expect(explain('Error: Cannot find module uWebSockets.js')).toContain('Cannot find module');
});
