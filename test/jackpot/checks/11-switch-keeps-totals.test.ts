import { expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { AdjustPot, InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { randomSwitch } from '../mixed/commands.ts';
import { Random } from '../mixed/random.ts';
import { atoms, contribution, createInstance, openEpoch, setBrand, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';

const setsPerLane = 100;
/** What a cap may move from one account to the other. */
const together: Readonly<Record<string, string>> = { overflow: 'current' };
const accounts = ['current_value', 'seed_value', 'surplus_seed'] as const;

/**
 * Proves: whatever the pots hold and however they are divided, a switch moves all of it and makes nothing.
 * In whole: 100,000 random rule sets, each between two instances of its own.
 */
it('check 11: totals before a switch are the totals after it, for random rule sets', {
  timeout: patienceMs,
}, () => {
  const sets = scaled(400, 100_000);
  let switched = 0;
  let cut = 0;
  for (let done = 0; done < sets; done += setsPerLane) {
    const random = new Random(done);
    const lane = new TestLane();
    lane.apply(setBrand());
    for (let i = 0; i < setsPerLane; i++) {
      const found = switchOnce(lane, random, `s-${i}`, `t-${i}`);
      switched += found.switched;
      cut += found.cut;
    }
  }
  saw('check 11', { 'rule sets': sets, switched, 'switches with a pot cut at its maximum': cut });
  expect(switched).toBeGreaterThan(sets / 2);
  expect(cut).toBeGreaterThan(sets / 100);
});

function switchOnce(lane: TestLane, random: Random, source: string, target: string) {
  const [from, to] = [1 + random.below(4), 1 + random.below(4)];
  lane.apply(
    createInstance(configuration(random, from, false), { instance: source }),
    createInstance(configuration(random, to, true), { instance: target }),
    openEpoch(source, 0, [0, 1, 2]),
    openEpoch(target, 0, [0, 1, 2]),
    setStatus('Active', source),
    ...Array.from({ length: from }, (_, pot) =>
      accounts.map((each) => set(random, source, `pot-${pot}`, each)),
    ).flat(),
    set(random, source, 'house', 'current_value'),
    contribution({ target: { type: 'instance', id: source }, baseWagerAtoms: atoms('777.77777777') }),
  );
  const before = totals(lane, source, target);
  const move = randomSwitch(random, { id: source, pots: from }, { id: target, pots: to });
  const [outcome] = lane.apply(move).outcomes;
  const after = totals(lane, source, target);
  expect(lane.total(source)).toBe(0n);
  expect(lane.total(target)).toBe(0n);
  expect(after).toEqual(before);
  if (outcome!.kind !== 'Done') return { switched: 0, cut: 0 };
  for (const [name, value] of Object.entries(lane.accounts(source))) {
    if (/\.|^house$|^diversion/.test(name)) expect(value, `${source}.${name}`).toBe(0n);
  }
  const capped = Object.entries(lane.accounts(target)).some(
    ([name, value]) => name.endsWith('.overflow') && value > 0n,
  );
  return { switched: 1, cut: capped ? 1 : 0 };
}

/** Sums over both instances by the kind of account; what went over the bridge must cancel out. */
function totals(lane: TestLane, source: string, target: string): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {};
  for (const instance of [source, target]) {
    for (const [name, value] of Object.entries(lane.accounts(instance))) {
      const kind = name.split('.').at(-1)!;
      const sum = together[kind] ?? kind;
      sums[sum] = (sums[sum] ?? 0n) + value;
    }
    const deficit = lane.engine.describe(instance)!.house.seedDeficitAtoms;
    sums.deficit = (sums.deficit ?? 0n) + deficit;
  }
  expect(sums.transfer).toBe(0n);
  return sums;
}

function configuration(random: Random, pots: number, isTarget: boolean): InstanceConfigurationDocument {
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    contribution_rules: { contribution_type: { Percentage: '1' } },
    house_pot: {
      contribution_type: { Percentage: '0.1' },
      diversion_rules: { diversion_percentage: '0.37' },
    },
    pots: Array.from({ length: pots }, (_, index) => ({
      id: `pot-${index}`,
      contribution: { Percentage: '0.2' },
      seed_contribution: { Percentage: '0.123456789' },
      maximum_pot_value: isTarget ? random.pick('', '60', '5000') : '',
      pot_types: [{ HitRate: { max_magic_number: 900_000_000, cost_per_attempt: '90' } }],
    })),
  };
}

function set(random: Random, instance: string, pot: string, account: AdjustPot['account']): Command {
  const units = `${random.below(random.pick(10, 100_000))}.${`${random.below(100_000_000)}`.padStart(8, '0')}`;
  return {
    kind: 'AdjustPot',
    instance,
    pot,
    account,
    targetAtoms: atoms(units),
    reason: 'test',
    user: 'admin',
    mayDecrease: true,
    idempotencyKey: null,
    expectedVersion: null,
  };
}
