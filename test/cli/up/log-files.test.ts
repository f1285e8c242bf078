import { mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LogFiles, openLogFiles } from '../../../src/cli/up/log-files.ts';

let directory: string;
let logs: LogFiles;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-logs-'));
  logs = openLogFiles(join(directory, 'logs'));
});

afterEach(() => {
  logs.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('a child that starts after somebody removed the logs writes to a new one', () => {
  print('before');
  rmSync(join(directory, 'logs'), { recursive: true });
  print('after');
  expect(readFileSync(logs.pathOf('gateway'), 'utf8')).toBe('after');
});

test('where no log can be opened a child starts without one', () => {
  writeFileSync(join(directory, 'logs'), 'no directory');
  expect(logs.withFile('gateway', (output) => output)).toBe('ignore');
});

function print(text: string): void {
  logs.withFile('gateway', (output) => {
    if (output !== 'ignore') writeSync(output, text);
  });
}
