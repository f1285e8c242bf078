import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const script = 'var Potstream = {};\n'.repeat(100);
let directory: string;
let gateway: TestGateway;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'client-'));
  writeFileSync(join(directory, 'client.js'), script);
  writeFileSync(join(directory, 'client.js.br'), brotliCompressSync(script));
  writeFileSync(join(directory, 'client.js.gz'), gzipSync(script));
  writeFileSync(join(directory, 'index.d.ts'), 'export {};');
  gateway = await startTestGateway({ clientDirectory: directory });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(directory, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    headers: { origin: 'https://shop.example', ...headers },
  });
/** `fetch` would ask for a copy that is no older, and unpack it. */
const ask = (headers: Record<string, string>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ port: gateway.port, path: '/client/client.js', headers });
    sent.on('error', reject).on('response', resolve).end();
  });

describe('the scripts for pages of operators', () => {
  it('may be loaded by pages of every origin, and are asked for again after minutes', async () => {
    const answer = await get('/client/client.js');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(script);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    });
    const { headers } = (await ask({})).resume();
    const again = await ask({ 'if-none-match': headers.etag ?? '' });
    expect(again.statusCode).toBe(304);
    expect(again.headers['access-control-allow-origin']).toBe('*');
    again.resume();
  });

  it('come compressed', async () => {
    const answer = await ask({ 'accept-encoding': 'br' });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    const bytes = await buffer(answer);
    expect(brotliDecompressSync(bytes).toString()).toBe(script);
  });

  it.each(['index.d.ts', 'client.js.br', '..%2fpackage.json', ''])(
    'are all that is there: %s',
    async (name) => {
      expect((await get(`/client/${name}`)).status).toBe(404);
    },
  );

  it('are read, not written', async () => {
    const answer = await fetch(`http://127.0.0.1:${gateway.port}/client/client.js`, { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});
