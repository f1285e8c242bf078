import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { program } from '../../../src/main.ts';
import { runBench } from '../../../tools/bench/run.ts';

let root: string;
let printed: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'potstream-bench-'));
  mkdirSync(join(root, 'scripts'));
  printed = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = (...asked: string[]) => runBench(root, asked, (line) => printed.push(line));

/** A bench of its own: it ends with the number of what it was asked for. */
function writeScript(text: string): void {
  writeFileSync(join(root, 'scripts/bench.mjs'), text);
}

it('hands over what was asked for, and ends as the bench does', async () => {
  writeScript(`process.exit(process.argv.slice(2).join(' ') === 'engine --seconds 5' ? 7 : 1);`);
  expect(await run('engine', '--seconds', '5')).toBe(7);
  expect(printed).toEqual([]);
});

it('fails where a signal ended the bench', async () => {
  writeScript(`process.kill(process.pid, 'SIGKILL');`);
  expect(await run()).toBe(1);
});

it('says where the bench is, if this installation has none', async () => {
  expect(await run('engine')).toBe(1);
  expect(printed).toEqual([`The bench is part of the repository only: ${root} has no scripts/bench.mjs.`]);
});

it('is a command', () => {
  expect(program().commands.map((command) => command.name())).toContain('bench');
});
