import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { PotTypeKind } from '../../../src/messages/kinds.ts';
import { potTypes } from '../oracle/triggers.ts';
import type { Random } from './random.ts';

// biome-ignore lint/suspicious/noExplicitAny: configuration documents are plain JSON.
type Json = any;

/** A valid configuration of any kind; `currency` and `pots` fix what a parameter change must keep. */
export function randomConfiguration(
  random: Random,
  kept: { readonly currency?: string; readonly pots?: number; readonly raffle?: boolean } = {},
): InstanceConfigurationDocument {
  const raffle = kept.raffle ?? random.once(5);
  const count = raffle ? 1 : (kept.pots ?? 1 + random.below(4));
  const currency = kept.currency ?? random.pick('EUR', 'EUR', 'EUR', 'EUR', 'USD', 'USD', 'JPY', 'KWD');
  return withoutHoles({
    currency,
    draw_beacon: takesBeacons(currency) ? 'Required' : undefined,
    jackpot_type: raffle ? 'Raffle' : 'Jackpot',
    max_instantiation_count: random.pick(undefined, undefined, undefined, 3),
    win_selector_strategy: random.pick(undefined, 'Lowest', 'Highest', 'First'),
    house_pot: housePot(random),
    contribution_rules: rules(random),
    raffle_rules: raffle ? raffleRules(random) : undefined,
    pots: pots(random, count, raffle),
  });
}

/** Told by the currency, so that a history knows of which instances it has to hand in beacons. */
export function takesBeacons(currency: string): boolean {
  return currency === 'KWD';
}

function housePot(random: Random): Json {
  return random.pick(
    undefined,
    { contribution_type: { Percentage: '0.2' } },
    { contribution_type: { Percentage: '0.1' }, diversion_rules: { diversion_percentage: '0.5' } },
    {
      contribution_type: { Fixed: '0.01' },
      diversion_rules: {
        target: { External: { endpoint: 'https://pool.example/flush', account_id: 'charity' } },
        diversion_percentage: '0.3333',
        flush_threshold: random.pick('0.05', '1'),
      },
    },
  );
}

function rules(random: Random): Json {
  const alternatives = random.pick(undefined, [
    { currency: 'USD', value: '0.4' },
    { currency: 'JPY', value: '41' },
  ]);
  return {
    opt_in_required: random.pick(undefined, false, false, true),
    opt_in_per_currency: random.pick(undefined, false, true),
    contribution_type: random.pick(
      { Fixed: '0.37' },
      { Fixed: '1' },
      { Percentage: '0.1' },
      { Percentage: '0.012345678' },
      { Percentage: '1' },
    ),
    contribution_values_alt: alternatives,
    max_contribution: random.pick<Json>(
      undefined,
      undefined,
      { max_contribution_value: '5' },
      { max_contribution_value: '25.5', include_base_wager: true, cap_contribution_by_base_wager: '' },
      { cap_contribution_by_base_wager: '0.333333333', max_contribution_value: '' },
      {
        max_contribution_value: '9',
        max_contribution_values_alt: [
          { currency: 'JPY', value: '570' },
          { currency: 'USD', value: '4.111' },
        ],
        cap_contribution_by_base_wager: null,
      },
    ),
    operator_contribution_percentage: random.pick(undefined, '0', '0.5', '0.333333333', '1'),
    wager_criteria: random.pick(
      undefined,
      undefined,
      undefined,
      undefined,
      { min_base_wager: '0.6' },
      { min_contribution: '0.05' },
    ),
    allowed_brands: random.pick(
      undefined,
      undefined,
      undefined,
      undefined,
      ['op:main', 'op:other'],
      ['op:main', 'op:vault'],
    ),
    country_filters: random.pick<Json>(
      undefined,
      undefined,
      undefined,
      { black_list: ['US-NJ'], white_list: [] },
      { white_list: ['US', 'DE'] },
    ),
    qualified_contribution_only: random.pick(undefined, true, false),
  };
}

/** Now and then they are alike, so that their values are the same when they are hit. */
function pots(random: Random, count: number, raffle: boolean): Json {
  const alike = random.once(5) ? pot(random, raffle) : null;
  return Array.from({ length: count }, (_, index) => ({
    id: `pot-${index}`,
    ...(alike ?? pot(random, raffle)),
  }));
}

