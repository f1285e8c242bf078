import { expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { Random } from '../mixed/random.ts';
import { atoms, contribution, openEpoch, running, seedOf } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';
import { type Entry, entriesOf } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: configuration documents are plain JSON.
type Json = any;

const history = 200;

/**
 * Proves: whoever plays towards a pot plays on the odds that the pot's cycle began with, whatever is configured.
 * In whole: 5,000 pairs of lanes that are given the same 200 contributions, two million in all.
 */
it('check 4: a parameter change leaves the (num, den) of the running cycle as they were', {
  timeout: patienceMs,
}, () => {
  const histories = scaled(50, 5000);
  let compared = 0;
  let changed = 0;
  for (let seed = 1; seed <= histories; seed++) {
    const random = new Random(seed);
    const type = { Percentage: random.pick('0.1', '0.37') };
    const [kept, moved] = [new Side(seed, type), new Side(seed, type)];
    const contributions = Array.from({ length: history }, () => randomContribution(random));
    const at = random.below(history);
    const configuration = configurationOf(new Random(seed + 1_000_000), type);
    for (const [index, each] of contributions.entries()) {
      if (index === at) moved.change(configuration);
      const afterMs = random.pick(20, 1000, 900_000);
      const [was, is] = [kept.apply(each, afterMs), moved.apply(each, afterMs)];
      for (const entry of was) {
        if (kept.cycle(entry.pot) > 1 || moved.cycle(entry.pot) > 1) continue;
        const other = is.find(({ pot, trigger }) => pot === entry.pot && trigger === entry.trigger);
        if (other?.num !== entry.num || other?.den !== entry.den) {
          expect(other, `history ${seed}, ${index}`).toEqual(entry);
        }
        compared += 1;
      }
      // Behind its cycle a pot follows what was stored.
      if (index > at) changed += is.filter(({ pot, den }) => moved.cycle(pot) > 1 && den > 0n).length;
    }
  }
  const contributions = 2 * histories * history;
  saw('check 4', { contributions, 'odds compared': compared, 'odds by what was stored': changed });
  expect(compared).toBeGreaterThan(histories);
  expect(changed).toBeGreaterThan(0);
});

/** One of two lanes that are given the same contributions; only one of them is configured anew. */
class Side {
  readonly #lane = new TestLane();
  #entries: readonly Entry[] = [];
  /** Cycles of the pots as they were before the last contribution. */
  #cycles: readonly number[] = [];

  constructor(seed: number, type: Json) {
    this.#lane.apply(...running(configurationOf(new Random(seed), type)));
    this.#lane.recorder = {
      group: (group) => {
        this.#entries = entriesOf(group);
      },
    };
  }

  change(configuration: InstanceConfigurationDocument): void {
    const command: Command = {
      kind: 'SetParameters',
      instance: 'jackpot',
      configuration,
      reason: 'test',
      user: 'admin',
      expectedVersion: null,
    };
    const { nowMs } = this.#lane;
    expect(this.#lane.apply(command).outcomes).toMatchObject([{ kind: 'Done' }]);
    this.#doDuties(nowMs);
  }

  apply(command: Command, afterMs: number): readonly Entry[] {
    this.#cycles = this.#lane.engine.liveValues('jackpot')!.pots.map(({ instanceCount }) => instanceCount);
    this.#entries = [];
    this.#lane.nowMs += afterMs;
    this.#lane.apply(command);
    this.#doDuties(this.#lane.nowMs);
    return this.#entries;
  }

  /** What an owner has to write takes no time here, so that both lanes keep the same clock. */
  #doDuties(nowMs: number): void {
    for (const { instance, open, reveal } of this.#lane.engine.epochTasks()) {
      if (open !== null) this.#lane.apply(openEpoch(instance, open.epoch, open.commit));
      for (const { epoch } of reveal) {
        this.#lane.apply({ kind: 'RevealEpoch', instance, epoch, seed: seedOf(instance, epoch) });
      }
    }
    this.#lane.nowMs = nowMs;
  }

  cycle(pot: number): number {
    return this.#cycles[pot]!;
  }
}

function randomContribution(random: Random): Command {
  return contribution({
    contributionId: random.bytes(16),
    player: `p${random.below(5)}`,
    baseWagerAtoms: atoms(random.pick('0.5', '1', '3.33', '12')),
  });
}

/**
 * Shares are percentages and no pot is left out: a fixed share depends on what the house takes, which is the instance's,
 * and a re-split one on the other pots, which may be in a later cycle.
 */
function configurationOf(random: Random, type: Json): InstanceConfigurationDocument {
  const hitRate = {
    HitRate: { max_magic_number: 20 + random.below(200), cost_per_attempt: random.pick('0.1', '0.25') },
  };
  const threshold = {
    Threshold: { min_value: random.pick('2', '3'), max_value: random.pick('7', '9', '20') },
  };
  const start = random.below(40_000_000);
  const time = { Time: { start_time: start, end_time: start + 1 + random.below(40_000_000) } };
  return {
    currency: 'EUR',
    jackpot_type: 'Jackpot',
    win_selector_strategy: random.pick('Lowest', 'Highest', 'First'),
    contribution_rules: { contribution_type: type },
    house_pot: { contribution_type: { Percentage: random.pick('0.1', '0.2') } },
    pots: [0, 1].map((index) => ({
      id: `pot-${index}`,
      contribution: { Percentage: random.pick('0.1', '0.3') },
      seed_contribution: { Percentage: random.pick('0', '0.4') },
      seed_strategy: { initial_seed_value: '1', min_reseed_value: random.pick('1', '2') },
      criteria: { min_contribution: '0.01' },
      maximum_pot_value: random.pick('', '40'),
      pot_types: random.pick<Json>([hitRate], [threshold], [time], [hitRate, threshold, time]),
    })),
  };
}
