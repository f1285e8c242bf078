import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRaffleRules } from '../../../../src/jackpot/rules/configuration/raffle-rules.ts';
import { prizesOf, sum } from '../../../../src/jackpot/rules/raffles/pay.ts';
import { Reader } from '../../../../src/lib/document-reader.ts';
import { atoms } from '../../support/commands.ts';

const eur = 2;

function rulesOf(...tiers: readonly (readonly [prize_percentage: string, number_of_winners: number])[]) {
  const document = {
    cost_per_ticket: '1',
    duration: { Days: 1 },
    prize_distribution: tiers.map(([prize_percentage, number_of_winners]) => ({
      prize_percentage,
      number_of_winners,
    })),
  };
  const faults: string[] = [];
  const rules = readRaffleRules(new Reader(document, 'raffle_rules', faults), document);
  return { rules, faults };
}

const amounts = (...texts: readonly string[]) => texts.map(atoms);

describe('the prizes of a round', () => {
  it.each([
    [
      'each tier is shared by its winners, floored to the minor unit',
      '100',
      4,
      false,
      ['50', '6.66', '6.66', '6.66'],
    ],
    ['fewer tickets than prizes leave the others unpaid', '100', 2, false, ['50', '6.66']],
    ['the last round gives the rest pro rata to those drawn', '100', 2, true, ['88.24', '11.75']],
    ['a pot below a minor unit pays nothing', '0.005', 4, true, ['0', '0', '0', '0']],
  ] as const)('%s', (_, value, drawn, isLast, expected) => {
    const { rules } = rulesOf(['0.5', 1], ['0.2', 3]);
    expect(prizesOf(rules, atoms(value), drawn, isLast, eur)).toEqual(amounts(...expected));
  });

  it('never exceed the pot, and are whole minor units', () => {
    const share = fc.integer({ min: 0, max: 333_333_333 }).map((scaled) => (scaled / 1e9).toFixed(9));
    const tier = fc.tuple(share, fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(
        fc.array(tier, { minLength: 1, maxLength: 3 }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.integer({ min: 0, max: 30 }),
        fc.boolean(),
        (tiers, value, tickets, isLast) => {
          const { rules } = rulesOf(...tiers);
          const winners = rules.prizes.reduce((count, each) => count + each.winners, 0);
          const prizes = prizesOf(rules, value, Math.min(tickets, winners), isLast, eur);
          expect(sum(prizes) <= value).toBe(true);
          expect(prizes.every((prize) => prize % 1_000_000n === 0n)).toBe(true);
        },
      ),
    );
  });
});

describe('raffle rules', () => {
  it.each([
    [{ cost_per_ticket: '0' }, 'cost_per_ticket must be above zero'],
    [{ cost_per_ticket: undefined }, 'cost_per_ticket is missing'],
    [{ cost_source: 'Win' }, 'cost_source must be one of Contribution, BaseWager'],
    [{ allocation_mode: 'Never' }, 'allocation_mode must be one of Instant, Deferred'],
    [{ duration: undefined }, 'duration must be an object with one key of'],
    [{ duration: { Years: 1 } }, 'duration must be an object with one key of'],
    [{ duration: { Weeks: 0 } }, 'duration.Weeks must be an integer of at least 1'],
    [{ duration: { Weeks: 9999999 } }, 'duration must not exceed a hundred years'],
    [{ duration: { Scheduled: { timestamps_end: [2, 1] } } }, 'each later than the last'],
    [{ duration: { Scheduled: { timestamps_end: [] } } }, 'at least one'],
    [{ prize_distribution: [] }, 'prize_distribution must name at least one prize'],
    [
      {
        prize_distribution: [
          { prize_percentage: '0.6', number_of_winners: 1 },
          { prize_percentage: '0.5', number_of_winners: 1 },
        ],
      },
      'gives away more than 1 of the pot',
    ],
    [
      { prize_distribution: [{ prize_percentage: '1', number_of_winners: 1001 }] },
      'must not have more than 1000 winners',
    ],
    [{ prize_distribution: [{ number_of_winners: 1 }] }, 'prize_distribution[0].prize_percentage is missing'],
  ] as const)('with %j have their fault named', (changes, fault) => {
    const document = {
      cost_per_ticket: '1',
      duration: { Days: 1 },
      prize_distribution: [{ prize_percentage: '1', number_of_winners: 1 }],
      ...changes,
    };
    const faults: string[] = [];
    readRaffleRules(new Reader(document, 'raffle_rules', faults), document);
    expect(faults.join('; ')).toContain(fault);
  });
});
