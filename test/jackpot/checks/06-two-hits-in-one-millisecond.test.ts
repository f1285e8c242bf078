import { describe, expect, it } from 'vitest';
import type { WonEvent } from '../../../src/messages/events.ts';
import { Random } from '../mixed/random.ts';
import { atoms, contribution, openEpoch, running } from '../support/commands.ts';
import { threePots } from '../support/configurations.ts';
import { TestLane } from '../support/lane.ts';
import { patienceMs, saw, scaled } from './scale.ts';
import { entriesOf } from './support.ts';

const history = 2500;
const hitFlag = 1;
const voidFlag = 2;

const sure = threePots({
  contribution_rules: { contribution_type: { Fixed: '1' } },
  win_selector_strategy: 'First',
  house_pot: { contribution_type: { Percentage: '0' } },
  pots: [
    {
      id: 'pot',
      contribution: { Percentage: '1' },
      seed_strategy: { initial_seed_value: '50', min_reseed_value: '7' },
      pot_types: [{ HitRate: { max_magic_number: 1, cost_per_attempt: '1' } }],
    },
  ],
});
const once = contribution({ baseWagerAtoms: atoms('1') });

/** Proves: the order of the log decides, never the clock: the second hit gets the reseeded pot and its own number. */
describe('check 6: two hits in the same millisecond', () => {
  it('in one message', () => {
    const lane = new TestLane();
    lane.apply(...running(sure));
    expectTwoWins(lane.apply(once, once).events.filter((event) => event.kind === 'Won'));
  });

  it('in two messages of the same timestamp', () => {
    const lane = new TestLane();
    lane.apply(...running(sure));
    const first = lane.apply(once);
    lane.nowMs -= 1;
    const second = lane.apply(once);
    expect(second.timestampMs).toBe(first.timestampMs);
    expectTwoWins([...first.events, ...second.events].filter((event) => event.kind === 'Won'));
  });

  it('in random histories of one millisecond each hit gets what the hits before it left', {
    timeout: patienceMs,
  }, () => {
    const commands = scaled(8_000, 1_000_000);
    const seen = { contributions: 0, wins: 0, 'hits on a pot of the same message': 0 };
    for (let seed = 1; seen.contributions < commands; seed++) play(new Random(seed), seen);
    saw('check 6', seen);
    expect(seen['hits on a pot of the same message']).toBeGreaterThan(commands / 1000);
  });
});

function expectTwoWins(wins: readonly WonEvent[]): void {
  expect(
    wins.map(({ sequence, counter, instanceCount, winner }) => [
      sequence,
      counter,
      instanceCount,
      winner.amountAtoms,
    ]),
  ).toEqual([
    [1, 2, 1, atoms('51')],
    [2, 3, 2, atoms('8')],
  ]);
}

/** What a pot must hold by nothing but the order of contributions: opened, fed, won, opened again. */
interface Expected {
  readonly feedAtoms: bigint;
  readonly seedAtoms: bigint;
  value: bigint;
  cycle: number;
}

function play(
  random: Random,
  seen: Record<'contributions' | 'wins' | 'hits on a pot of the same message', number>,
) {
  const strategy = random.pick('Lowest', 'Highest', 'First');
  const pots = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
    id: `pot-${index}`,
    contribution: { Percentage: random.pick('0.1', '0.2', '0.3') },
    seed_strategy: {
      initial_seed_value: random.pick('0.005', '3', '50'),
      min_reseed_value: random.pick('0', '0.5', '7'),
    },
    pot_types: [{ HitRate: { max_magic_number: 1 + random.below(30), cost_per_attempt: '1' } }],
  }));
  const lane = new TestLane();
  lane.apply(
    ...running({
      currency: 'EUR',
      jackpot_type: 'Jackpot',
      win_selector_strategy: strategy,
      contribution_rules: { contribution_type: { Fixed: '1' } },
      house_pot: { contribution_type: { Percentage: '0.1' } },
      pots,
    }),
  );
  const { nowMs } = lane;
  const expected = pots.map(
    ({ contribution: { Percentage }, seed_strategy }): Expected => ({
      feedAtoms: atoms(Percentage),
      seedAtoms: atoms(seed_strategy.min_reseed_value),
      value: atoms(seed_strategy.initial_seed_value),
      cycle: 1,
    }),
  );
  let sequence = 0;
  lane.recorder = {
    group: (group) => {
      const entries = entriesOf(group);
      const hitInMessage = new Set<number>();
      for (let at = 0; at < entries.length; at += pots.length) {
        sequence += 1;
        for (const [index, pot] of expected.entries()) {
          const entry = entries[at + index]!;
          pot.value += pot.feedAtoms;
          const is = `${entry.sequence} at ${entry.timestampMs}: ${entry.pot} holds ${entry.v1}`;
          const mustBe = `${sequence} at ${nowMs}: ${index} holds ${pot.value}`;
          if (is !== mustBe) expect(is).toBe(mustBe);
        }
        for (const [index, pot] of expected.entries()) {
          if ((entries[at + index]!.flags & (hitFlag | voidFlag)) !== hitFlag) continue;
          if (hitInMessage.has(index)) seen['hits on a pot of the same message'] += 1;
          hitInMessage.add(index);
          seen.wins += 1;
          // Paid in cents; what is below one opens the next cycle.
          pot.value = pot.seedAtoms + (pot.value % 1_000_000n);
          pot.cycle += 1;
        }
      }
    },
  };
  const numbers: number[] = [];
  for (let done = 0; done < history; ) {
    lane.nowMs = nowMs - 1;
    const count = 1 + random.below(20);
    done += count;
    const commands = Array.from({ length: count }, () => contribution({ player: `p${random.below(4)}` }));
    for (const event of lane.apply(...commands).events)
      if (event.kind === 'Won') numbers.push(event.sequence);
    const { open } = lane.engine.epochTasks()[0] ?? { open: null };
    lane.nowMs = nowMs - 1;
    if (open !== null) lane.apply(openEpoch('jackpot', open.epoch, open.commit));
    seen.contributions += count;
  }
  expect(new Set(numbers).size, 'every win has a number of its own').toBe(numbers.length);
  const { pots: shown } = lane.engine.liveValues('jackpot')!;
  expect(shown.map(({ instanceCount, currentAtoms }) => [instanceCount, currentAtoms])).toEqual(
    expected.map(({ cycle, value }) => [cycle, value]),
  );
}
