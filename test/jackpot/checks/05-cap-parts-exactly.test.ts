import { describe, expect, it } from 'vitest';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import type { InstanceDescription } from '../../../src/messages/records.ts';
import { Random } from '../mixed/random.ts';
import { smallest } from '../oracle/numbers.ts';
import { capOf } from '../oracle/triggers.ts';
import { atoms, contribution, openEpoch, running } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { type Applied, eachCommand } from './each-command.ts';
import { patienceMs, saw, scaled } from './scale.ts';

// biome-ignore lint/suspicious/noExplicitAny: configuration documents are plain JSON.
type Json = any;

const history = 400;

/**
 * Proves: a pot's share is its seed part and a, and a is parted by the cap without a rest; none passes its cap.
 * In whole: a million commands of every kind, of which the contributions without a win are looked at, and a million
 * contributions to pots that are full sooner or later.
 */
describe('check 5: what reaches a pot is seed + current + overflow, and current stops at the cap', () => {
  it('in histories of every kind of command', { timeout: patienceMs }, () => {
    const seen = { 'shares of pots': 0, 'shares cut by a cap': 0 };
    const commands = eachCommand({
      check: 5,
      commands: scaled(6_000, 1_000_000),
      view: (engine, id) => engine.describe(id),
      look(applied) {
        for (const [before, after] of fedWithoutWin(applied)) {
          for (const [index, now] of after.pots.entries()) {
            const was = before.pots[index]!;
            const share = now.contributedAtoms - was.contributedAtoms;
            const toSeed = now.seedAtoms - was.seedAtoms;
            const toCurrent = now.currentAtoms - was.currentAtoms;
            const toOverflow = now.overflowAtoms - was.overflowAtoms;
            const where = `${after.instance}.${now.pot}`;
            seen['shares of pots'] += 1;
            if (toSeed + toCurrent + toOverflow !== share)
              expect.fail(`${where}: the parts are not its share`);
            if (toSeed < 0n || toCurrent < 0n || toOverflow < 0n) expect.fail(`${where}: a part is negative`);
            if (toOverflow === 0n) continue;
            seen['shares cut by a cap'] += 1;
            const cap = capOf(documentOf(before, index));
            if (cap === null) expect.fail(`${where}: overflow without a cap`);
            else if (now.currentAtoms < cap) expect.fail(`${where}: overflow below the cap`);
          }
        }
      },
    });
    saw('check 5', { commands, ...seen });
    expect(seen['shares of pots']).toBeGreaterThan(0);
  });

  it('in pots that fill up', { timeout: patienceMs }, () => {
    const commands = scaled(7_000, 1_000_000);
    const seen = { contributions: 0, 'shares of pots': 0, 'shares cut by a cap': 0, 'pots at their cap': 0 };
    for (let seed = 1; seen.contributions < commands; seed++) fill(seed, seen);
    saw('check 5', seen);
    expect(seen['shares cut by a cap']).toBeGreaterThan(commands / 1000);
    expect(seen['pots at their cap']).toBeGreaterThan(commands / 100);
  });
});

function* fedWithoutWin({
  outcome,
  before,
  after,
}: Applied<InstanceDescription>): Iterable<[InstanceDescription, InstanceDescription]> {
  const won = new Set(outcome.events.flatMap((event) => (event.kind === 'Won' ? [event.instance] : [])));
  for (const result of outcome.outcomes) {
    if (result.kind !== 'Contributed') continue;
    for (const { instance } of result.results) {
      const [was, is] = [before.get(instance), after.get(instance)];
      if (!won.has(instance) && was !== undefined && is !== undefined) yield [was, is];
    }
  }
}

function documentOf(instance: InstanceDescription, pot: number): Json {
  return (instance.configuration as { readonly pots: readonly unknown[] }).pots[pot];
}

/** What a contribution must bring to a pot that nobody wins, from its share of it. */
interface Filled {
  readonly seedMillionths: bigint;
  readonly neededAtoms: bigint;
  readonly capAtoms: bigint;
  readonly isProgressive: boolean;
  readonly fund: string;
  seed: bigint;
  current: bigint;
  overflow: bigint;
}

