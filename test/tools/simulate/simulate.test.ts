import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  defaultStakes,
  parseStakes,
  type SimulationChoices,
  type Stake,
} from '../../../src/simulation/choices.ts';
import type { SimulationReport } from '../../../src/simulation/report.ts';
import { simulate } from '../../../src/simulation/simulate.ts';
import { reportCsv } from '../../../tools/simulate/report/csv.ts';
import { reportPage } from '../../../tools/simulate/report/page.ts';
import { reportTable } from '../../../tools/simulate/report/table.ts';
import { readTemplate } from '../../../tools/simulate/template-file.ts';
import { atoms } from '../../jackpot/support/commands.ts';

const examples = join(import.meta.dirname, '../../../examples');

function play(file: string, changes: Partial<SimulationChoices> = {}): SimulationReport {
  const choices: SimulationChoices = {
    contributions: 20_000,
    seed: '1',
    stakes: parseStakes(defaultStakes) as readonly Stake[],
    players: 200,
    perSecond: 0.1,
    currency: null,
    rate: null,
    exponent: null,
    country: null,
    startMs: Date.parse('2030-01-01T00:00:00Z'),
    ...changes,
  };
  return simulate(readTemplate(isAbsolute(file) ? file : join(examples, file)), choices, () => undefined);
}

describe('a simulation', () => {
  it('gives the same figures for the same seed, others for another one', () => {
    const choices = { contributions: 4000 };
    const first = JSON.stringify(play('three-pot.json', choices));
    expect(JSON.stringify(play('three-pot.json', choices))).toBe(first);
    expect(JSON.stringify(play('three-pot.json', { ...choices, seed: '2' }))).not.toBe(first);
  });

  it.each(readdirSync(examples).filter((file) => file.endsWith('.json')))(
    '%s: nothing gets lost: what came in was paid, or is there',
    (file) => {
      const { house, money, operator, pots, ...report } = play(file);
      expect(report.accepted).toBe(20_000);
      const cameIn = sum(money.contributed, operator.initialSeeds, operator.fronted) - atoms(operator.repaid);
      expect(sum(money.paidToPlayers, money.inPots, money.fees, house.atEnd, house.diverted)).toBe(cameIn);
      expect(sum(...pots.map(({ paid }) => paid))).toBe(atoms(money.paidToPlayers));
      expect(pots.some(({ drops }) => drops > 0)).toBe(true);
    },
  );

  it('plays rules that want a beacon for each epoch', () => {
    const template = JSON.parse(readFileSync(join(examples, 'three-pot.json'), 'utf8'));
    const directory = mkdtempSync(join(tmpdir(), 'simulate-'));
    const file = join(directory, 'wanting.json');
    writeFileSync(file, JSON.stringify({ ...template, draw_beacon: 'Required' }));
    expect(play(file, { contributions: 2000 }).accepted).toBe(2000);
    rmSync(directory, { recursive: true });
  });

  it('drops as often as the odds say, and a must-drop pot never above its maximum', () => {
    const [mini] = play('three-pot.json', { contributions: 25_000 }).pots;
    const deviation = Math.abs(mini!.drops + mini!.voids - mini!.expectedHits!);
    expect(deviation).toBeLessThan(4 * Math.sqrt(mini!.expectedHits!));
    const [rapid] = play('must-drop.json', { contributions: 40_000 }).pots;
    expect(rapid!.valueAtDrop!.least).toBeGreaterThan(249);
    expect(rapid!.valueAtDrop!.most).toBeLessThanOrEqual(500);
  });

  it('drops a daily pot once a day', () => {
    const { pots, seconds } = play('daily-drop.json');
    expect(pots[0]!.drops).toBe(Math.floor((seconds + 2 * 3600) / 86_400));
  });

  it('plays in another currency at a rate', () => {
    const { choices, money } = play('three-pot.json', { currency: 'JPY', rate: '160', contributions: 500 });
    expect(choices.wagerCurrency).toBe('JPY');
    expect(Number(money.contributed)).toBeLessThan(Number(money.wagered) * 0.05);
  });
});

describe('a report', () => {
  const report = play('three-pot.json', { contributions: 3000 });
  const named = { ...report, name: '<b>"&', pots: report.pots.map((pot) => ({ ...pot, id: '=1,"<i>' })) };

  it('is a table of every pot', () => {
    for (const { id } of report.pots) expect(reportTable(report)).toMatch(new RegExp(`^${id} `, 'm'));
  });

  it('is a CSV of one row for each pot, safe for spreadsheets', () => {
    const lines = reportCsv(named).split('\r\n');
    expect(lines).toHaveLength(report.pots.length + 2);
    expect(lines[0]!.split(',')).toContain('hit_frequency_low');
    expect(lines[1]).toContain('"\'=1,""<i>"');
  });

  it('is a page that loads nothing and shows names as they are', () => {
    const page = reportPage(named);
    expect(page).not.toMatch(/<script|<link|<img|<b>|<i>|url\(|https?:/);
    expect(page).toContain('&#60;b&#62;');
    expect(page.match(/<svg/g)!.length).toBeGreaterThan(report.pots.length);
  });
});

function sum(...amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => total + atoms(amount), 0n);
}
