import { expect, it } from 'vitest';
import { optInStatusView } from '../../../src/contracts/jackpots/opt-in.ts';

const status = {
  instance: 'i',
  brand: 'acme:main',
  player: 'p',
  optedIn: true,
  lastUpdatedMs: 1,
  contributionCount: 0,
  contributionAtoms: 0n,
  pots: [],
  preferences: [
    ['EUR', 150_000_000n],
    ['USD', 200_000_000n],
  ],
} as const;

it.each([
  ['EUR', 150_000_000n, 'EUR'],
  ['USD', 200_000_000n, 'USD'],
  ['GBP', 200_000_000n, 'USD'],
  [null, 200_000_000n, 'USD'],
  [undefined, 200_000_000n, 'USD'],
])('a request in %s sees the preference for %s in %s', (requested, value, currency) => {
  expect(optInStatusView(status, requested)).toMatchObject({
    preferred_contribution_value: value,
    preferred_contribution_currency: currency,
    contribution_preferences: { EUR: '1.5', USD: '2' },
  });
});
