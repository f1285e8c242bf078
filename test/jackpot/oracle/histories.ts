import fc from 'fast-check';
import type { Command } from '../../../src/messages/commands.ts';
import { atoms, contribution, setBrand, setRates, setStatus } from '../support/commands.ts';

const instances = ['jackpot', 'second'] as const;
const instance = fc.constantFrom(...instances);
const brand = fc.constantFrom('op:main', 'op:main', 'op:other');
const player = fc.constantFrom('p1', 'p2', 'p3', 'zoë');
const currency = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('EUR', 'EUR', 'USD', 'JPY', 'KWD', 'PTS') },
  { weight: 1, arbitrary: fc.constantFrom('GBP', 'QQQ') },
);
const country = fc.constantFrom('DE', 'DE', 'DE', 'DE-BY', 'US-NJ', 'US', 'SE');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });

const contributions = fc
  .record({
    target: fc.oneof(
      { weight: 5, arbitrary: instance.map((id) => ({ type: 'instance' as const, id: id as string })) },
      { weight: 2, arbitrary: fc.constant({ type: 'source' as const, id: 'slot' }) },
    ),
    brand,
    player,
    country,
    currency,
    segments: fc.subarray(['vip', 'new']),
    linked: fc.boolean(),
    wager: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom('0', '0.5', '1', '2.5', '10', '123.45678901', '0.00000007') },
      { weight: 1, arbitrary: fc.constantFrom('90000000000', '50000000000', '1000000000') },
    ),
    id: fc.uint8Array({ minLength: 16, maxLength: 16 }),
    key: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 2 }),
    maxBet: fc.option(fc.constantFrom('0.2', '0.33', '0', '1'), { freq: 1 }),
    bonus: fc.option(
      fc.record({
        amount: fc.constantFrom('0.25', '0.25', '2', '0.1234', '0.1234', '-1'),
        same: fc.constantFrom(true, true, true, true, false),
      }),
      { freq: 1 },
    ),
    eventMetadata: fc.constantFrom(null, '{"a":1}'),
    origin: fc.constantFrom(null, { gameCode: 'game-2', gameCategory: '', sourceType: '' }),
  })
  .map(({ wager, id, key, maxBet, bonus, ...rest }) =>
    contribution({
      ...rest,
      contributionId: id,
      baseWagerAtoms: atoms(wager),
      idempotencyKey: key === null ? null : new Uint8Array(16).fill(key),
      maxBetAtoms: maxBet === null ? null : atoms(maxBet),
      bonus:
        bonus === null
          ? null
          : { id: 'b', amountAtoms: atoms(bonus.amount), currency: bonus.same ? rest.currency : 'CHF' },
    }),
  );

const optIns = fc
  .record({
    instance,
    brand,
    player,
    country,
    optIn: fc.constantFrom(true, true, true, false),
    value: optional(fc.constantFrom('0.5', '1.23456789', '77', '0.1', '90')),
    currency: fc.constantFrom('', 'EUR', 'USD', 'JPY', 'PTS', 'QQQ'),
    linked: fc.boolean(),
  })
  .map(({ value, ...rest }) => ({
    kind: 'OptIn' as const,
    valueAtoms: value === null ? null : atoms(value),
    user: '',
    ...rest,
  }));

const adjustments = fc
  .record({
    instance,
    account: fc.constantFrom('current_value' as const, 'seed_value' as const, 'surplus_seed' as const),
    pot: fc.constantFrom('pot-0', 'pot-1', 'house'),
    target: fc.constantFrom('0', '3', '7.77', '12', '89999999999'),
  })
  .map(({ target, ...rest }) => ({
    kind: 'AdjustPot' as const,
    targetAtoms: atoms(target),
    reason: 'test',
    user: 'admin',
    mayDecrease: true,
    idempotencyKey: null,
    expectedVersion: null,
    ...rest,
  }));

const triggers = fc.record({ instance, pot: fc.constantFrom('pot-0', 'pot-1'), player }).map((each) => ({
  kind: 'TriggerPot' as const,
  brand: 'op:main',
  source: 'slot',
  user: 'admin',
  idempotencyKey: null,
  checksOptIn: true,
  ...each,
}));

export const tables: readonly (readonly (readonly [string, string, number | null])[])[] = [
  [
    ['JPY', '163.27', null],
    ['KWD', '0.333', null],
    ['PTS', '123.456789012345678', 4],
    ['USD', '1.0839', null],
  ],
  [
    ['JPY', '150', null],
    ['KWD', '0.31', null],
    ['PTS', '77', 4],
    ['USD', '1.1', null],
  ],
];

/** Changes that stand in a message of their own. `configure` is filled in by the test: it knows the configurations. */
const changes: fc.Arbitrary<Command | 'configure'> = fc.oneof(
  { weight: 2, arbitrary: adjustments },
  { weight: 2, arbitrary: triggers },
  {
    weight: 1,
    arbitrary: fc.constantFrom('Paused', 'Active').chain((to) => instance.map((id) => setStatus(to, id))),
  },
  { weight: 2, arbitrary: fc.constant('configure' as const) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.nat(1), fc.constantFrom('', 'op:other'))
      .map(([table, of]) => setRates(tables[table]!, { version: 9, brand: of })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(brand, optional(fc.constantFrom('0', '3', '9')), fc.constantFrom('EUR', 'USD'))
      .map(([path, limit, verificationCurrency]) =>
        setBrand({
          brand: path,
          verificationLimitAtoms: limit === null ? null : atoms(limit),
          verificationCurrency,
        }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom('source', 'segment'),
        fc.constantFrom('op', 'op:main'),
        instance,
        fc.constantFrom(0, 5, null),
      )
      .map(([of, owner, to, priority]) => ({
        kind: 'Bind' as const,
        of: of as 'source' | 'segment',
        owner,
        ids: of === 'source' ? ['slot'] : ['vip', 'new'],
        instance: to,
        priority,
      })),
  },
);

export interface Step {
  readonly afterMs: number;
  readonly commands: readonly (Command | 'configure')[];
}

export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    afterMs: fc.constantFrom(0, 1, 700, 2500, 6_000_000),
    commands: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.array(
          fc.oneof(
            { weight: 15, arbitrary: contributions as fc.Arbitrary<Command> },
            { weight: 3, arbitrary: optIns as fc.Arbitrary<Command> },
            { weight: 1, arbitrary: adjustments as fc.Arbitrary<Command> },
            { weight: 1, arbitrary: triggers as fc.Arbitrary<Command> },
          ),
          { minLength: 2, maxLength: 14, size: 'max' },
        ),
      },
      { weight: 1, arbitrary: changes.map((change) => [change]) },
    ),
  }),
  { minLength: 3, maxLength: 14, size: 'max' },
);