function pot(random: Random, raffle: boolean): Json {
  const kind = raffle ? 'none' : random.pick('HitRate', 'HitRate', 'both', ...Object.keys(potTypes));
  const must = kind === 'Threshold' || kind === 'Time' || kind === 'both';
  const seeds = random.pick(['0', '1'], ['1', '1'], ['5.5', '3.33333333'], ['0.5', '4'], ['0', '0']);
  return {
    enabled: random.pick(undefined, true, true, true, raffle ? true : random.pick(true, false)),
    contribution: random.pick<Json>(
      { Percentage: '0.05' },
      { Percentage: '0.123456789' },
      { Percentage: '0.2' },
      { Percentage: '0.2' },
      { Fixed: '0.01' },
    ),
    seed_contribution: random.pick<Json>(
      undefined,
      { Percentage: '0.333333333' },
      { Percentage: '0.85' },
      { Fixed: '0.02' },
    ),
    is_progressive: random.pick(undefined, true, true, true, must ? true : random.pick(true, false)),
    seed_strategy: {
      initial_seed_value: seeds[0],
      min_reseed_value: seeds[1],
      fund_strategy: random.pick(undefined, 'CollectToMinReseed', 'CollectAll', 'HouseFunded'),
      reseed_strategy: random.pick(undefined, 'Full', 'Minimum', 'Collected'),
    },
    maximum_pot_value: must
      ? random.pick(undefined, '', '60', '80.5')
      : random.pick(undefined, '', '6', '60'),
    criteria: criteria(random, kind),
    payout_ruleset: payout(random, raffle),
    win_constraints: constraints(random, must),
    pot_types: triggers(random, kind),
  };
}

function criteria(random: Random, kind: string): Json {
  if (kind === 'Time' || kind === 'both') return { min_contribution: random.pick('0.01', '0.2') };
  return random.pick(undefined, undefined, {}, { min_base_wager: '2' }, { min_contribution: '0.2' });
}

function payout(random: Random, raffle: boolean): Json {
  if (raffle) return undefined;
  return random.pick<Json>(
    undefined,
    {},
    { main_winner_percentage: '0.9', admin_fee: '0.05' },
    { main_winner_percentage: '0.777777777' },
    {
      main_winner_percentage: '0.6',
      payout_rules: [
        {
          payout_percentage: '0.25',
          rule: {
            ActivePlayers: {
              period_before_win: random.pick(5, 2000, 9_000_000),
              max_number_of_payouts: random.pick(1, 3, 100),
            },
          },
        },
      ],
    },
    {
      main_winner_percentage: '0.333333333',
      admin_fee: '0.05',
      payout_rules: [
        {
          payout_percentage: '0.2',
          rule: { HighestContributors: { max_number_of_payouts: random.pick(1, 2, 7) } },
        },
        {
          payout_percentage: '0.1',
          rule: { ActivePlayers: { period_before_win: 60_000, max_number_of_payouts: 3 } },
        },
        {
          payout_percentage: '0.15',
          rule: { HighestLifetimeContributors: { max_number_of_payouts: random.pick(1, 3) } },
        },
      ],
    },
  );
}

function constraints(random: Random, must: boolean): Json {
  if (must) return random.pick<Json>(undefined, undefined, [{ AllowedSeedDeficit: '30' }]);
  return random.pick<Json>(
    undefined,
    undefined,
    [{ MinContributions: 3 }],
    [{ MinPotValue: '2' }],
    [{ AllowedSeedDeficit: '12' }],
    [{ MinInterval: 2 }, { AllowedSeedDeficit: '20' }],
  );
}

/** `kind`: none, one of the pot types, or both of those that must be hit. */
function triggers(random: Random, kind: string): Json {
  const one = (of: string) => ({ [of]: potTypes[of as PotTypeKind].sample(random) });
  if (kind === 'none') return random.pick(undefined, []);
  if (kind === 'both') return [one('HitRate'), one('Threshold'), one('Time')];
  if (kind === 'External') return [one(kind)];
  const unlikely = { HitRate: { max_magic_number: 900_000_000, cost_per_attempt: '90' } };
  const several = kind === 'HitRate' ? [one(kind), unlikely, one(kind)] : [one(kind)];
  return random.pick<Json>([one(kind)], [{ External: {} }, one(kind)], several);
}

function raffleRules(random: Random): Json {
  return {
    cost_per_ticket: random.pick('0.1', '1', '0.37'),
    cost_source: random.pick('Contribution', 'BaseWager'),
    allocation_mode: random.pick('Instant', 'Deferred'),
    duration: random.pick<Json>(
      { Seconds: 40 },
      { Minutes: 30 },
      { Hours: 2 },
      { Days: 1 },
      { Scheduled: { timestamps_end: [1_700_000_090_000, 1_700_030_000_000, 1_700_200_000_000] } },
    ),
    prize_distribution: random.pick<Json>(
      [{ prize_percentage: '1', number_of_winners: 1 }],
      [
        { prize_percentage: '0.5', number_of_winners: 1 },
        { prize_percentage: '0.3', number_of_winners: 3 },
        { prize_percentage: '0.123456789', number_of_winners: 7 },
      ],
    ),
  };
}

/** Documents are JSON: without members that are undefined. */
function withoutHoles(document: Json): Json {
  return JSON.parse(JSON.stringify(document));
}
