import { expect, it } from 'vitest';
import { configuration } from '../../src/contracts/configuration/configuration.ts';
import { withoutAbsent } from '../../src/contracts/fields/configuration-fields.ts';
import type { InstanceConfigurationDocument } from '../../src/messages/instance-commands.ts';
import {
  parseStakes,
  type SimulationChoices,
  type Stake,
  type Template,
} from '../../src/simulation/choices.ts';
import { firstContributionChances } from '../../src/simulation/first-contribution.ts';
import { simulate } from '../../src/simulation/simulate.ts';

/** The chances of the first contribution, counted by hand from docs/rules/triggers.md. */

const startMs = Date.parse('2030-01-01T12:00:00Z');
const choices: SimulationChoices = {
  ...{ contributions: 1, seed: '1', stakes: stakes('1'), players: 10, perSecond: 1 },
  ...{ currency: null, rate: null, exponent: null, country: null, startMs },
};

function stakes(text: string): readonly Stake[] {
  return parseStakes(text) as readonly Stake[];
}

/** A contribution is a tenth of the wager. */
function template(pots: readonly object[], members: object = {}): Template {
  const parsed = configuration.parse({
    jackpot_type: 'Jackpot',
    currency: 'EUR',
    contribution_rules: { contribution_type: { Percentage: 0.1 }, opt_in_required: false },
    pots,
    ...members,
  });
  const document = withoutAbsent(parsed) as unknown as InstanceConfigurationDocument;
  return { name: '', description: '', configuration: document, warnings: [] };
}

/** With 100 in it. */
function pot(id: string, pot_types: readonly object[], members: object = {}) {
  const seed_strategy = { initial_seed_value: 100, min_reseed_value: 100 };
  return { id, contribution: { Percentage: 0.5 }, seed_strategy, pot_types, ...members };
}
const oneIn = (count: number) => ({ HitRate: { max_magic_number: count, cost_per_attempt: '0.1' } });
const chances = (played: Template, changes: Partial<SimulationChoices> = {}) =>
  firstContributionChances(played, { ...choices, ...changes });

it.each([
  ['HitRate', [oneIn(1000)], {}, '0.001'],
  ['HitRate that is sure', [oneIn(1)], {}, '1'],
  ['HitRate in a number without an end', [oneIn(3)], {}, '0.33333333333333333333'],
  ['Threshold', [{ Threshold: { min_value: 100, max_value: 200 } }], { maximum_pot_value: 200 }, '0.0005'],
  ['two triggers', [oneIn(2), oneIn(4)], {}, '0.625'],
  ['External', [{ External: {} }], {}, '0'],
  ['Time', [{ Time: { start_time: 0, end_time: 86_399_999 } }], timed(), null],
  ['MinInterval', [oneIn(2)], { win_constraints: [{ MinInterval: 60 }] }, null],
  ['MinContributions of one', [oneIn(2)], { win_constraints: [{ MinContributions: 1 }] }, '0.5'],
  ['MinContributions of two', [oneIn(2)], { win_constraints: [{ MinContributions: 2 }] }, '0'],
  ['a pot that is off', [oneIn(2)], { enabled: false }, '0'],
  ['a wager that is too small', [oneIn(2)], { criteria: { min_base_wager: 2 } }, '0'],
])('%s', (_what, types, members, chance) => {
  expect(chances(template([pot('a', types, members)]))).toEqual([chance]);
});

function timed() {
  return { criteria: { min_contribution: '0.01' } };
}

it.each([
  ['First', ['0.5', '0.125', '0.1875']],
  ['Lowest', ['0.375', '0.25', '0.1875']],
  ['Highest', ['0.25', '0.0625', '0.5']],
])('of pots that are hit together one is paid: %s', (win_selector_strategy, expected) => {
  const holding = (id: string, value: number, count: number) =>
    pot(id, [oneIn(count)], {
      contribution: { Percentage: 0.1 },
      seed_strategy: { initial_seed_value: value, min_reseed_value: value },
    });
  const pots = [holding('a', 100, 2), holding('b', 50, 4), holding('c', 200, 2)];
  expect(chances(template(pots, { win_selector_strategy }))).toEqual(expected);
});

it('a mix of wagers has the mean of theirs', () => {
  const mixed = chances(template([pot('a', [oneIn(100)])]), { stakes: stakes('1:3,5:1') });
  // 0.01 three times, and 0.05.
  expect(mixed).toEqual(['0.02']);
});

it('a raffle is not drawn by contribution', () => {
  const raffle_rules = {
    cost_per_ticket: 1,
    cost_source: 'BaseWager',
    allocation_mode: 'Instant',
    duration: { Days: 1 },
    prize_distribution: [{ prize_percentage: 1, number_of_winners: 1 }],
  };
  const { pot_types: _, ...prizes } = pot('a', []);
  expect(chances(template([prizes], { jackpot_type: 'Raffle', raffle_rules }))).toEqual([null]);
});

it('is what happens: of many first contributions so many win', () => {
  const played = template([pot('a', [oneIn(4)]), pot('b', [oneIn(2)])], { win_selector_strategy: 'First' });
  const exact = chances(played).map(Number);
  expect(exact).toEqual([0.25, 0.375]);
  const seeds = 600;
  const wins = [0, 0];
  for (let seed = 0; seed < seeds; seed += 1)
    simulate(played, { ...choices, seed: String(seed) }, () => {}).pots.forEach(({ drops }, index) => {
      wins[index]! += drops;
    });
  exact.forEach((chance, index) => {
    const deviation = Math.sqrt(seeds * chance * (1 - chance));
    expect(Math.abs(wins[index]! - seeds * chance)).toBeLessThan(5 * deviation);
  });
});

it('players who have to opt in do so first', () => {
  const contribution_rules = {
    contribution_type: { Percentage: 0.1 },
    opt_in_required: true,
    operator_contribution_percentage: 1,
  };
  expect(chances(template([pot('a', [oneIn(2)])], { contribution_rules }))).toEqual(['0.5']);
});
