import type { Command } from '../../../src/messages/commands.ts';
import type { SwitchModel } from '../../../src/messages/instance-commands.ts';
import type { EngineSettings, SetBrand } from '../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import { atoms, contribution, setBrand, setRates, setStatus } from '../support/commands.ts';
import { randomConfiguration } from './configurations.ts';
import type { Random } from './random.ts';

export const brands = ['op:main', 'op:other', 'op:vault'] as const;
export const players = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'zoë'] as const;
const accounts = ['current_value', 'seed_value', 'surplus_seed'] as const;

export const rateTables: readonly (readonly (readonly [string, string, number | null])[])[] = [
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

/** `isLarge`: now and then a wager that brings balances near their limit. */
export function randomContribution(
  random: Random,
  instances: readonly string[],
  isLarge: boolean,
): Contribute {
  const brand = random.pick(...brands);
  const currency = random.pick(
    'EUR',
    'EUR',
    'EUR',
    'EUR',
    'USD',
    'USD',
    'USD',
    'JPY',
    'JPY',
    'KWD',
    'PTS',
    random.pick('EUR', 'GBP'),
  );
  const bonus = random.once(20);
  return contribution({
    contributionId: random.bytes(16),
    target: random.once(6)
      ? { type: 'source', id: 'slot' }
      : { type: 'instance', id: random.pick(...instances) },
    brand,
    player: random.pick(...players),
    country: random.pick('DE', 'DE', 'DE', 'DE', 'DE-BY', 'US', 'US-NJ'),
    segments: random.pick<readonly string[]>([], [], ['vip'], ['new', 'vip']),
    baseWagerAtoms: atoms(
      random.weighted([
        [8, '1'],
        [8, '2.5'],
        [4, '10'],
        [4, '0.5'],
        [2, '123.45678901'],
        [1, '0'],
        [1, '0.00000007'],
        [isLarge && random.once(8) ? 2 : 0, random.pick('90000000000', '50000000000', '7000000000')],
      ]),
    ),
    currency,
    idempotencyKey: random.once(4) ? new Uint8Array(16).fill(random.below(200)) : null,
    linked: random.once(3),
    wallet: brand === 'op:vault' && !random.once(5),
    maxBetAtoms: random.once(12) ? atoms(random.pick('0.2', '0.33', '1', '40')) : null,
    bonus: bonus ? { id: 'b', amountAtoms: atoms(random.pick('0.25', '2', '0.1234')), currency } : null,
    eventMetadata: random.once(5) ? '{"a":1}' : null,
  });
}

export function randomOptIn(random: Random, instance: string): Command {
  return {
    kind: 'OptIn',
    instance,
    brand: random.pick(...brands),
    player: random.pick(...players),
    country: random.pick('DE', 'DE', 'DE', 'US-NJ'),
    optIn: !random.once(5),
    valueAtoms: random.once(3) ? atoms(random.pick('0.5', '1.23456789', '3', '90')) : null,
    currency: random.pick('', 'EUR', 'EUR', 'USD', 'JPY', 'QQQ'),
    linked: random.once(3),
    user: '',
  };
}

export function randomAdjustment(random: Random, instance: string, isLarge: boolean): Command {
  return {
    kind: 'AdjustPot',
    instance,
    pot: random.pick('pot-0', 'pot-0', 'pot-1', 'pot-2', 'house'),
    account: random.pick(...accounts),
    targetAtoms: atoms(
      random.pick('0', '3', '5.55', '12', '29.99999999', '500', isLarge ? '89999999999' : '7'),
    ),
    reason: 'test',
    user: 'admin',
    mayDecrease: random.once(2),
    idempotencyKey: random.once(4) ? new Uint8Array(16).fill(random.below(200)) : null,
    expectedVersion: random.once(9) ? 1 : null,
    ...(random.once(3) && { unapprovedLimitAtoms: atoms(random.pick('6', '100')) }),
  };
}

export function randomTrigger(random: Random, instance: string): Command {
  return {
    kind: 'TriggerPot',
    instance,
    pot: random.pick('pot-0', 'pot-0', 'pot-1', 'pot-2', 'pot-9'),
    brand: random.pick(...brands),
    player: random.pick(...players),
    source: 'slot',
    user: 'admin',
    idempotencyKey: random.once(4) ? new Uint8Array(16).fill(random.below(200)) : null,
  };
}

export function randomRates(random: Random, version: number): Command {
  return setRates(random.pick(...rateTables), { version, brand: random.pick('', '', 'op:other') });
}

/** Another owner may be set otherwise; often it does not say. */
export function randomOwner(random: Random, settings: EngineSettings): Command {
  const epochSequences = settings.epochSequences * random.pick(1, 2);
  const changed = random.once(2) ? null : { ...settings, epochSequences };
  return { kind: 'Own', term: random.below(9), host: 'host', settings: changed };
}

export function randomBrand(random: Random): SetBrand {
  const brand = random.pick(...brands);
  const limit = random.pick(null, null, '3', '9', '0');
  const closeRounds = random.once(3);
  return setBrand({
    brand,
    salt: new Uint8Array(32).fill(brands.indexOf(brand)),
    wallet: brand === 'op:vault',
    provider: 'provider',
    closeRounds,
    batchDebits: !closeRounds,
    verificationLimitAtoms: limit === null ? null : atoms(limit),
    verificationCurrency: random.pick('EUR', 'USD'),
  });
}

export function randomBinding(random: Random, instance: string): Command {
  const of = random.pick('source' as const, 'segment' as const);
  const id = of === 'source' ? 'slot' : random.pick('vip', 'new');
  const owner = random.pick('op', 'op:main');
  return random.weighted<Command>([
    [3, { kind: 'Bind', of, owner, ids: [id], instance, priority: random.pick(null, 0, 5) }],
    [2, { kind: 'Unbind', of, owner, ids: [id], instance }],
    [1, { kind: 'SetBindingPriorities', of, owner, id, priorities: [[instance, random.below(4)]] }],
    [1, { kind: 'SetSegment', owner, segment: random.pick('vip', 'new'), priority: random.pick(0, 1, null) }],
  ]);
}

export function randomChange(random: Random, instance: string, others: readonly string[]): Command {
  const links = others.filter((id) => id !== instance && random.once(3));
  const common = { user: 'admin', expectedVersion: random.once(9) ? 3 : null };
  return random.weighted<Command>([
    [1, { kind: 'SetDetails', instance, name: `name ${random.below(9)}`, description: null, ...common }],
    [2, { kind: 'SetLinks', instance, links, ...common }],
    [
      2,
      {
        kind: 'SetBrandAllowed',
        instance,
        brand: random.pick(...brands),
        allowed: !random.once(3),
        user: 'admin',
      },
    ],
  ]);
}

export function randomParameters(
  random: Random,
  instance: string,
  kept: { readonly currency: string; readonly pots: number; readonly raffle: boolean },
): Command {
  return {
    kind: 'SetParameters',
    instance,
    configuration: randomConfiguration(random, kept),
    reason: 'test',
    user: 'admin',
    expectedVersion: random.once(9) ? 2 : null,
  };
}

export function randomStatus(random: Random, instance: string): Command {
  return setStatus(
    random.pick('Active', 'Paused', 'Paused', 'Paused', 'Resolving', 'Cancelled', 'Pending', 'Completed'),
    instance,
  );
}

export function randomBulk(random: Random, job: string, instances: readonly string[]): Command {
  const rows = Array.from({ length: 1 + random.below(8) }, () => ({
    instance: random.once(9) ? 'nowhere' : random.pick(...instances),
    brand: random.pick(...brands),
    player: random.pick(...players),
    currency: random.pick('', 'EUR', 'USD', 'QQQ'),
    optIn: !random.once(4),
  }));
  return { kind: 'BulkOptIn', job, rows, user: 'admin' };
}

/** Rules that divide each pot of the source over pots of the target; now and then they are not sound. */
export function randomSwitch(
  random: Random,
  source: { readonly id: string; readonly pots: number },
  target: { readonly id: string; readonly pots: number },
): SwitchModel {
  const left = random.once(12) ? 1 : 0;
  const rules = Array.from({ length: source.pots - left }, (_, pot) => ({
    source: `pot-${pot}`,
    targets: randomFractions(random, target.pots),
  }));
  return {
    kind: 'SwitchModel',
    instance: source.id,
    target: target.id,
    rules,
    transferOptIns: !random.once(3),
    override: !random.once(3),
    reason: 'test',
    user: 'admin',
    ...(random.once(12) && { targetVersion: random.below(3) }),
  };
}

/** Fractions of nine decimals that make 1 (rarely: almost) over some pots. */
function randomFractions(random: Random, pots: number): readonly (readonly [string, string])[] {
  const first = random.below(pots);
  const others = Array.from({ length: pots }, (_, pot) => pot).filter(
    (pot) => pot !== first && random.once(2),
  );
  let left = 1_000_000_000;
  const parts = others.map((pot) => {
    const part = random.below(Math.floor(left / 2));
    left -= part;
    return [pot, part] as const;
  });
  if (random.once(15)) left -= 1;
  return [[first, left] as const, ...parts].map(([pot, part]) => {
    const digits = `${part}`.padStart(10, '0');
    return [`pot-${pot}`, `${digits.slice(0, 1)}.${digits.slice(1)}`] as const;
  });
}
