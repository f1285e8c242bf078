import { expect, it } from 'vitest';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { Random } from '../mixed/random.ts';
import { amount } from '../oracle/numbers.ts';
import { atoms, contribution, openEpoch, running, setRates } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';
import { entriesOf } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: configuration documents are plain JSON.
type Json = any;

const history = 2500;
const dayMs = 86_400_000;

/**
 * Proves: a must-hit pot is never above its maximum and never drops by itself; a window of time pays at most once.
 * In whole: a million contributions.
 */
it('check 10: a must-hit pot never passes its maximum nor drops without a contribution, a Time window never pays twice', {
  timeout: patienceMs,
}, () => {
  const commands = scaled(8_000, 1_000_000);
  const drops = { threshold: 0, time: 0 };
  let contributions = 0;
  for (let seed = 1; contributions < commands; seed++) contributions += play(new Random(seed), drops);
  saw('check 10', { contributions, 'drops by value': drops.threshold, 'drops by time': drops.time });
  expect(drops.threshold).toBeGreaterThan(0);
  expect(drops.time).toBeGreaterThan(0);
});

function play(random: Random, drops: { threshold: number; time: number }): number {
  const configuration = mustDrop(random);
  const lane = new TestLane({ epochSequences: 500 });
  lane.apply(setRates([['USD', '1.0839', null]]), ...running(configuration));
  const paid = new Set<string>();
  const isAllDay = random.once(2);
  lane.recorder = {
    group: (group) => {
      for (const entry of entriesOf(group)) {
        if ((entry.flags & 1) === 0 || (entry.flags & 2) !== 0) continue;
        if (entry.contributionAtoms <= 0n) expect.fail(`pot ${entry.pot} dropped without a contribution`);
        const type = typeOf(configuration, entry.pot, entry.trigger);
        if (type.Time === undefined) drops.threshold += 1;
        else {
          drops.time += 1;
          const window = `${entry.pot}/${entry.timestampMs + Number(entry.den - entry.num)}`;
          if (paid.has(window)) expect.fail(`window ${window} paid twice`);
          paid.add(window);
        }
      }
    },
  };
  let done = 0;
  while (done < history) {
    lane.nowMs += random.pick(0, 0, 500, isAllDay ? 600_000 : 7_000_000, 40_000_000);
    const count = 1 + random.below(20);
    done += count;
    lane.apply(...Array.from({ length: count }, () => randomContribution(random)));
    for (const { instance, open, reveal } of lane.engine.epochTasks()) {
      if (open !== null) lane.apply(openEpoch(instance, open.epoch, open.commit));
      for (const { epoch, sealed } of reveal) {
        lane.apply({ kind: 'RevealEpoch', instance, epoch, seed: sealed });
      }
    }
    const accounts = lane.accounts();
    for (const { id, pot_types } of configuration.pots as readonly Json[]) {
      for (const { Threshold } of pot_types) {
        if (Threshold === undefined) continue;
        const held = accounts[`${id}.current`]!;
        if (held > amount(Threshold.max_value)) expect.fail(`${id} holds ${held}`);
      }
    }
  }
  return done;
}

function randomContribution(random: Random) {
  return contribution({
    contributionId: random.bytes(16),
    player: `p${random.below(5)}`,
    currency: random.pick('EUR', 'EUR', 'USD'),
    baseWagerAtoms: atoms(random.pick('0', '0.01', '1', '3.33', '12', '250')),
  });
}

function mustDrop(random: Random): InstanceConfigurationDocument {
  const start = random.below(dayMs / 2);
  const time = { Time: { start_time: start, end_time: start + 1 + random.below(dayMs / 2 - 2) } };
  const threshold = {
    Threshold: { min_value: random.pick('2', '5'), max_value: random.pick('5.5', '9', '40') },
  };
  const seeds = random.pick(['0', '0'], ['2', '1'], ['0.5', '2']);
  const pots = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    id: `pot-${index}`,
    contribution: { Percentage: random.pick('0.1', '0.3') },
    seed_contribution: { Percentage: random.pick('0', '0.4') },
    seed_strategy: {
      initial_seed_value: seeds[0],
      min_reseed_value: seeds[1],
      reseed_strategy: random.pick('Full', 'Minimum', 'Collected'),
      fund_strategy: random.pick('CollectAll', 'CollectToMinReseed'),
    },
    criteria: { min_contribution: '0.001' },
    win_constraints: random.pick([], [{ AllowedSeedDeficit: '25' }]),
    pot_types: random.pick<Json>([threshold], [time], [time, threshold]),
  }));
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    win_selector_strategy: random.pick('Lowest', 'Highest', 'First'),
    contribution_rules: { contribution_type: { Percentage: random.pick('0.1', '1') } },
    house_pot: { contribution_type: { Percentage: '0.1' } },
    pots,
  };
}

function typeOf(configuration: InstanceConfigurationDocument, pot: number, trigger: number): Json {
  return (configuration.pots[pot] as Json).pot_types[trigger];
}
