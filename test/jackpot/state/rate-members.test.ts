import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RateMembers } from '../../../src/jackpot/state/directory/rates.ts';

const currency = fc.oneof(
  fc.stringMatching(/^[A-Z0-9]{2,12}$/),
  fc.constantFrom('', '"', '\\', '\t', '\n', '"\t1', 'EUR\n"USD"', '€', '\ud800'),
  fc.string({ unit: 'binary' }),
);
const member = fc.tuple(
  currency,
  fc.stringMatching(/^[1-9][0-9]{0,14}\.[0-9]{0,17}[1-9]$/),
  fc.option(fc.integer({ min: 0, max: 8 })),
);

describe('the members of a rate table', () => {
  it('are found by their currency, the last where one stands twice, and nothing else is', () => {
    fc.assert(
      fc.property(fc.array(member), fc.array(currency), (list, others) => {
        const members = new RateMembers(list);
        const known = new Map(list.map(([name, multiplier, exponent]) => [name, { multiplier, exponent }]));
        for (const name of [...known.keys(), ...others]) {
          expect(members.get(name)).toEqual(known.get(name) ?? null);
          expect(members.has(name)).toBe(known.has(name));
        }
      }),
    );
  });

  it('are given back as they were given', () => {
    fc.assert(
      fc.property(fc.array(member), (list) => {
        expect(new RateMembers(list).list()).toEqual(list);
      }),
    );
  });

  it('are found among a thousand', () => {
    const list = Array.from({ length: 1_000 }, (_, at) => [`X${at}`, `${at + 1}.5`, 2] as const);
    const members = new RateMembers(list);
    for (const [name, multiplier] of list) expect(members.get(name)).toEqual({ multiplier, exponent: 2 });
    expect(members.get('X1000')).toBeNull();
  });
});
