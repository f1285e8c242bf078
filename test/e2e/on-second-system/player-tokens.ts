import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { booksOfOneSystem, oneSystem } from '../../support/one-system.ts';

it('leave their tokens in no stream, snapshot or log line', async () => {
  const system = await oneSystem();
  expect(await system.stop()).toBe(0);
  const tokens = [...system.credentials.players.map((player) => player.token), 'nobody-has-this-token'];
  const { postgres } = await booksOfOneSystem();
  const directories = [system.dataDirectory, ...(postgres === null ? [] : [postgres.directory()])];
  const all = directories.map((each) => readdir(each, { recursive: true, withFileTypes: true }));
  const files = (await Promise.all(all)).flat();
  const looked: string[] = [];
  for (const file of files.filter((entry) => entry.isFile() && entry.name !== 'credentials.json')) {
    const path = join(file.parentPath, file.name);
    const bytes = await readFile(path);
    for (const token of tokens) expect([path, bytes.includes(token)]).toEqual([path, false]);
    looked.push(path);
  }
  expect(looked.some((path) => path.endsWith('.blk'))).toBe(true);
  expect(looked.some((path) => path.endsWith('.log'))).toBe(true);
  expect(looked.some((path) => path.includes('reference-wallet'))).toBe(true);
  for (const token of tokens) expect(system.output()).not.toContain(token);
});
