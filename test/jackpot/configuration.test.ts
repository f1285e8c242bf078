import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkConfiguration, parseConfiguration } from '../../src/jackpot/configuration/parse.ts';
import { configurations } from './support/histories.ts';
import { onePot } from './support/scenario.ts';

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
      'pots[0].pot_types[0] must be an object with one key of HitRate, Threshold, Time, External',
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

  it('that does not fund its own reseed brings a warning, one that does brings none', () => {
    const pot = (Percentage: string) => ({
      seed_contribution: { Percentage },
      seed_strategy: { min_reseed_value: '100' },
      pot_types: [{ HitRate: { max_magic_number: 200, cost_per_attempt: '1' } }],
    });
    expect(checkConfiguration(onePot(pot('0.25'))).warnings).toEqual([
      'pots[0] has a self-funding ratio of 0.5: it collects about 50 of the 100 that a reseed takes, so the house pays about 50 a cycle',
    ]);
    expect(checkConfiguration(onePot(pot('0.5')))).toEqual({ faults: [], warnings: [] });
  });
});
