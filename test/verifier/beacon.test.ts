import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../src/messages/instance-commands.ts';
import { nodeHashing } from '../../tools/verify/node-hashing.ts';
import { Followed } from '../../verifier/src/followed.ts';
import { checkContinues, endingOf } from '../../verifier/src/neighbours.ts';
import { verifyEpoch } from '../../verifier/src/verify.ts';
import { contribution, handIn, running } from '../jackpot/support/commands.ts';
import { jackpot } from './support/cases.ts';
import { PublishingLane } from './support/epochs.ts';
import { type Forged, rehashed } from './support/insider.ts';

const wanting: InstanceConfigurationDocument = { ...jackpot(), draw_beacon: 'Required' };

function played(
  configuration: InstanceConfigurationDocument,
  ...behind: readonly Command[]
): readonly Forged[] {
  const lane = new PublishingLane();
  const [brand, create, open, activate] = running(configuration);
  lane.apply(brand!, create!, open!);
  lane.apply(handIn('jackpot', 0), handIn('jackpot', 1), activate!);
  lane.apply(contribution());
  lane.end();
  for (const command of behind) lane.apply(command);
  lane.apply(contribution());
  lane.end();
  return lane.published();
}

function failures(documents: readonly Forged[]) {
  const followed = new Followed();
  return documents.map((each) => verifyEpoch(each, nodeHashing, { followed }).failure?.check ?? null);
}

describe('an epoch with a beacon', () => {
  it('is verified: the numbers come of it', () => {
    const documents = played(wanting, handIn('jackpot', 2));
    expect(documents.map(({ header }) => header.beacon.length)).toEqual([64, 64]);
    expect(failures(documents)).toEqual([null, null]);
  });

  it('is rejected with other bytes, and with none', () => {
    const [document] = played(wanting);
    for (const beacon of ['aa'.repeat(32), '', 'aa'.repeat(31), 'AA'.repeat(32)]) {
      const forged = structuredClone(document);
      forged.header.beacon = beacon;
      expect(verifyEpoch(rehashed(forged), nodeHashing).verified, beacon).toBe(false);
    }
  });

  it('is rejected where the rules of the epoch before wanted one and none was used', () => {
    const [first, second] = played(wanting, handIn('jackpot', 2));
    const ending = endingOf(0, first)!;
    expect(() => checkContinues(ending, second.header)).not.toThrow();
    expect(() => checkContinues(ending, { ...second.header, beacon: '' })).toThrow('without the beacon');
  });

  it('may be the first one without, where beacons begin to be wanted', () => {
    const begin: Command = {
      kind: 'SetParameters',
      instance: 'jackpot',
      configuration: wanting,
      reason: 'test',
      user: 'admin',
      expectedVersion: null,
    };
    const documents = played(jackpot(), begin, handIn('jackpot', 3));
    expect(documents.map(({ header }) => header.config.draw_beacon ?? null)).toEqual([
      null,
      null,
      'Required',
    ]);
    expect(documents.map(({ header }) => header.beacon.length)).toEqual([0, 0, 0]);
    expect(failures(documents)).toEqual([null, null, null]);
  });
});
