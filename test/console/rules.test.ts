import { describe, expect, it } from 'vitest';
import { rulesInWords } from '../../console/src/screens/jackpot/rule-words.ts';

const jackpot = {
  currency: 'EUR',
  contribution_rules: {
    contribution_type: { Percentage: 0.05 },
    operator_contribution_percentage: '1',
    opt_in_required: false,
    max_contribution: null,
  },
  house_pot: { contribution_type: { Percentage: '0.3' } },
  raffle_rules: null,
  pots: [],
};
const pot = (...pot_types: object[]) => ({
  id: 'p',
  enabled: true,
  contribution: { Percentage: 0.7 },
  seed_contribution: { Percentage: 0.5 },
  pot_types,
});

describe('the rules of a jackpot', () => {
  it('say what is taken, who pays, and what the house gets', () => {
    expect(rulesInWords(jackpot, 'en')).toEqual([
      'A contribution is 5 % of each wager.',
      'The operator pays it.',
      'The house gets 30 % of each contribution.',
    ]);
    const rules = {
      contribution_type: { Fixed: '0.5' },
      operator_contribution_percentage: '0.25',
      opt_in_required: true,
      max_contribution: { max_contribution_value: 2 },
    };
    expect(rulesInWords({ ...jackpot, contribution_rules: rules }, 'en').slice(0, 2)).toEqual([
      'A contribution is 0.50 EUR with each wager, at most 2.00 EUR.',
      'The operator pays 25 % of it, and the player the rest, on top of the wager. Only players who opted in contribute.',
    ]);
    const players = { ...rules, operator_contribution_percentage: 0, opt_in_required: false };
    expect(rulesInWords({ ...jackpot, contribution_rules: players }, 'en')[1]).toBe(
      'The player pays it, on top of the wager.',
    );
  });

  it.each([
    [[], 'is never won'],
    [
      [{ HitRate: { max_magic_number: 15_000, cost_per_attempt: 0.1 } }],
      'is won by chance: once in 15,000 attempts of 0.10 EUR, on average',
    ],
    [[{ Threshold: { min_value: '50', max_value: 60 } }], 'drops between 50.00 EUR and 60.00 EUR'],
    [
      [{ Time: { start_time: 0, end_time: 72_000_000 } }, { External: {} }],
      'drops between 00:00 and 20:00 UTC of every day, or with the first contribution after that, or is won when an administrator says so',
    ],
    [
      [{ Time: { start_time: Date.UTC(2026, 11, 24), end_time: Date.UTC(2026, 11, 24, 18) } }],
      'drops between 2026-12-24 00:00 and 2026-12-24 18:00 UTC, or with the first contribution after that',
    ],
  ])('say of a pot with %j that it %s', (types, words) => {
    const share = 'Pot p gets 70 % of each contribution, and puts 50 % of that aside for its next cycle.';
    expect(rulesInWords({ ...jackpot, pots: [pot(...types)] }, 'en').at(-1)).toBe(`${share} It ${words}.`);
  });

  it('say of a raffle what a ticket is, and of a pot that it takes no part', () => {
    const raffle_rules = { cost_per_ticket: '1', cost_source: 'BaseWager' };
    const off = { ...pot(), enabled: false };
    expect(
      rulesInWords({ ...jackpot, raffle_rules, pots: [pot({ External: {} }), off] }, 'en').slice(3),
    ).toEqual([
      'The pot is paid in rounds to players with tickets: one for each 1.00 EUR that they wager.',
      'Pot p gets 70 % of each contribution, and puts 50 % of that aside for its next cycle.',
      'Pot p takes no part.',
    ]);
  });
});
