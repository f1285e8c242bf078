import fc from 'fast-check';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { Json } from './rules.ts';

const share = fc.constantFrom('0', '0.05', '0.1', '0.123456789', '0.2', '0.2');
const some = <T>(...values: readonly T[]) => fc.constantFrom<T | undefined>(undefined, ...values);
const partOf = fc.oneof(
  share.map((Percentage) => ({ Percentage })),
  share.map((Percentage) => ({ Percentage })),
  fc.constantFrom('0.01', '0.5', '40').map((Fixed) => ({ Fixed })),
);
const criteria = fc.constantFrom<Json>(
  undefined,
  {},
  { min_base_wager: '2' },
  { min_contribution: '0.2' },
  { min_base_wager: '0.7', min_contribution: '0.05' },
);

const pot = fc.record({
  enabled: some(true, true, true, false),
  contribution: partOf,
  seed_contribution: some<Json>(
    { Percentage: '0' },
    { Percentage: '0.333333333' },
    { Percentage: '0.85' },
    { Percentage: '1' },
    { Fixed: '0.02' },
  ),
  is_progressive: some(true, true, false),
  seed_strategy: fc.record({
    initial_seed_value: some('1', '5.5', '0.00000001'),
    min_reseed_value: some('1', '7.25', '3.33333333'),
    fund_strategy: some('CollectToMinReseed', 'CollectAll', 'HouseFunded'),
    reseed_strategy: some('Full', 'Full', 'Minimum', 'Collected'),
  }),
  maximum_pot_value: some('', '8', '20', '7.25'),
  criteria,
  payout_ruleset: some<Json>(
    {},
    { main_winner_percentage: '0.9', admin_fee: '0.05' },
    { main_winner_percentage: '0.777777777' },
  ),
  win_constraints: some<Json>(
    [{ MinContributions: 3 }],
    [{ MinPotValue: '2' }],
    [{ AllowedSeedDeficit: '3' }],
    [{ MinInterval: 2 }, { AllowedSeedDeficit: '12' }],
  ),
  pot_types: some<Json>(
    [{ HitRate: { max_magic_number: 5, cost_per_attempt: '0.1' } }],
    [{ HitRate: { max_magic_number: 2, cost_per_attempt: '0.1' } }],
    [{ External: {} }, { HitRate: { max_magic_number: 20, cost_per_attempt: '0.25' } }],
    [
      { HitRate: { max_magic_number: 3, cost_per_attempt: '1' } },
      { HitRate: { max_magic_number: 900_000_000, cost_per_attempt: '90' } },
      { HitRate: { max_magic_number: 1, cost_per_attempt: '0.37' } },
    ],
  ),
});

const maximum = some<Json>(
  { max_contribution_value: '0.5' },
  { max_contribution_value: '2.5', include_base_wager: true, cap_contribution_by_base_wager: '' },
  { cap_contribution_by_base_wager: '0.333333333' },
  {
    max_contribution_value: '',
    max_contribution_values_alt: [
      { currency: 'JPY', value: '57' },
      { currency: 'USD', value: '0.411' },
    ],
    cap_contribution_by_base_wager: null,
  },
);

const rules = fc.record({
  opt_in_required: some(false, false, true),
  opt_in_per_currency: some(true, false),
  contribution_type: fc.constantFrom<Json>(
    { Fixed: '0.37' },
    { Fixed: '0.37' },
    { Fixed: '0' },
    { Percentage: '0.1' },
    { Percentage: '0.012345678' },
    { Percentage: '1' },
  ),
  contribution_values_alt: some<Json>([{ currency: 'USD', value: '0.4' }]),
  max_contribution: maximum,
  operator_contribution_percentage: some('0', '0.5', '0.333333333', '1'),
  wager_criteria: criteria,
  allowed_brands: some<Json>(undefined, undefined, undefined, ['op:main'], ['op:main', 'op:other']),
  country_filters: some<Json>(
    undefined,
    undefined,
    undefined,
    undefined,
    { black_list: ['US-NJ'], white_list: [] },
    { white_list: ['US', 'DE'] },
  ),
  qualified_contribution_only: some(true, false, false),
});

const rest = fc.record({
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'JPY', 'KWD'),
  max_instantiation_count: some<number | undefined>(undefined, undefined, 2),
  win_selector_strategy: some('Lowest', 'Highest', 'First'),
  house_pot: some<Json>(
    { contribution_type: { Percentage: '0.2' } },
    {
      contribution_type: { Fixed: '0.01' },
      diversion_rules: { diversion_percentage: '0.25', flush_threshold: '' },
    },
    {
      contribution_type: { Percentage: '0.1' },
      diversion_rules: { diversion_percentage: '0.3333', flush_threshold: '0.05' },
    },
  ),
});

/** An instance's configuration and another one that it may be changed to: they share currency and pot ids. */
export const configurationPairs: fc.Arbitrary<
  readonly [InstanceConfigurationDocument, InstanceConfigurationDocument]
> = fc.integer({ min: 1, max: 4 }).chain((count) => {
  const one = fc.tuple(rest, rules, fc.array(pot, { minLength: count, maxLength: count })).map(assembled);
  return fc
    .tuple(one, one)
    .map(([first, second]) => [first, { ...second, currency: first.currency }] as const);
});

function assembled([others, contributionRules, pots]: readonly [Json, Json, readonly Json[]]): Json {
  return stripped({
    jackpot_type: 'Jackpot',
    ...others,
    contribution_rules: contributionRules,
    pots: pots.map((each, index) => ({ id: `pot-${index}`, ...each })),
  });
}

/** Without members that are undefined: documents are JSON. */
function stripped(document: Json): Json {
  return JSON.parse(JSON.stringify(document));
}
