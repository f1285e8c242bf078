import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configuration, configurationNames } from '../../../src/contracts/configuration/configuration.ts';
import { withoutAbsent } from '../../../src/contracts/fields/configuration-fields.ts';
import { type SimulationPlan, simulationShape } from '../../../src/contracts/reports/simulations.ts';
import { played } from '../../../src/reporting/simulations/played.ts';
import { atoms } from '../../jackpot/support/commands.ts';

/** Reports of simulations as callers read them. */

const examples = join(import.meta.dirname, '../../../examples');

function planOf(file: string, changes: Partial<SimulationPlan> = {}): SimulationPlan {
  const template = JSON.parse(readFileSync(join(examples, file), 'utf8'));
  const members = configurationNames.filter((name) => Object.hasOwn(template, name));
  const parsed = configuration.parse(Object.fromEntries(members.map((name) => [name, template[name]])));
  return {
    configuration: withoutAbsent(parsed),
    ...{ exponent: null, contributions: 10_000, players: 200, perSecond: 0.1, wager: null, seed: '1' },
    ...changes,
  };
}

const play = (file: string, changes: Partial<SimulationPlan> = {}) => played(planOf(file, changes), () => {});
const sum = (...amounts: readonly string[]) => amounts.reduce((total, amount) => total + atoms(amount), 0n);

it.each(readdirSync(examples).filter((file) => file.endsWith('.json')))(
  '%s: the money that came in was paid, or is there, and all of it has the shape of the document',
  (file) => {
    const report = play(file);
    const { operator, house, pots } = report;
    expect(report.contributions).toBe(10_000);
    const cameIn = sum(report.contributed, operator.initial_seeds, operator.fronted) - atoms(operator.repaid);
    const left = sum(report.in_pots, operator.fees, house.at_end, operator.diverted);
    expect(sum(report.paid_to_players) + left).toBe(cameIn);
    expect(sum(...pots.map(({ paid }) => paid))).toBe(atoms(report.paid_to_players));
    expect(atoms(operator.deepest_deficit)).toBeGreaterThanOrEqual(atoms(operator.deficit_at_end));
    expect(atoms(operator.deepest_deficit)).toBeLessThanOrEqual(atoms(operator.fronted));
    for (const pot of pots) {
      expect(pot.wins === 0).toBe(pot.largest_win === null);
      expect(atoms(pot.largest_win ?? '0') * BigInt(pot.wins)).toBeGreaterThanOrEqual(atoms(pot.paid));
      expect(pot.short_reseeds).toBeLessThanOrEqual(pot.reseeds);
    }
    const id = `${'a'.repeat(16)}-${'b'.repeat(32)}`;
    simulationShape.parse({ id, state: 'done', progress: 1, message: null, report });
  },
);

it('says what the configuration returns beside what was returned, and the parts of pots add up', () => {
  const { return_to_players: whole, pots, ...report } = play('three-pot.json', { contributions: 50_000 });
  const parts = (of: 'configured' | 'simulated') =>
    pots.reduce((total, pot) => total + Number(pot.return_to_players[of]), 0);
  expect(parts('configured')).toBeCloseTo(Number(whole.configured), 5);
  expect(parts('simulated')).toBeCloseTo(Number(whole.simulated), 4);
  const exact = Number(report.paid_to_players) / Number(report.contributed);
  expect(Number(whole.simulated)).toBeCloseTo(exact, 5);
  expect(Number(report.return_of_wagers)).toBeCloseTo(
    Number(report.paid_to_players) / Number(report.wagered),
    5,
  );
});

it('gives the same for the same input and seed, and something else for another seed', () => {
  const first = play('three-pot.json');
  expect(play('three-pot.json')).toEqual(first);
  expect(play('three-pot.json', { seed: '2' })).not.toEqual(first);
});

it('plays one wager where it is named, and says how far it is', () => {
  const done: number[] = [];
  const report = played(planOf('three-pot.json', { wager: '2.5', contributions: 1000 }), (count) =>
    done.push(count),
  );
  expect(report.wagered).toBe('2500');
  expect(done.at(-1)).toBe(1000);
  expect(done.toSorted((a, b) => a - b)).toEqual(done);
});

it('plays a currency that ISO 4217 does not have', () => {
  const plan = planOf('three-pot.json', { contributions: 500, exponent: 0 });
  const report = played({ ...plan, configuration: { ...plan.configuration, currency: 'GEM' } }, () => {});
  expect([report.currency, report.contributions, report.refused]).toEqual(['GEM', 500, {}]);
});

it('names refused contributions by their codes, and has no parts of nothing', () => {
  const plan = planOf('three-pot.json', { contributions: 100, wager: '0' });
  const { contributions, refused, return_of_wagers, return_to_players, pots } = played(plan, () => {});
  expect(contributions + Object.values(refused).reduce((total, count) => total + count, 0)).toBe(100);
  expect(return_of_wagers).toBe(null);
  if (contributions === 0) expect(return_to_players.simulated).toBe(null);
  expect(pots.every(({ wins, largest_win }) => wins > 0 || largest_win === null)).toBe(true);
});
