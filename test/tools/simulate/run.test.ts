import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SimulationChoices } from '../../../src/simulation/choices.ts';
import { type SimulateFiles, simulateCommand, simulateExitCodes } from '../../../tools/simulate/run.ts';
import { atoms } from '../../jackpot/support/commands.ts';

const example = join(import.meta.dirname, '../../../examples/three-pot.json');
const noFiles: SimulateFiles = { json: null, csv: null, html: null };
const choices: SimulationChoices = {
  contributions: 1000,
  seed: '1',
  stakes: [{ atoms: atoms('1'), weight: 1 }],
  players: 10,
  perSecond: 1,
  currency: null,
  rate: null,
  exponent: null,
  country: null,
  startMs: 0,
};
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-simulate-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function run(path: string, changes: Partial<SimulationChoices> = {}, files = noFiles, isTTY = false) {
  const out = { written: '', said: '', progress: '' };
  const code = simulateCommand(path, { ...choices, ...changes }, files, {
    write: (text) => (out.written += text),
    print: (line) => (out.said += line),
    progress: { isTTY, write: (text: string) => (out.progress += text) },
  });
  return { code, ...out };
}

describe('potstream simulate', () => {
  it('writes the table, every tenth of its progress, and the files that are named', () => {
    const files = {
      json: join(directory, 'deep/report.json'),
      csv: join(directory, 'report.csv'),
      html: join(directory, 'report.html'),
    };
    const { code, progress, written } = run(example, {}, files);
    expect(code).toBe(simulateExitCodes.done);
    expect(written).toContain('Three pots by chance: Jackpot, EUR');
    expect(progress.split('\n').slice(0, -1)).toEqual(
      Array.from({ length: 10 }, (_, tenth) => `${(tenth + 1) * 10} %`),
    );
    expect(JSON.parse(readFileSync(files.json, 'utf8'))).toMatchObject({ accepted: 1000 });
    expect(readFileSync(files.csv, 'utf8').split('\r\n')).toHaveLength(5);
    expect(readFileSync(files.html, 'utf8')).toMatch(/^<!doctype html>/);
  });

  it('writes JSON alone to stdout where --json names no file', () => {
    const { code, written } = run(example, {}, { ...noFiles, json: '-' });
    expect(code).toBe(simulateExitCodes.done);
    expect(JSON.parse(written)).toMatchObject({ accepted: 1000 });
  });

  it('draws a bar on a terminal', () => {
    const { progress } = run(example, {}, noFiles, true);
    expect(progress).toMatch(/█{30} 100 %/);
    expect(progress.endsWith('\n')).toBe(true);
  });

  it('refuses what cannot be played, with exit code 2', () => {
    expect(run(join(directory, 'nowhere.json'))).toMatchObject({
      code: simulateExitCodes.usage,
      written: '',
    });
    const { code, said } = run(example, { currency: 'SEK' });
    expect(code).toBe(simulateExitCodes.usage);
    expect(said).toContain('--rate');
  });
});
