import { describe, expect, it } from 'vitest';
import { firstLaneHead, Replica } from '../../../src/actors/replica/replica.ts';
import { isGatewayName } from '../../../src/log/base/names.ts';
import { encodeCommandBatch } from '../../../src/messages/codec/codec.ts';
import type { Command } from '../../../src/messages/commands.ts';
import { refused } from '../../../src/messages/refusals.ts';
import type { CommandChannel } from '../../../src/ports.ts';
import { createInstance, openEpoch, setBrand, setRates, setStatus } from '../../jackpot/support/commands.ts';
import { testHashing } from '../../jackpot/support/hashing.ts';
import { settings, startMs } from '../../jackpot/support/lane.ts';
import { newLane } from '../../jackpot/support/new-lane.ts';
import { onePot } from '../../jackpot/support/scenario.ts';

function lane() {
  const replica = new Replica(0, newLane(settings), testHashing, firstLaneHead);
  return (channel: CommandChannel, ...commands: readonly Command[]) => {
    const sequence = replica.appliedSequence + 1;
    const bytes = encodeCommandBatch({ batchId: new Uint8Array(16).fill(sequence), gateway: 'g', commands });
    return replica.apply({ lane: 0, sequence, channel, timestampMs: startMs + sequence, bytes }).outcome
      .outcomes;
  };
}

const owners: Readonly<Record<string, Command>> = {
  Own: { kind: 'Own', term: 9, host: 'intruder', settings: null },
  UpgradeTo: { kind: 'UpgradeTo', version: 2 } as Command,
  Tick: { kind: 'Tick' } as Command,
  Continue: { kind: 'Continue', job: 'j' } as unknown as Command,
  OpenEpoch: openEpoch('jackpot', 0, [0, 1, 2]),
  RevealEpoch: { kind: 'RevealEpoch', instance: 'jackpot', epoch: 0, seed: new Uint8Array(32) },
  SetRates: setRates([['EUR', '1', null]]),
  SetBrand: setBrand(),
  SetSegment: { kind: 'SetSegment', owner: 'op', segment: 'vip', priority: 1 },
  CreditSettled: { kind: 'CreditSettled', transactionIds: ['t'], result: 'accepted', reason: '' } as Command,
  FlushSettled: { kind: 'FlushSettled', instance: 'jackpot', flushId: 'f', result: 'confirmed' },
  DebitSettled: { kind: 'DebitSettled', transactionId: 't', result: 'debited' } as Command,
};

describe('what an owner or a role that moves money writes', () => {
  it.each(Object.keys(owners))('%s is refused in a batch, and the others of the batch are not', (kind) => {
    const apply = lane();
    const outcomes = apply('batch', owners[kind] as Command, createInstance(onePot()));
    expect(outcomes[0]).toEqual(refused('invalid_parameter', 'this engine does not know the command'));
    expect(outcomes[1]?.kind).not.toBe('Refused');
  });

  it('does its work on the channel of control', () => {
    const apply = lane();
    apply('batch', createInstance(onePot()));
    expect(apply('batch', owners.SetBrand as Command, owners.OpenEpoch as Command)).toMatchObject([
      { kind: 'Refused' },
      { kind: 'Refused' },
    ]);
    const done = apply('control', owners.SetBrand as Command, owners.OpenEpoch as Command);
    expect(done.map(({ kind }) => kind)).not.toContain('Refused');
    expect(apply('batch', setStatus('Active'))[0]?.kind).toBe('Done');
  });
});

describe('the channel of settlements', () => {
  const settlements = ['CreditSettled', 'FlushSettled', 'DebitSettled'];

  it.each(Object.keys(owners))('carries %s if it settles something', (kind) => {
    const apply = lane();
    apply('batch', createInstance(onePot()));
    const [outcome] = apply('settlement', owners[kind] as Command);
    const unknown = refused('invalid_parameter', 'this engine does not know the command');
    if (settlements.includes(kind)) expect(outcome).not.toEqual(unknown);
    else expect(outcome).toEqual(unknown);
  });

  it('carries nothing of callers', () => {
    expect(lane()('settlement', createInstance(onePot()))[0]?.kind).toBe('Refused');
  });
});

it('an administrator hands in a beacon by a batch: it is no owner work, and is judged by the engine', () => {
  const apply = lane();
  apply('batch', createInstance(onePot()));
  const beacon = {
    ...(owners.OpenEpoch as object),
    seeds: [],
    beacon: new Uint8Array(32),
  } as unknown as Command;
  const [outcome] = apply('batch', beacon);
  expect(outcome).toMatchObject({ kind: 'Refused' });
  expect((outcome as { message: string }).message).toMatch(/beacon/);
});

it('a reply goes to the name of a gateway and to nothing that is more than a name', () => {
  expect(['g1', 'Zm9vYmFyYmF6', 'a-b_c'].map(isGatewayName)).toEqual([true, true, true]);
  for (const name of ['', 'a.b', '*', '>', 'a b', 'a\r\nPUB x', 'x'.repeat(65)])
    expect(isGatewayName(name), name).toBe(false);
});
