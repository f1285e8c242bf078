import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeHashing } from '../../src/cli/verify/node-hashing.ts';
import { Followed } from '../../src/verifier/followed.ts';
import { verifyEpoch } from '../../src/verifier/verify.ts';
import { running, setRates } from '../jackpot/support/commands.ts';
import { configurations, histories } from '../jackpot/support/histories.ts';
import { PublishingLane } from './support/epochs.ts';

const rates = setRates([
  ['JPY', '163.27', null],
  ['USD', '1.0839', null],
]);

describe('an honest epoch', () => {
  it('is verified, one behind the other, whatever the rules', () => {
    const seen = { draws: 0, wins: 0, adjustments: 0, epochs: 0 };
    fc.assert(
      fc.property(configurations, histories, (configuration, history) => {
        const lane = new PublishingLane();
        lane.apply(rates, ...running(configuration));
        for (const commands of history) lane.apply(...commands);
        lane.end();
        const followed = new Followed();
        let previousHead: string | null = null;
        lane.published().forEach((published, epoch) => {
          const nextHeader = lane.header(epoch + 1);
          const report = verifyEpoch(published, nodeHashing, { followed, previousHead, nextHeader });
          expect(report.failure).toBeNull();
          expect(report.checks.map(({ state }) => state)).toEqual(report.checks.map(() => 'verified'));
          previousHead = published.closing.head;
          seen.epochs += 1;
          for (const name of ['draws', 'wins', 'adjustments'] as const) seen[name] += report.counts[name];
        });
      }),
      { numRuns: 150, seed: 7 },
    );
    expect(seen.epochs).toBeGreaterThan(200);
    expect(seen.draws).toBeGreaterThan(2000);
    expect(seen.wins).toBeGreaterThan(200);
    expect(seen.adjustments).toBeGreaterThan(50);
  });
});
