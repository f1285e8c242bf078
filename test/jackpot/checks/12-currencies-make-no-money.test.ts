import { expect, it } from 'vitest';
import type { WinShare } from '../../../src/messages/events.ts';
import { Random } from '../mixed/random.ts';
import { type Ratio, ratio } from '../oracle/numbers.ts';
import { atoms, contribution, running, setRates } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const currencies = ['EUR', 'USD', 'JPY', 'KWD', 'PTS'] as const;
type Multipliers = Readonly<Record<string, Ratio>>;

const history = 1000;

/**
 * Proves: in any currency, at any rate, nobody gets more than was paid in, and no way there and back earns an atom.
 * In whole: a million contributions, under a thousand tables of rates.
 */
it('check 12: currency round trips never create money', { timeout: patienceMs }, () => {
  const commands = scaled(6_000, 1_000_000);
  let wins = 0;
  let seed = 1;
  for (; (seed - 1) * history < commands; seed++) wins += play(new Random(seed));
  saw('check 12', { contributions: (seed - 1) * history, wins });
  expect(wins).toBeGreaterThan(0);
});

function play(random: Random): number {
  const multipliers = Object.fromEntries(
    currencies.map((each) => [each, each === 'EUR' ? '1' : randomRate(random)]),
  );
  const exact: Multipliers = Object.fromEntries(
    Object.entries(multipliers).map(([currency, text]) => [currency, ratio(text)]),
  );
  const own = random.pick(...currencies);
  const lane = new TestLane();
  const table = currencies
    .slice(1)
    .map((each) => [each, multipliers[each]!, each === 'PTS' ? 4 : null] as const);
  lane.apply(setRates([...table].sort()), ...running(configurationOf(random, own)));
  let wins = 0;
  for (let done = 0; done < history; done += 10) {
    const commands = Array.from({ length: 10 }, () =>
      contribution({
        contributionId: random.bytes(16),
        player: `p${random.below(6)}`,
        currency: random.pick(...currencies),
        baseWagerAtoms: atoms(random.pick('1', '0.37', '250', '12.34567891', '9999')),
      }),
    );
    const { outcomes, events } = lane.apply(...commands);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind !== 'Contributed') continue;
      const { contributionAtoms, requestAtoms } = outcome.results[0]!;
      const paid = { currency: commands[index]!.currency, atoms: requestAtoms };
      expectNoMore(exact, { currency: own, atoms: contributionAtoms }, paid);
    }
    for (const event of events) {
      if (event.kind !== 'Won') continue;
      wins += 1;
      for (const share of [event.winner, ...event.community]) expectPaid(exact, own, share);
    }
    if (lane.accounts().fx! < 0n || lane.total() !== 0n)
      expect(lane.accounts()).toBe('balanced, with fx at or above zero');
  }
  return wins;
}

function expectPaid(multipliers: Multipliers, own: string, share: WinShare): void {
  const got = { currency: share.paidCurrency, atoms: share.paidAtoms };
  expectNoMore(multipliers, got, { currency: own, atoms: share.amountAtoms });
}

interface Money {
  readonly currency: string;
  readonly atoms: bigint;
}

/** What was got is worth no more than what was given, compared without any rounding. */
function expectNoMore(multipliers: Multipliers, got: Money, given: Money): void {
  const [g, p] = [multipliers[got.currency]!, multipliers[given.currency]!];
  const gotInBase = got.atoms * g.d * p.n;
  const givenInBase = given.atoms * p.d * g.n;
  if (gotInBase > givenInBase) {
    expect.fail(`${given.atoms} ${given.currency} became ${got.atoms} ${got.currency}`);
  }
}

function randomRate(random: Random): string {
  const decimals = `${random.below(1_000_000)}`.padStart(6, '0');
  return `${random.pick(0, 1, 3, 163, 98_765)}.${decimals}${1 + random.below(9)}${random.pick('', '12345678901')}`;
}

function configurationOf(random: Random, currency: string) {
  return {
    currency,
    jackpot_type: 'Jackpot',
    contribution_rules: {
      contribution_type: { Percentage: random.pick('0.1', '0.037', '1') },
      operator_contribution_percentage: random.pick('0', '0.333333333', '1'),
    },
    house_pot: { contribution_type: { Percentage: '0.1' } },
    pots: [0, 1].map((index) => ({
      id: `pot-${index}`,
      contribution: { Percentage: '0.4' },
      payout_ruleset: {
        main_winner_percentage: '0.7',
        admin_fee: '0.01',
        payout_rules: [
          { payout_percentage: '0.2', rule: { HighestContributors: { max_number_of_payouts: 3 } } },
        ],
      },
      pot_types: [{ HitRate: { max_magic_number: 50 + index, cost_per_attempt: '0.1' } }],
    })),
  };
}