function feed(pot: Filled, share: bigint): void {
  const wanted = (share * pot.seedMillionths) / 1_000_000n;
  const room = pot.neededAtoms > pot.seed ? pot.neededAtoms - pot.seed : 0n;
  let toSeed = wanted;
  if (pot.fund === 'CollectToMinReseed' && wanted > room) toSeed = room;
  if (pot.fund === 'HouseFunded') toSeed = 0n;
  if (!pot.isProgressive) toSeed = share;
  const a = share - toSeed;
  const toPot = smallest(a, pot.capAtoms - pot.current);
  pot.seed += toSeed;
  pot.current += toPot;
  pot.overflow += a - toPot;
}

function fill(
  seed: number,
  seen: Record<'contributions' | 'shares of pots' | 'shares cut by a cap' | 'pots at their cap', number>,
): void {
  const random = new Random(seed);
  const pots = Array.from({ length: 1 + random.below(3) }, (_, index) => fillable(random, index));
  const lane = new TestLane();
  const configuration: InstanceConfigurationDocument = {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Percentage: '1' } },
    house_pot: { contribution_type: { Percentage: '0.05' } },
    pots,
  };
  lane.apply(...running(configuration));
  const expected = pots.map(filledOf);
  let shares = pots.map(() => 0n);
  for (let done = 0; done < history; done++) {
    lane.apply(
      contribution({
        player: `p${random.below(5)}`,
        baseWagerAtoms: atoms(random.pick('0', '0.01', '0.12345678', '1', '3.33333333', '97')),
      }),
    );
    const now = lane.engine.describe('jackpot')!.pots;
    for (const [index, pot] of expected.entries()) {
      const is = now[index]!;
      const before = pot.overflow;
      const isFull = pot.current === pot.capAtoms;
      feed(pot, is.contributedAtoms - shares[index]!);
      seen['shares of pots'] += 1;
      if (isFull) seen['pots at their cap'] += 1;
      else if (pot.overflow > before) seen['shares cut by a cap'] += 1;
      if (is.seedAtoms !== pot.seed || is.currentAtoms !== pot.current || is.overflowAtoms !== pot.overflow) {
        expect(is, `history ${seed}, contribution ${done}, pot ${index}`).toEqual(pot);
      }
    }
    shares = now.map(({ contributedAtoms }) => contributedAtoms);
    seen.contributions += 1;
    const { open } = lane.engine.epochTasks()[0] ?? { open: null };
    if (open !== null) lane.apply(openEpoch('jackpot', open.epoch, open.commit));
  }
}

/** Nobody wins these: A30 alone could. Every way to part a share before the cap. */
function fillable(random: Random, index: number): Json {
  return {
    id: `pot-${index}`,
    is_progressive: !random.once(8),
    contribution: { Percentage: random.pick('0.1', '0.217', '0.3') },
    seed_contribution: { Percentage: random.pick('0', '0.25', '0.123456', '1') },
    seed_strategy: {
      initial_seed_value: random.pick('0', '1', '7.77777777'),
      min_reseed_value: random.pick('0', '3', '10'),
      fund_strategy: random.pick('CollectAll', 'CollectToMinReseed', 'HouseFunded'),
    },
    maximum_pot_value: random.pick('10', '33.3', '99.99999999'),
    pot_types: [{ External: {} }],
  };
}

function filledOf(pot: Json): Filled {
  return {
    seedMillionths: atoms(pot.seed_contribution.Percentage) / 100n,
    neededAtoms: atoms(pot.seed_strategy.min_reseed_value),
    capAtoms: capOf(pot)!,
    isProgressive: pot.is_progressive,
    fund: pot.seed_strategy.fund_strategy,
    seed: 0n,
    current: atoms(pot.seed_strategy.initial_seed_value),
    overflow: 0n,
  };
}
