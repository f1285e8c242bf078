import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { Random } from '../../jackpot/mixed/random.ts';
import {
  atoms,
  contribution,
  createInstance,
  setBrand,
  setRates,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';

/** Everything as long as it may be: ids, names, texts; as many payouts, links, brands and pots as there may be. */

const letters = ['x', 'ß', '鯨', String.fromCodePoint(0x1f600)] as const;
const longest = 64;
const foreign = 128;
const maxLinks = 20;

export interface LargeWorld {
  readonly instances: readonly string[];
  readonly brands: readonly string[];
  readonly players: readonly string[];
  readonly source: string;
}

export function largeWorld(random: Random): LargeWorld {
  const count = random.pick(1, 5, maxLinks + 1);
  const letter = random.pick(...letters);
  return {
    instances: Array.from({ length: count }, (_, i) => own('i', i)),
    brands: [own('o', 1), own('o', 2)].map((brand, i) => `${own('operator', 0)}:${brand.slice(0, 60)}${i}`),
    players: Array.from({ length: random.pick(20, 300, 1200) }, (_, i) => long(letter, i)),
    source: long(letter, 0),
  };
}

export function opening({ brands }: LargeWorld): readonly Command[] {
  return [setRates([]), ...brands.map((brand, i) => setBrand({ brand, wallet: i === 1, closeRounds: true }))];
}

export function* instances(random: Random, world: LargeWorld): Iterable<Command> {
  for (const instance of world.instances) {
    yield createInstance(configurationOf(random, world), {
      instance,
      group: own('operator', 0),
      owner: own('operator', 0),
      template: own('t', 1),
      name: long('鯨', 1).repeat(2),
      description: '鯨'.repeat(2000),
      gameCode: long('鯨', 2),
    });
  }
  const [first] = world.instances;
  const links = world.instances.slice(1, 1 + maxLinks);
  yield { kind: 'SetLinks', instance: first!, links, user: '', expectedVersion: null };
  yield {
    kind: 'Bind',
    of: 'source',
    owner: own('operator', 0),
    ids: [world.source],
    instance: first!,
    priority: 1,
  };
}

export function beginnings({ instances: all }: LargeWorld): readonly Command[] {
  return all.map((instance) => setStatus('Active', instance));
}

export function contributionOf(random: Random, world: LargeWorld): Contribute {
  const isLinked = random.once(10);
  return contribution({
    contributionId: random.bytes(16),
    operator: own('operator', 0),
    target: random.once(4)
      ? { type: 'source', id: world.source, group: own('operator', 0) }
      : { type: 'instance', id: isLinked ? world.instances[0]! : random.pick(...world.instances) },
    brand: random.pick(...world.brands),
    player: random.pick(...world.players),
    gameround: world.source,
    provider: world.source,
    baseWagerAtoms: atoms(random.pick('1', '1000', '100000')),
    linked: isLinked,
    wallet: random.once(3),
    eventMetadata: random.once(20) ? JSON.stringify({ text: '鯨'.repeat(2_700) }) : null,
  });
}

export function plainContribution(random: Random, world: LargeWorld): Contribute {
  const [instance] = world.instances;
  return contribution({
    contributionId: random.bytes(16),
    target: { type: 'instance', id: instance! },
    brand: world.brands[0]!,
  });
}

export function trigger(random: Random, world: LargeWorld): Command {
  return {
    kind: 'TriggerPot',
    instance: random.pick(...world.instances),
    pot: own('p', 0),
    brand: random.pick(...world.brands),
    player: random.pick(...world.players),
    source: world.source,
    user: '',
    idempotencyKey: null,
  };
}

export function parameters(random: Random, world: LargeWorld): Command {
  return {
    kind: 'SetParameters',
    instance: random.pick(...world.instances),
    configuration: configurationOf(random, world),
    reason: '鯨'.repeat(1000),
    user: '',
    expectedVersion: null,
  };
}

export function details(random: Random, world: LargeWorld): Command {
  const description = '鯨'.repeat(random.below(2000));
  const instance = random.pick(...world.instances);
  return { kind: 'SetDetails', instance, name: null, description, user: '', expectedVersion: null };
}

export function optIn(random: Random, world: LargeWorld): Command {
  return {
    kind: 'OptIn',
    instance: world.instances[0]!,
    brand: random.pick(...world.brands),
    player: random.pick(...world.players),
    country: 'DE',
    optIn: true,
    valueAtoms: null,
    currency: 'EUR',
    linked: true,
    user: '',
  };
}

export function binding(random: Random, world: LargeWorld): Command {
  const ids = Array.from({ length: 200 }, (_, i) => long('鯨', i));
  return {
    kind: 'Bind',
    of: random.pick('source', 'segment'),
    owner: random.pick(...world.brands),
    ids,
    instance: random.pick(...world.instances),
    priority: null,
  };
}

/** The same pot, whatever else: it can be stored again in place of another. */
function configurationOf(random: Random, world: LargeWorld): InstanceConfigurationDocument {
  const most = random.pick(1, 300, 1000);
  const kinds = [
    { ActivePlayers: { period_before_win: 3_600_000, max_number_of_payouts: most } },
    { HighestContributors: { max_number_of_payouts: most } },
    { HighestLifetimeContributors: { max_number_of_payouts: most } },
  ];
  const payout_rules = [{ payout_percentage: '0.5', rule: random.pick(...kinds) }];
  const brands = random.pick(0, 400, 900);
  const allowed_brands = Array.from({ length: brands }, (_, i) => `op:${'b'.repeat(60)}${i}`);
  return onePot(
    {
      id: own('p', 0),
      pot_types: [{ External: {} }, ...(random.once(2) ? [sureHit] : [])],
      payout_ruleset: { main_winner_percentage: '0.4', payout_rules },
      seed_contribution: { Percentage: '0.1' },
    },
    {
      contribution_type: { Percentage: '0.9' },
      operator_contribution_percentage: random.pick('0', '1'),
      ...(brands === 0 ? {} : { allowed_brands: [...world.brands, ...allowed_brands] }),
    },
  );
}

/** An id of ours, as long as one may be. */
function own(prefix: string, number: number): string {
  return `${prefix}${number}`.padEnd(longest, '_');
}

/** A foreign id, as long as one may be. */
function long(letter: string, number: number): string {
  const end = String(number);
  return letter.repeat(foreign - end.length) + end;
}
