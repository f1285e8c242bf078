import { describe, expect, it } from 'vitest';
import { atoms, contribution, openEpoch, running, seedOf } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

/** 99 % of chi-square with one degree of freedom. */
const limit = 6.635;
const draws = 20_000;

describe('HitRate', () => {
  it.each([1, 7, 100])('hits in exact proportion to a stake of %i×', (stake) => {
    const lane = new TestLane({ epochSequences: 5000 });
    const pot_types = [{ HitRate: { max_magic_number: 500, cost_per_attempt: '1' } }];
    const rules = { contribution_type: { Percentage: '1' } };
    lane.apply(...running(onePot({ pot_types }, rules), 'jackpot', stake));
    let hits = 0;
    for (let i = 0; i < draws; i += 200) {
      const commands = Array.from({ length: 200 }, (_, index) => {
        const contributionId = new Uint8Array(16);
        new DataView(contributionId.buffer).setUint32(0, i + index);
        return contribution({ contributionId, baseWagerAtoms: atoms(String(stake)) });
      });
      hits += lane.apply(...commands).events.filter((event) => event.kind === 'Won').length;
      for (const { open, reveal } of lane.engine.epochTasks()) {
        for (const { epoch } of reveal) {
          lane.apply({
            kind: 'RevealEpoch',
            instance: 'jackpot',
            epoch,
            seed: seedOf('jackpot', epoch, stake),
          });
        }
        if (open !== null) lane.apply(openEpoch('jackpot', open.epoch, open.commit, stake));
      }
    }
    const expected = (draws * stake) / 500;
    const misses = draws - expected;
    const chiSquare = (hits - expected) ** 2 / expected + (hits - expected) ** 2 / misses;
    expect(chiSquare).toBeLessThan(limit);
  });
});
