import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { hashOf } from '../../scripts/set-up.mjs';

const folder = mkdtempSync(join(tmpdir(), 'potstream-set-up-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const hash = () => hashOf(['console', 'client/src'], folder);

it('builds again what differs from its sources, not where something made from them appears', () => {
  write('console/src/api/client.ts', 'one');
  write('client/src/feed/generated.ts', 'kept in the repository');
  const before = hash();
  write('console/src/api/generated.ts', 'types');
  write('console/dist/index.html', 'built');
  write('console/node_modules/.vite-temp/vite.config.ts.mjs', 'compiled');
  expect(hash()).toBe(before);
  write('client/src/feed/generated.ts', 'another version');
  const changed = hash();
  expect(changed).not.toBe(before);
  write('console/src/api/client.ts', 'two');
  expect(hash()).not.toBe(changed);
});
