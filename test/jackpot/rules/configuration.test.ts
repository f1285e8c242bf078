import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfiguration, parseConfiguration } from '../../../src/jackpot/rules/configuration/parse.ts';
import { potTypes } from '../../../src/jackpot/rules/kinds/pot-types/index.ts';
import { configurations } from '../support/histories.ts';
import { onePot } from '../support/scenario.ts';

const mustHit = { pot_types: [{ Threshold: { min_value: '10', max_value: '20' } }] };
const mustDrop = {
  pot_types: [{ Time: { start_time: 0, end_time: 1000 } }],
  criteria: { min_contribution: '0.01' },
};

function rule(max_number_of_payouts: number) {
  return { payout_percentage: '0.1', rule: { HighestContributors: { max_number_of_payouts } } };
}

describe('a configuration', () => {
  it.each<readonly [string, unknown]>([
    ['configuration must be an object', null],
    ['currency is missing', { ...onePot(), currency: undefined }],
    ['raffle_rules are missing', onePot({}, {}, { jackpot_type: 'Raffle' })],
    ['pots must name at least one pot', onePot({}, {}, { pots: [] })],
    ['pots[0] must be an object', onePot({}, {}, { pots: [7] as never })],
    [
      'pots must have different ids',
      onePot({}, {}, { pots: [...onePot().pots, ...onePot({ contribution: { Fixed: '1' } }).pots] }),
    ],
    ['pots cannot hold an id `house`, which names the house pot', onePot({ id: 'house' })],
    ['contribution_rules.contribution_type is missing', onePot({}, { contribution_type: undefined })],
    [
      'contribution_rules.operator_contribution_percentage must not exceed 1',
      onePot({}, { operator_contribution_percentage: '1.1' }),
    ],
    ['contribution_rules.allowed_brands must hold texts only', onePot({}, { allowed_brands: ['a', 1] })],
    ['contribution_rules.opt_in_required must be true or false', onePot({}, { opt_in_required: 'yes' })],
    [
      'pots[0].contribution holds a malformed Percentage value',
      onePot({ contribution: { Percentage: '0.1234567891' } }),
    ],
    [
      'house_pot and pots take more than 1 of a contribution',
      onePot({}, {}, { house_pot: { contribution_type: { Percentage: '0.000000001' } } }),
    ],
    [
      `pots[0].pot_types[0] must be an object with one key of ${Object.keys(potTypes).join(', ')}`,
      onePot({ pot_types: [{ toString: {} }] }),
    ],
    [
      'pots[0].pot_types[0].HitRate.max_magic_number times cost_per_attempt is too large',
      onePot({
        pot_types: [{ HitRate: { max_magic_number: 9_007_199_254_740_991, cost_per_attempt: '1' } }],
      }),
    ],
    [
      'pots[0].pot_types[0].HitRate.cost_per_attempt must be above zero',
      onePot({ pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '0' } }] }),
    ],
    [
      'pots[0].payout_ruleset.payout_rules[0].rule must be an object with one key of ActivePlayers, HighestContributors, HighestLifetimeContributors',
      onePot({ payout_ruleset: { payout_rules: [{}] } }),
    ],
    [
      'pots[0].payout_ruleset gives away more than 1: main_winner_percentage, admin_fee and payout_rules together',
      onePot({ payout_ruleset: { admin_fee: '0.1' } }),
    ],
    [
      'pots[0].seed_strategy.fund_strategy must be one of CollectToMinReseed, CollectAll, HouseFunded',
      onePot({ seed_strategy: { fund_strategy: 'x' } }),
    ],
    [
      'pots[0].seed_strategy must not start or reseed above maximum_pot_value',
      onePot({ maximum_pot_value: '1', seed_strategy: { min_reseed_value: '2' } }),
    ],
    [
      'pots[0].pot_types[0].Threshold.max_value must be above min_value',
      onePot({ pot_types: [{ Threshold: { min_value: '2', max_value: '2' } }] }),
    ],
    [
      'pots[0].seed_strategy.initial_seed_value must not be above min_value of its Threshold',
      onePot({ ...mustHit, seed_strategy: { initial_seed_value: '10.01' } }),
    ],
    [
      'pots[0].seed_strategy.min_reseed_value must not be above min_value of its Threshold',
      onePot({ ...mustHit, seed_strategy: { min_reseed_value: '10.01' } }),
    ],
    [
      'pots[0].maximum_pot_value must not be below max_value of its Threshold',
      onePot({ ...mustHit, maximum_pot_value: '19.99' }),
    ],
    [
      'pots[0].win_constraints[1] MinPotValue could block a pot that must be hit: with Threshold only AllowedSeedDeficit is allowed',
      onePot({ ...mustHit, win_constraints: [{ AllowedSeedDeficit: '0' }, { MinPotValue: '1' }] }),
    ],
    [
      'pots[0].win_constraints[0] MinInterval could block a pot that must be hit: with Time only AllowedSeedDeficit is allowed',
      onePot({ ...mustDrop, win_constraints: [{ MinInterval: 1 }] }),
    ],
    [
      'pots[0].criteria.min_contribution must be above zero: a pot with Time needs it',
      onePot({ ...mustDrop, criteria: { min_base_wager: '1' } }),
    ],
    [
      'pots[0].pot_types[0].Time.end_time must be later than start_time',
      onePot({ ...mustDrop, pot_types: [{ Time: { start_time: 5, end_time: 5 } }] }),
    ],
    [
      'pots[0].pot_types must not hold more than 4 of kind Time',
      onePot({ ...mustDrop, pot_types: new Array(5).fill({ Time: { start_time: 1, end_time: 5 } }) }),
    ],
    [
      'pots[0].payout_ruleset gives away more than 1: main_winner_percentage, admin_fee and payout_rules together',
      onePot({ payout_ruleset: { main_winner_percentage: '0.9', payout_rules: [rule(1), rule(2)] } }),
    ],
    [
      'pots[0].payout_ruleset.payout_rules must not pay more than 1000 players a win',
      onePot({ payout_ruleset: { main_winner_percentage: '0.8', payout_rules: [rule(600), rule(401)] } }),
    ],
    [
      'pots[0].payout_ruleset.payout_rules[0].rule.ActivePlayers.period_before_win is missing',
      onePot({
        payout_ruleset: {
          main_winner_percentage: '0',
          payout_rules: [{ payout_percentage: '1', rule: { ActivePlayers: { max_number_of_payouts: 1 } } }],
        },
      }),
    ],
    [
      'contribution_rules.contribution_values_alt[0].currency must be a currency code',
      onePot({}, { contribution_values_alt: [{ currency: 'euro', value: '1' }] }),
    ],
    [
      'contribution_rules.max_contribution.max_contribution_values_alt[1].currency stands twice',
      onePot(
        {},
        {
          max_contribution: {
            max_contribution_values_alt: [
              { currency: 'USD', value: '1' },
              { currency: 'USD', value: '2' },
            ],
          },
        },
      ),
    ],
  ])('has its fault named: %s', (fault, document) => {
    const parsed = parseConfiguration(document);
    expect(parsed.ok ? [] : parsed.faults).toContain(fault);
  });

  it('is read without a throw, whatever it is', () => {
    fc.assert(fc.property(fc.anything(), (document) => parseConfiguration(document) !== null));
    const broken = fc.tuple(configurations, fc.anything(), fc.nat(5));
    fc.assert(
      fc.property(broken, ([configuration, junk, place]) => {
        const pot = configuration.pots[0]!;
        const member = Object.keys(pot)[place % Object.keys(pot).length]!;
        parseConfiguration({ ...configuration, pots: [{ ...pot, [member]: junk }] });
        parseConfiguration({ ...configuration, contribution_rules: junk });
      }),
    );
  });

  it('has all of its faults named at once', () => {
    const parsed = parseConfiguration({
      ...onePot({
        ...mustHit,
        id: 'house',
        maximum_pot_value: '0',
        seed_strategy: { min_reseed_value: '11' },
      }),
      currency: '€',
    });
    expect(parsed.ok ? [] : parsed.faults).toEqual([
      'currency must be a currency code',
      'pots[0].maximum_pot_value must be above zero',
      'pots[0].seed_strategy must not start or reseed above maximum_pot_value',
      'pots[0].seed_strategy.min_reseed_value must not be above min_value of its Threshold',
      'pots[0].maximum_pot_value must not be below max_value of its Threshold',
      'pots cannot hold an id `house`, which names the house pot',
    ]);
  });

  it('may pay a thousand players a win, and every kind of trigger at its limits', () => {
    const payout_rules = [rule(600), rule(400)];
    const pot = {
      pot_types: [
        ...mustHit.pot_types,
        { Time: { start_time: 0, end_time: 86_399_999 } },
        { HitRate: { max_magic_number: 9_007_199_254_740_991, cost_per_attempt: '0.00001023' } },
        { External: {} },
      ],
      criteria: { min_contribution: '0.00000001' },
      seed_strategy: { initial_seed_value: '10', min_reseed_value: '10' },
      maximum_pot_value: '20',
      payout_ruleset: { main_winner_percentage: '0.8', payout_rules },
      win_constraints: [{ AllowedSeedDeficit: '0' }],
    };
    expect(parseConfiguration(onePot(pot))).toMatchObject({ ok: true });
  });
});

