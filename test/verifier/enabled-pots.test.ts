import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../src/messages/instance-commands.ts';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { contribution, running } from '../jackpot/support/commands.ts';
import { jackpot } from './support/cases.ts';
import { PublishingLane } from './support/epochs.ts';
import { type Forged, rehashed } from './support/insider.ts';

const daily = { Time: { start_time: 0, end_time: 86_399_999 } };
const criteria = { min_contribution: '0.01' };

/** The second pot is closed or open, and has this many cycles. */
function two(
  enabled: boolean,
  changes: Readonly<Record<string, unknown>> = {},
): InstanceConfigurationDocument {
  const { pots, ...rest } = jackpot({ pot_types: [{ External: {} }], contribution: { Percentage: '0.3' } });
  const second = { ...pots[0]!, id: 'maxi', pot_types: [{ External: {} }, daily], criteria, enabled };
  return { ...rest, pots: [pots[0]!, second], ...changes };
}

function parameters(configuration: InstanceConfigurationDocument): Command {
  return {
    kind: 'SetParameters',
    instance: 'jackpot',
    configuration,
    reason: 'test',
    user: '',
    expectedVersion: null,
  };
}

/** Enables the pot behind a contribution, or before anything else. */
function published(before: readonly Command[]): PublishingLane {
  const lane = new PublishingLane();
  lane.apply(...running(two(false)));
  for (const command of before) lane.apply(command);
  lane.apply(parameters(two(true)));
  lane.apply(contribution());
  lane.end();
  return lane;
}

function verdict(epochs: readonly Forged[]): string | null {
  const followed = new Followed();
  for (const epoch of epochs) {
    const { failure } = verifyEpoch(epoch, nodeHashing, { followed });
    if (failure !== null) return failure.check;
  }
  return null;
}

describe('a pot that was enabled again', () => {
  it.each([
    ['behind a contribution', [contribution()]],
    ['before the first one', []],
  ])('%s is verified, epoch by epoch and each alone', (_, before) => {
    const lane = published(before);
    const epochs = lane.published() as readonly Forged[];
    expect(epochs.map(({ header }) => header.pots[1].enabled)).toEqual([false, true]);
    expect(verdict(epochs)).toBeNull();
    for (const epoch of epochs) expect(verdict([epoch])).toBeNull();
  });

  it.each<readonly [string, (pot: Forged, closing: Forged) => void]>([
    ['counts on', (pot) => Object.assign(pot, { cycle_contributions: 1 })],
    ['draws from another value', (pot) => Object.assign(pot, { last_drawn: '1' })],
    ['began before the last record', (pot) => Object.assign(pot, { cycle_start: pot.cycle_start - 1000 })],
    ['is in another cycle', (pot) => Object.assign(pot, { cycle: 2 })],
    ['has other money', (pot) => Object.assign(pot, { current: '1' })],
    ['has another window', (pot) => Object.assign(pot.time_windows[0], { end: 1 })],
    [
      'stays closed by its rules',
      (_, { config }) => Object.assign(config.pots[1].effective, { enabled: false }),
    ],
  ])('is refused where it %s', (_, forge) => {
    const file = structuredClone(published([contribution()]).published()[0]) as Forged;
    expect(verdict([structuredClone(file)])).toBeNull();
    forge(file.closing.pots[1], file.closing);
    expect(verdict([rehashed(file)])).not.toBeNull();
  });

  it('is refused where its cycles are over', () => {
    const lane = new PublishingLane();
    lane.apply(...running(two(true)));
    lane.apply(parameters(two(false)));
    const award = {
      kind: 'TriggerPot',
      instance: 'jackpot',
      pot: 'maxi',
      brand: 'op:main',
      player: 'p1',
    } as const;
    lane.apply({ ...award, source: 'slot', user: '', idempotencyKey: null });
    lane.apply(parameters(two(true)));
    lane.end();
    const epochs = lane.published() as readonly Forged[];
    expect(epochs.map(({ header }) => header.pots[1].enabled)).toEqual([true, true, true]);
    expect(epochs[2].header.pots[1]).toMatchObject({ cycle: 2, cycle_contributions: 0 });
    expect(verdict(epochs)).toBeNull();
    const forged = structuredClone(epochs[1]);
    forged.closing.config.max_instantiation_count = 1;
    expect(verdict([rehashed(forged)])).toBe('closing');
    forged.closing.config.max_instantiation_count = 2;
    expect(verdict([rehashed(forged)])).toBeNull();
  });
});
