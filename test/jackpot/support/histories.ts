import fc from 'fast-check';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { atoms, contribution } from './commands.ts';

const share = fc.constantFrom('0', '0.05', '0.1', '0.123456789', '0.2');
const seedStrategy = fc.record({
  initial_seed_value: fc.constantFrom('0', '1', '5.5'),
  min_reseed_value: fc.constantFrom('0', '1', '7.25'),
  fund_strategy: fc.constantFrom('CollectToMinReseed', 'CollectAll', 'HouseFunded'),
  reseed_strategy: fc.constantFrom('Full', 'Minimum', 'Collected'),
});

const pot = fc.record({
  contribution: fc.oneof(
    share.map((Percentage) => ({ Percentage })),
    fc.constantFrom('0.01', '0.5').map((Fixed) => ({ Fixed })),
  ),
  seed_contribution: fc.constantFrom('0', '0.333333333', '0.85', '1').map((Percentage) => ({ Percentage })),
  is_progressive: fc.constantFrom(true, true, true, false),
  seed_strategy: seedStrategy,
  maximum_pot_value: fc.constantFrom('', '', '8', '20'),
  criteria: fc.constantFrom({}, { min_base_wager: '2' }, { min_contribution: '0.2' }),
  payout_ruleset: fc.constantFrom(
    {},
    { main_winner_percentage: '0.9', admin_fee: '0.05' },
    { main_winner_percentage: '0.777777777' },
  ),
  win_constraints: fc.constantFrom(
    [],
    [{ MinContributions: 3 }],
    [{ MinPotValue: '2' }],
    [{ AllowedSeedDeficit: '3' }],
  ),
  pot_types: fc.constantFrom(
    [{ HitRate: { max_magic_number: 5, cost_per_attempt: '0.1' } }],
    [{ HitRate: { max_magic_number: 20, cost_per_attempt: '0.25' } }, { External: {} }],
    [
      { HitRate: { max_magic_number: 3, cost_per_attempt: '1' } },
      { HitRate: { max_magic_number: 9, cost_per_attempt: '2' } },
    ],
  ),
});

/** Configurations that win often. */
export const configurations: fc.Arbitrary<InstanceConfigurationDocument> = fc
  .record({
    pots: fc.array(pot, { minLength: 1, maxLength: 4 }),
    contribution_type: fc.constantFrom(
      { Fixed: '0.37' },
      { Percentage: '0.1' },
      { Percentage: '0.012345678' },
    ),
    operator: fc.constantFrom('0', '0.5', '0.333333333', '1'),
    qualified: fc.boolean(),
    house: fc.constantFrom(
      {},
      { contribution_type: { Percentage: '0.2' } },
      {
        contribution_type: { Fixed: '0.01' },
        diversion_rules: { diversion_percentage: '0.25' },
      },
    ),
    selector: fc.constantFrom('Lowest', 'Highest', 'First'),
    cycles: fc.constantFrom(undefined, undefined, 3),
  })
  .map((each) => ({
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    ...(each.cycles === undefined ? {} : { max_instantiation_count: each.cycles }),
    win_selector_strategy: each.selector,
    contribution_rules: {
      contribution_type: each.contribution_type,
      operator_contribution_percentage: each.operator,
      qualified_contribution_only: each.qualified,
    },
    house_pot: each.house,
    pots: each.pots.map((one, index) => ({ id: `pot-${index}`, ...one })),
  }));

const contributions = fc
  .record({
    player: fc.constantFrom('p1', 'p2', 'p3', 'zoë'),
    wager: fc.constantFrom('0', '0.5', '1', '2.5', '10', '123.45678901'),
    currency: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY'),
    key: fc.option(fc.integer({ min: 0, max: 30 })),
  })
  .map(({ player, wager, currency, key }) =>
    contribution({
      player,
      currency,
      baseWagerAtoms: atoms(wager),
      idempotencyKey: key === null ? null : new Uint8Array(16).fill(key),
    }),
  );

const adjustments = fc
  .record({
    account: fc.constantFrom('current_value', 'seed_value', 'surplus_seed'),
    pot: fc.constantFrom('pot-0', 'house'),
    target: fc.constantFrom('0', '3', '12'),
  })
  .map(
    ({ account, pot, target }) =>
      ({
        kind: 'AdjustPot',
        instance: 'jackpot',
        pot,
        account,
        targetAtoms: atoms(target),
        reason: 'test',
        user: 'admin',
        mayDecrease: true,
        idempotencyKey: null,
        expectedVersion: null,
      }) as Command,
  );

const trigger: Command = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'pot-0',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-1',
  user: 'admin',
  idempotencyKey: null,
};

/** Messages of random commands against the instance `jackpot`. */
export const histories: fc.Arbitrary<readonly (readonly Command[])[]> = fc.array(
  fc.array(
    fc.oneof(
      { weight: 20, arbitrary: contributions as fc.Arbitrary<Command> },
      { weight: 1, arbitrary: adjustments },
      { weight: 1, arbitrary: fc.constant(trigger) },
    ),
    { minLength: 1, maxLength: 12 },
  ),
  { minLength: 1, maxLength: 12 },
);
