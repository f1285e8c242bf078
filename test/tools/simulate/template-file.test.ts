import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTemplate } from '../../../tools/simulate/template-file.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'potstream-template-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

function reading(text: string): () => unknown {
  const path = join(directory, 'template.json');
  writeFileSync(path, text);
  return () => readTemplate(path);
}

it('refuses what is no template, and says all that is wrong', () => {
  expect(() => readTemplate(join(directory, 'nowhere.json'))).toThrow('cannot be read');
  expect(reading('{')).toThrow('cannot be read');
  expect(reading('[]')).toThrow('is not an object');
  expect(reading('{"currency": 1, "pots": []}')).toThrow(/currency:[\s\S]*pots:/);
  const playable = {
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Fixed: 1 } },
  };
  const pot = { id: 'a', contribution: { Percentage: 0.9 } };
  const overfull = { ...playable, house_pot: { contribution_type: { Percentage: 0.2 } }, pots: [pot] };
  expect(reading(JSON.stringify(overfull))).toThrow('cannot be played');
  expect(reading(JSON.stringify({ ...playable, name: 'One', pots: [pot] }))()).toMatchObject({
    name: 'One',
    configuration: { pots: [{ contribution: { Percentage: '0.9' } }] },
  });
});