interface Funding {
  readonly name: string;
  readonly pot: Readonly<Record<string, unknown>>;
  readonly rules?: Readonly<Record<string, unknown>>;
  /** [ratio, collected, what the house pays]; null: no warning. */
  readonly warning: readonly [string, string, string] | null;
}

const reseeded = { seed_strategy: { min_reseed_value: '100' } };
const rate = { pot_types: [{ HitRate: { max_magic_number: 200, cost_per_attempt: '1' } }] };
const half = { seed_contribution: { Percentage: '0.5' } };

/** The warning names what of a reseed of 100 is collected in a cycle. */
const fundings: readonly Funding[] = [
  { name: 'funds itself', pot: { ...rate, ...half }, warning: null },
  {
    name: 'collects a quarter',
    pot: { ...rate, seed_contribution: { Percentage: '0.125' } },
    warning: ['of 0.25', '25', '75'],
  },
  {
    name: 'collects next to nothing',
    pot: { ...rate, seed_contribution: { Percentage: '0.002' } },
    warning: ['below 0.01', '0.4', '99.6'],
  },
  {
    name: 'is funded by the house',
    pot: {
      pot_types: [{ External: {} }],
      ...half,
      seed_strategy: { min_reseed_value: '100', fund_strategy: 'HouseFunded' },
    },
    warning: ['of 0', '0', '100'],
  },
  {
    name: 'has the shortest of its cycles',
    pot: {
      ...half,
      pot_types: [{ HitRate: { max_magic_number: 50, cost_per_attempt: '1' } }, ...rate.pot_types],
    },
    warning: ['of 0.25', '25', '75'],
  },
  {
    name: 'collects a fixed seed share of fixed contributions',
    pot: { ...rate, contribution: { Fixed: '0.5' }, seed_contribution: { Fixed: '0.25' } },
    warning: ['of 0.5', '50', '50'],
  },
  {
    name: 'collects fixed shares of contributions of no fixed size: nobody knows',
    pot: { ...rate, contribution: { Fixed: '0.5' }, seed_contribution: { Percentage: '0.1' } },
    rules: { contribution_type: { Percentage: '0.1' } },
    warning: null,
  },
  {
    name: 'must hit: from 100 to 150 on average, while half as much goes to the seed',
    pot: {
      pot_types: [{ Threshold: { min_value: '100', max_value: '200' } }],
      seed_contribution: { Percentage: '0.2' },
    },
    warning: ['of 0.12', '12.5', '87.5'],
  },
  { name: 'is not progressive: everything is seed', pot: { ...rate, is_progressive: false }, warning: null },
  {
    name: 'needs no top-up',
    pot: { ...rate, seed_strategy: { min_reseed_value: '100', reseed_strategy: 'Collected' } },
    warning: null,
  },
];

describe('the self-funding ratio of a pot that', () => {
  it.each(fundings)('$name', ({ pot, rules, warning }) => {
    const checked = checkConfiguration(onePot({ ...reseeded, ...pot }, rules));
    const [ratio, collected, pays] = warning ?? [];
    expect(checked).toEqual({
      faults: [],
      warnings:
        warning === null
          ? []
          : [
              `pots[0] has a self-funding ratio ${ratio}: it collects about ${collected} of the 100 that a reseed takes, so the house pays about ${pays} a cycle`,
            ],
    });
  });
});

describe('a configuration is stored with a warning where', () => {
  it.each([
    ['pots[0] has no pot_types: it is never won', onePot({ pot_types: [] })],
    [
      'pots[0] is not progressive: it never reaches its Threshold',
      onePot({ ...mustHit, is_progressive: false }),
    ],
  ])('%s', (warning, document) => {
    expect(checkConfiguration(document)).toEqual({ faults: [], warnings: [warning] });
  });
});
