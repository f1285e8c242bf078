import { expect, it } from 'vitest';
import { demoJackpots } from '../../../tools/demo/catalogue.ts';
import { demoPlayers } from '../../../tools/demo/fixtures.ts';
import { contributionsPerSecond, trafficSources } from '../../../tools/demo/main.ts';
import { directShare, playerPaidShare, wagersCents } from '../../../tools/demo/traffic.ts';

/** What a newcomer sees of the demo (docs/rules/operating.md "The demo"). */

const first = demoJackpots.find(({ template }) => template.id === 'three-pots')?.template as unknown as {
  readonly contribution_rules: { readonly contribution_type: { readonly Percentage: number } };
  readonly house_pot: unknown;
  readonly pots: readonly {
    readonly id: string;
    readonly contribution: { readonly Percentage: number };
    readonly seed_contribution: { readonly Percentage: number };
    readonly seed_strategy: { readonly min_reseed_value: number };
    readonly pot_types: readonly [
      { readonly HitRate: { readonly max_magic_number: number; readonly cost_per_attempt: number } },
    ];
  }[];
};
const mini = first.pots.find(({ id }) => id === 'mini') as (typeof first.pots)[number];

/** What the jackpot gets a second, in euros. VIPs have another jackpot behind the same source. */
function contributedPerSecond(): number {
  const share = (list: readonly unknown[], of: (entry: never) => boolean) =>
    list.filter((entry) => of(entry as never)).length / list.length;
  const bySource =
    share(trafficSources, (source: string) => source === 'slot-1') *
    share(demoPlayers, ({ brand }: { brand: string }) => brand !== 'demo:vip');
  const reached = directShare + (1 - directShare - playerPaidShare) * bySource;
  const wager = wagersCents.reduce((sum, cents) => sum + cents / 100, 0) / wagersCents.length;
  return contributionsPerSecond * reached * wager * first.contribution_rules.contribution_type.Percentage;
}

function winsPerSecond(): number {
  const { max_magic_number: odds, cost_per_attempt: cost } = mini.pot_types[0].HitRate;
  return contributedPerSecond() / cost / odds;
}

it('fewer than one minute in a hundred passes without a win', () => {
  expect(Math.exp(-60 * winsPerSecond())).toBeLessThan(0.01);
});

it('the small pot collects its reseed before it is won, on average', () => {
  const collected =
    (contributedPerSecond() / winsPerSecond()) *
    mini.contribution.Percentage *
    mini.seed_contribution.Percentage;
  expect(collected).toBeGreaterThan(mini.seed_strategy.min_reseed_value);
});
