import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../../../tools/input/records.ts';
import { lockJournal, readJournal } from '../../../tools/send/journal.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-journal-'));
});
afterEach(() => rmSync(directory, { recursive: true }));
const at = (name: string) => join(directory, name);

describe('a journal that cannot be used is a fault of usage', () => {
  it('where its place cannot be written', () => {
    const lock = () => lockJournal(at('missing/journal'));
    expect(lock).toThrow(InputError);
    expect(lock).toThrow(/--journal/);
  });

  it('where it is a directory', async () => {
    mkdirSync(at('journal'));
    await expect(readJournal(at('journal'))).rejects.toThrow(InputError);
  });

  it.each(['', 'null', '7', '{"version":2}', 'line,ref'])('where it holds %j', async (text) => {
    writeFileSync(at('journal'), text);
    await expect(readJournal(at('journal'))).rejects.toThrow(/not a journal/);
  });
});

it('is locked for one process, and free afterwards', async () => {
  const lock = lockJournal(at('journal'));
  expect(() => lockJournal(at('journal'))).toThrow(/is sending this file/);
  await lock.release();
  expect(existsSync(at('journal.lock'))).toBe(false);
});
