import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const page = '<!doctype html><title>Console</title>';
const script = 'console.log(1);\n'.repeat(100);
let directory: string;
let gateway: TestGateway;
let without: TestGateway;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), page);
  writeFileSync(join(directory, 'assets/index-abc.js'), script);
  writeFileSync(join(directory, 'assets/index-abc.js.gz'), gzipSync(script));
  gateway = await startTestGateway({ console: { directory, hasDemoLogin: true } });
  without = await startTestGateway();
});
afterAll(async () => {
  await Promise.all([gateway.stop(), without.stop()]);
  rmSync(directory, { recursive: true });
});

const get = (path: string, init: RequestInit = {}, of = gateway) =>
  fetch(`http://127.0.0.1:${of.port}${path}`, { redirect: 'manual', ...init });

describe('the console', () => {
  it.each(['/console/', '/console/money?state=dead', '/console/players/acme%3Amain/..%2f..%2fx'])(
    'is one page at the address of each screen: %s',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, await answer.text()]).toEqual([200, page]);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it('lets its page run scripts of this origin alone, and no text as markup or script', async () => {
    for (const path of ['/console/', '/console/assets/index-abc.js', '/console/settings.json']) {
      const { headers } = await get(path);
      const policy = Object.fromEntries(
        (headers.get('content-security-policy') ?? '').split('; ').map((each) => {
          const [name = '', ...values] = each.split(' ');
          return [name, values.join(' ')];
        }),
      );
      expect(policy).toEqual({
        'default-src': "'self'",
        'img-src': "'self' data:",
        'object-src': "'none'",
        'base-uri': "'none'",
        'form-action': "'self'",
        'frame-ancestors': "'none'",
        'require-trusted-types-for': "'script'",
        'trusted-types': "'none'",
      });
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-request-id': expect.any(String),
      });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('has files that never change, compressed ahead', async () => {
    const answer = await get('/console/assets/index-abc.js', { headers: { 'accept-encoding': 'gzip' } });
    expect(await answer.text()).toBe(script);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  it('says whether it offers the log-in of the demo', async () => {
    expect(await (await get('/console/settings.json')).json()).toEqual({ has_demo_login: true });
  });

  it('leads from its name to its page', async () => {
    const { status, headers } = await get('/console');
    expect([status, headers.get('location')]).toEqual([308, '/console/']);
  });

  it.each(['/console/assets/gone.js', '/console/assets/..%2f..%2fpackage.json', '/consoles'])(
    'has no page in place of a file that is missing: %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('<title>');
    },
  );

  it('is read, not written', async () => {
    const answer = await get('/console/', { method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it.each(['/console', '/console/', '/console/money', '/console/settings.json'])(
    'is not there where it is switched off: %s',
    async (path) => expect((await get(path, {}, without)).status).toBe(404),
  );
});
