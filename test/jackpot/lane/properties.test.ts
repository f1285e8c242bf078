import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LaneEngine } from '../../../src/jackpot/lane/lane.ts';
import { LiveValuesWriter, unpackLiveValues } from '../../../src/messages/codec/live-values.ts';
import type { LiveValues } from '../../../src/messages/records.ts';
import { running, setRates } from '../support/commands.ts';
import { configurations, histories } from '../support/histories.ts';
import { TestLane } from '../support/lane.ts';

const rates = setRates([
  ['JPY', '163.27', null],
  ['USD', '1.0839', null],
]);

function everything(engine: LaneEngine) {
  return [
    engine.describe('jackpot'),
    engine.accounts('jackpot'),
    engine.epochs('jackpot'),
    engine.optIns('jackpot', null, 0, 99),
  ];
}

/** Live values as gateways get them. */
function written(engine: LaneEngine): LiveValues | undefined {
  const writer = new LiveValuesWriter();
  engine.writeLiveValues('jackpot', writer);
  return unpackLiveValues(writer.taken())[0]?.values();
}

describe('after any history', () => {
  it('accounts sum to zero, no inside account is negative, the log folds to the live state', () => {
    fc.assert(
      fc.property(configurations, histories, fc.nat(11), (configuration, history, restartAt) => {
        const lane = new TestLane({ epochSequences: 40 });
        lane.apply(rates, ...running(configuration));
        history.forEach((commands, index) => {
          const before = lane.accounts();
          const outcome = lane.apply(...commands);
          expect(lane.total()).toBe(0n);
          const outside = [
            'player',
            'operator_capital',
            'operator_fee',
            'external',
            'fx',
            'adjustment',
            'transfer',
          ];
          for (const [name, value] of Object.entries(lane.accounts())) {
            if (!outside.includes(name)) expect(value, name).toBeGreaterThanOrEqual(0n);
          }
          const won = outcome.events.some((event) => event.kind === 'Won');
          const adjusted = commands.some((command) => command.kind === 'AdjustPot');
          if (!won && !adjusted) {
            for (const [name, value] of Object.entries(lane.accounts())) {
              if (name.endsWith('.current')) expect(value).toBeGreaterThanOrEqual(before[name]!);
            }
          }
          expect(written(lane.engine)).toEqual(lane.engine.liveValues('jackpot'));
          if (index === restartAt) lane.restart();
        });
        expect(everything(lane.replayed())).toEqual(everything(lane.engine));
      }),
      { numRuns: 150 },
    );
  });

  it('no pot of a maximum stands above it by contributions or reseeds', () => {
    fc.assert(
      fc.property(configurations, histories, (configuration, history) => {
        const lane = new TestLane();
        lane.apply(rates, ...running(configuration));
        for (const commands of history) {
          lane.apply(...commands.filter((command) => command.kind !== 'AdjustPot'));
          configuration.pots.forEach((pot) => {
            if (pot.maximum_pot_value === '') return;
            const limit = BigInt(pot.maximum_pot_value as string) * 100_000_000n;
            expect(lane.accounts()[`${pot.id}.current`]).toBeLessThanOrEqual(limit);
          });
        }
      }),
      { numRuns: 60 },
    );
  });
});
