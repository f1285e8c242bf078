import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import { jackpot } from '../../verifier/support/cases.ts';
import { contribution, createInstance, handIn, openEpoch, setBrand, setStatus } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';

const id = 'jackpot';
const dayMs = 86_400_000;
const other = new Uint8Array(32).fill(9);

function created(configuration: InstanceConfigurationDocument): TestLane {
  const lane = new TestLane({ epochSequences: 4 });
  lane.apply(setBrand(), createInstance(configuration));
  lane.apply(openEpoch(id, 0, [0, 1, 2]));
  return lane;
}

const wanting: InstanceConfigurationDocument = { ...jackpot(), draw_beacon: 'Required' };

function outcome(lane: TestLane, command: Command) {
  return lane.apply(command).outcomes[0];
}

function beacons(lane: TestLane): readonly string[] {
  return (lane.engine.epochs(id) ?? []).map(({ beacon }) => Buffer.from(beacon).toString('hex').slice(0, 4));
}

function headerOf(lane: TestLane, epoch: number): { readonly beacon: string; readonly config: object } {
  return JSON.parse(lane.engine.epochs(id)!.find((each) => each.epoch === epoch)!.header);
}

function parameters(configuration: InstanceConfigurationDocument): Command {
  const others = { reason: 'test', user: 'admin', expectedVersion: null } as const;
  return { kind: 'SetParameters', instance: id, configuration, ...others };
}

describe('a beacon, where the rules want none', () => {
  it('is refused, and the header says none', () => {
    const lane = created(jackpot());
    expect(outcome(lane, handIn(id, 0))).toMatchObject({ kind: 'Refused', code: 'invalid_transition' });
    lane.apply(setStatus('Active'));
    expect(headerOf(lane, 0).beacon).toBe('');
    expect(headerOf(lane, 0).config).not.toHaveProperty('draw_beacon');
  });
});

describe('an instance that wants beacons', () => {
  it('starts when that of its first epoch is there, and not before', () => {
    const lane = created(wanting);
    expect(outcome(lane, setStatus('Active'))).toMatchObject({ kind: 'Refused', code: 'invalid_transition' });
    expect(outcome(lane, handIn(id, 0))).toMatchObject({ kind: 'Done' });
    expect(outcome(lane, setStatus('Active'))).toMatchObject({ kind: 'Done' });
    expect(headerOf(lane, 0)).toMatchObject({ beacon: Buffer.from(handIn(id, 0).beacon).toString('hex') });
    expect(headerOf(lane, 0).config).toMatchObject({ draw_beacon: 'Required' });
  });

  it.each([
    ['of an epoch that is not committed', handIn(id, 3), 'invalid_transition'],
    ['of an epoch that has begun', handIn(id, 0), 'invalid_transition'],
    ['of other bytes than the epoch has', handIn(id, 1, other), 'already_exists'],
    ['of fewer bytes', handIn(id, 2, other.subarray(1)), 'invalid_parameter'],
    ['of an instance that is not there', handIn('nobody', 1), 'instance_not_found'],
  ])('refuses one %s', (_, command, code) => {
    const lane = created(wanting);
    lane.apply(handIn(id, 0), handIn(id, 1), setStatus('Active'));
    const before = beacons(lane);
    expect(outcome(lane, command)).toMatchObject({ kind: 'Refused', code });
    expect(beacons(lane)).toEqual(before);
  });

  it('takes the same bytes again, and changes nothing', () => {
    const lane = created(wanting);
    lane.apply(handIn(id, 0));
    const before = beacons(lane);
    expect(outcome(lane, handIn(id, 0))).toMatchObject({ kind: 'Done' });
    expect(beacons(lane)).toEqual(before);
  });

  it('lets an epoch run on until the next beacon is there', () => {
    const lane = created(wanting);
    lane.apply(handIn(id, 0), setStatus('Active'));
    for (let spin = 0; spin < 6; spin += 1) lane.apply(contribution({ player: `p${spin}` }));
    expect(lane.engine.epochs(id)![0]).toMatchObject({ state: 'running', lastSequence: 6 });
    expect(lane.engine.nextDeadline()).toBeNull();
    lane.apply(handIn(id, 1));
    expect(lane.engine.epochs(id)!.slice(0, 2)).toMatchObject([{ state: 'ended' }, { state: 'running' }]);
  });

  it('pauses at twice the length of an epoch, and goes on when the beacon has come', () => {
    const lane = created(wanting);
    lane.apply(handIn(id, 0), setStatus('Active'));
    for (let spin = 0; spin < 8; spin += 1) lane.apply(contribution({ player: `p${spin}` }));
    expect(lane.engine.liveValues(id)).toMatchObject({ status: 'Paused' });
    lane.nowMs += 2 * dayMs;
    expect(outcome(lane, setStatus('Active'))).toMatchObject({ kind: 'Refused' });
    lane.apply(handIn(id, 1));
    expect(outcome(lane, setStatus('Active'))).toMatchObject({ kind: 'Done' });
  });

  it('starts by itself at its time, behind its beacon', () => {
    const lane = new TestLane();
    const timestampStartMs = lane.nowMs + 1000;
    lane.apply(setBrand(), createInstance(wanting, { timestampStartMs }), openEpoch(id, 0, [0, 1, 2]));
    lane.nowMs += 2000;
    expect(lane.engine.nextDeadline()).toBeNull();
    lane.apply({ kind: 'Tick', instance: id });
    expect(lane.engine.liveValues(id)).toMatchObject({ status: 'Pending' });
    lane.apply(handIn(id, 0));
    expect(lane.engine.nextDeadline()).toMatchObject({ instance: id });
    lane.apply({ kind: 'Tick', instance: id });
    expect(lane.engine.liveValues(id)).toMatchObject({ status: 'Active' });
  });

  it('takes no new parameters while the next epoch waits, for they end the epoch', () => {
    const lane = created(wanting);
    lane.apply(handIn(id, 0), setStatus('Active'));
    expect(outcome(lane, parameters(jackpot()))).toMatchObject({ code: 'invalid_transition' });
    lane.apply(handIn(id, 1));
    // The rules that end with the epoch still want the beacon of the next one.
    expect(outcome(lane, parameters(jackpot()))).toMatchObject({ kind: 'Done' });
    expect(headerOf(lane, 1).beacon).not.toBe('');
  });

  it('keeps beacons over a restart, and a replay draws the same', () => {
    const lane = created(wanting);
    lane.apply(handIn(id, 0), handIn(id, 1), setStatus('Active'));
    lane.restart();
    for (let spin = 0; spin < 5; spin += 1) lane.apply(contribution({ player: `p${spin}` }));
    expect(headerOf(lane, 1).beacon).not.toBe('');
    const replayed = lane.replayed();
    expect(replayed.epochs(id)).toEqual(lane.engine.epochs(id));
  });
});
