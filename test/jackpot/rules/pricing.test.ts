import { describe, expect, it } from 'vitest';
import { atoms, contribution, running, setRates } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const rates = setRates([
  ['JPY', '160', null],
  ['KWD', '0.33', null],
  ['USD', '1.1', null],
  ['XCO', '1000', 4],
]);

interface Case {
  readonly name: string;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly wager?: string;
  readonly currency?: string;
  readonly maxBet?: string;
  /** In the request's currency, operator's part included. */
  readonly request: string;
  /** C, in euro. */
  readonly reaches: string;
}

const player = { operator_contribution_percentage: '0' };
const cases: readonly Case[] = [
  { name: 'a fixed value', rules: {}, request: '1', reaches: '1' },
  {
    name: 'a share of the wager',
    rules: { contribution_type: { Percentage: '0.015' } },
    wager: '2.5',
    request: '0.0375',
    reaches: '0.0375',
  },
  {
    name: 'the player pays whole cents, half up',
    rules: { contribution_type: { Fixed: '0.125' }, ...player },
    request: '0.13',
    reaches: '0.13',
  },
  {
    name: 'below half goes down',
    rules: { contribution_type: { Fixed: '0.1249' }, ...player },
    request: '0.12',
    reaches: '0.12',
  },
  {
    name: 'rounded to nothing',
    rules: { contribution_type: { Fixed: '0.004' }, ...player },
    request: '0',
    reaches: '0',
  },
  {
    name: 'down where up would pass the cap',
    rules: {
      contribution_type: { Fixed: '0.2' },
      max_contribution: { max_contribution_value: '0.125' },
      ...player,
    },
    request: '0.12',
    reaches: '0.12',
  },
  {
    name: 'the operator pays its part exactly',
    rules: { contribution_type: { Fixed: '0.1' }, operator_contribution_percentage: '0.333333333' },
    request: '0.1033333333'.slice(0, 10),
    reaches: '0.10333333',
  },
  { name: 'converted to whole yen', rules: { ...player }, currency: 'JPY', request: '160', reaches: '1' },
  {
    name: 'three digits in dinar',
    rules: { contribution_type: { Fixed: '0.01' }, ...player },
    currency: 'KWD',
    request: '0.003',
    reaches: '0.00909090',
  },
  {
    name: 'a currency outside ISO 4217 by its exponent',
    rules: { contribution_type: { Fixed: '0.0000001' }, ...player },
    currency: 'XCO',
    request: '0.0001',
    reaches: '0.0000001',
  },
  {
    name: 'an alternative value',
    rules: { contribution_values_alt: [{ currency: 'USD', value: '2.2' }] },
    currency: 'USD',
    request: '2.2',
    reaches: '2',
  },
  {
    name: 'a cap in another currency',
    rules: {
      max_contribution: {
        max_contribution_value: '9',
        max_contribution_values_alt: [{ currency: 'USD', value: '0.55' }],
      },
    },
    currency: 'USD',
    request: '0.55',
    reaches: '0.5',
  },
  {
    name: 'a cap with the wager in it',
    rules: { max_contribution: { max_contribution_value: '3', include_base_wager: true } },
    wager: '2.5',
    request: '0.5',
    reaches: '0.5',
  },
  {
    name: 'a cap by the wager',
    rules: { max_contribution: { cap_contribution_by_base_wager: '0.25' } },
    wager: '2',
    request: '0.5',
    reaches: '0.5',
  },
  {
    name: 'a bet limit of the player',
    rules: { operator_contribution_percentage: '0.5' },
    maxBet: '0.2',
    request: '0.4',
    reaches: '0.4',
  },
];

describe('the price of a contribution', () => {
  it.each(cases)('$name', ({ rules, wager, currency, maxBet, request, reaches }) => {
    const lane = new TestLane();
    lane.apply(rates, ...running(onePot({}, rules)));
    const { outcomes } = lane.apply(
      contribution({
        baseWagerAtoms: atoms(wager ?? '1'),
        currency: currency ?? 'EUR',
        maxBetAtoms: maxBet === undefined ? null : atoms(maxBet),
      }),
    );
    expect(outcomes[0]).toMatchObject({
      kind: 'Contributed',
      results: [{ requestAtoms: atoms(request), contributionAtoms: atoms(reaches) }],
    });
    expect(lane.accounts()['main.current']).toBe(atoms(reaches));
    expect(lane.total()).toBe(0n);
  });

  it('is the one of the rate table in force at its place in the log', () => {
    const lane = new TestLane();
    lane.apply(rates, ...running(onePot()));
    lane.apply(contribution({ currency: 'USD' }));
    lane.apply(setRates([['USD', '2', null]], { version: 2 }));
    const { outcomes } = lane.apply(contribution({ currency: 'USD' }));
    expect(outcomes[0]).toMatchObject({ results: [{ requestAtoms: atoms('2') }] });
  });

  it('is made with the table of the brand where it has one', () => {
    const lane = new TestLane();
    lane.apply(rates, setRates([['USD', '3', null]], { brand: 'op:main', version: 2 }), ...running(onePot()));
    const { outcomes } = lane.apply(contribution({ currency: 'USD' }));
    expect(outcomes[0]).toMatchObject({ results: [{ requestAtoms: atoms('3') }] });
  });

  it('is refused where the rate tables no longer say the minor unit of the currency', () => {
    const lane = new TestLane();
    const exact = onePot({}, { contribution_type: { Percentage: '1' }, ...player });
    lane.apply(rates, ...running({ ...exact, currency: 'XCO' }));
    const wager = { baseWagerAtoms: atoms('0.0071'), currency: 'XCO' } as const;
    const priced = lane.apply(contribution(wager));
    expect(priced.outcomes[0]).toMatchObject({ results: [{ requestAtoms: atoms('0.0071') }] });
    lane.apply(setRates([['USD', '1.1', null]], { version: 2 }));
    const refused = lane.apply(contribution(wager));
    expect(refused.outcomes).toMatchObject([{ kind: 'Refused', code: 'currency_unknown' }]);
    expect(lane.accounts().player).toBe(-atoms('0.0071'));
  });
});
