import { beforeEach, describe, expect, it } from 'vitest';
import type { Command } from '../../../../src/messages/commands.ts';
import type { CancelSwitch } from '../../../../src/messages/instance-commands.ts';
import { atoms, brand, contribution, createInstance, openEpoch, setStatus } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { drive } from '../../support/raffle.ts';
import { onePot } from '../../support/scenario.ts';
import { optIn, pair, switchModel } from '../../support/switching.ts';

const many = 1700;
const all = { transferOptIns: true };
const last = `player-${many - 1}`;

let lane: TestLane;
beforeEach(() => {
  lane = new TestLane();
  pair(lane, onePot());
  const players = Array.from({ length: many }, (_, i) => `player-${i}`);
  for (let i = 0; i < many; i += 100) lane.apply(...players.slice(i, i + 100).map((each) => optIn(each)));
});

function cancel(changes: Partial<CancelSwitch> = {}): CancelSwitch {
  return { kind: 'CancelSwitch', instance: 'jackpot', target: 'next', reason: 'no', user: 'ann', ...changes };
}

function goOn(): void {
  const [job] = lane.engine.jobs();
  lane.apply({ kind: 'Continue', job: job!.job, step: job!.step });
}

const shown = (instance = 'jackpot') => lane.engine.describe(instance)!;
const optedIn = (instance = 'next') => lane.engine.optIns(instance, true, 0, 5000)!.length;
const isIn = (player: string) => lane.engine.optInStatus('next', brand, player)?.optedIn;

describe('a switch of an instance with many players', () => {
  it('copies their opt-ins in steps while the source takes contributions, then moves everything at once', () => {
    expect(lane.apply(switchModel(all)).events).toMatchObject([
      {
        kind: 'InstanceChanged',
        instance: { switch: { target: 'next', copied: 500, total: many, end: null } },
      },
    ]);
    expect(lane.engine.jobs()).toEqual([{ job: 'switch/jackpot', step: 1, stepsPerMessage: 1 }]);
    lane.restart();
    goOn();
    const repeated = lane.apply({ kind: 'Continue', job: 'switch/jackpot', step: 1 });
    expect(repeated.outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    expect(shown().switch).toMatchObject({ copied: 1000, user: 'admin', reason: 'a better model' });
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    expect([shown().status, shown('next').status]).toEqual(['Active', 'Pending']);
    goOn();
    expect(lane.engine.jobs()).toEqual([{ job: 'move/jackpot', step: 3, stepsPerMessage: 1 }]);
    goOn();
    expect([shown().status, shown('next').status]).toEqual(['Switched', 'Active']);
    expect(shown().switch).toMatchObject({ copied: many + 1, total: many + 1, end: { outcome: 'done' } });
    expect(lane.accounts('next')['main.current']).toBe(atoms('1'));
    expect(optedIn()).toBe(many);
    drive(lane);
    expect(lane.engine.jobs()).toEqual([]);
    expect(Buffer.concat([...lane.replayed().snapshot()])).toEqual(
      Buffer.concat([...lane.engine.snapshot()]),
    );
  });

  it('copies again what changes behind its copy, and leaves what the target has by itself', () => {
    lane.apply(optIn('player-3', { instance: 'next', optIn: false }));
    lane.apply(switchModel(all));
    lane.apply(
      optIn('player-0', { optIn: false }),
      optIn('player-1', { valueAtoms: atoms('1') }),
      optIn('player-2', { instance: 'next', optIn: false }),
      optIn('player-2', { valueAtoms: atoms('1') }),
      optIn('player-3'),
      optIn(last, { optIn: false }),
      optIn('late'),
    );
    drive(lane);
    expect(['player-0', 'player-2', 'player-3', last].map(isIn)).toEqual([false, false, false, false]);
    expect(lane.engine.optInStatus('next', brand, 'player-1')?.preferences).toEqual([['EUR', atoms('1')]]);
    expect(isIn('late')).toBe(true);
    expect(shown('next').status).toBe('Active');
  });

  it('copies explicit opt-outs alone where opt-ins stay, and follows those who change their mind', () => {
    lane.apply(optIn('player-0', { optIn: false }), optIn('player-1', { optIn: false }));
    lane.apply(switchModel());
    lane.apply(optIn('player-1'), optIn('player-2', { optIn: false }), optIn(last, { optIn: false }));
    drive(lane);
    expect(
      lane.engine.optIns('next', null, 0, 5000)!.map(({ player, optedIn: isInside }) => [player, isInside]),
    ).toEqual([
      ['player-0', false],
      ['player-2', false],
      [last, false],
    ]);
  });

  it('is the same switch when it is asked for again, and there is no other one meanwhile', () => {
    lane.apply(createInstance(onePot(), { instance: 'third' }), openEpoch('third', 0, [0, 1, 2]));
    lane.apply(switchModel(all));
    const code = (changes = {}) => lane.apply(switchModel({ ...all, ...changes })).outcomes[0];
    expect(code({ expectedVersion: 1 })).toMatchObject({ kind: 'Done', instance: 'jackpot' });
    expect(shown().switch?.copied).toBe(500);
    expect(code({ transferOptIns: false })).toMatchObject({ code: 'switch_in_progress' });
    expect(code({ target: 'third' })).toMatchObject({ code: 'switch_in_progress' });
    expect(code({ instance: 'next', target: 'third' })).toMatchObject({ code: 'switch_in_progress' });
    expect(lane.apply(setStatus('Active', 'next')).outcomes).toMatchObject([{ code: 'switch_in_progress' }]);
    drive(lane);
    const { version } = shown();
    expect(code()).toMatchObject({ kind: 'Done', version });
    expect(shown('next').status).toBe('Active');
  });

  it('goes on with the configuration of the target that it was approved with', () => {
    const { version } = shown('next');
    const configuration = onePot({ maximum_pot_value: '7' });
    const change = {
      kind: 'SetParameters',
      instance: 'next',
      configuration,
      reason: '',
      user: 'ann',
    } as const;
    const code = (command: Command) => lane.apply(command).outcomes[0];
    expect(code({ ...change, expectedVersion: null })).toMatchObject({ kind: 'Done' });
    expect(code(switchModel({ ...all, targetVersion: version }))).toMatchObject({ code: 'version_conflict' });
    expect(code(switchModel({ ...all, targetVersion: version + 1 }))).toMatchObject({ kind: 'Done' });
    expect(code({ ...change, expectedVersion: null })).toMatchObject({ code: 'switch_in_progress' });
    const disallow = { kind: 'SetBrandAllowed', instance: 'next', brand, allowed: false, user: '' } as const;
    expect(code(disallow)).toMatchObject({ code: 'switch_in_progress' });
    drive(lane);
    expect(code({ ...change, expectedVersion: null })).toMatchObject({ kind: 'Done' });
  });

  it('is cancelled before its last command: the source is as before, what was copied is taken back', () => {
    lane.apply(optIn('own', { instance: 'next' }));
    const before = shown();
    lane.apply(switchModel(all));
    goOn();
    const { events, outcomes } = lane.apply(cancel());
    expect(outcomes).toMatchObject([{ kind: 'Done', instance: 'jackpot' }]);
    expect(events).toMatchObject([{ kind: 'InstanceChanged', instance: { instance: 'jackpot' } }]);
    expect(shown()).toEqual({ ...before, switch: expect.objectContaining({ copied: 1000 }) });
    expect(shown().switch?.end).toMatchObject({ outcome: 'cancelled', message: 'ann: no' });
    expect(lane.engine.jobs()).toEqual([{ job: 'take-back/next', step: 501, stepsPerMessage: 1 }]);
    expect(lane.apply(switchModel(all)).outcomes).toMatchObject([{ code: 'switch_in_progress' }]);
    lane.restart();
    drive(lane);
    expect(lane.engine.optIns('next', null, 0, 5000)!.map(({ player }) => player)).toEqual(['own']);
    expect(lane.apply(cancel()).outcomes).toMatchObject([{ kind: 'Done' }]);
    lane.apply(switchModel(all));
    drive(lane);
    expect([shown().status, shown('next').status, optedIn()]).toEqual(['Switched', 'Active', many + 1]);
    expect(lane.apply(cancel()).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
  });

  it.each([
    ['that is not under way', cancel(), 'invalid_transition'],
    ['of an unknown instance', cancel({ instance: 'nowhere' }), 'instance_not_found'],
  ])('cannot cancel a switch %s', (_, command, code) => {
    expect(lane.apply(command).outcomes).toMatchObject([{ code }]);
  });

  it('cannot cancel a switch to another instance than the one under way', () => {
    lane.apply(switchModel(all));
    expect(lane.apply(cancel({ target: 'third' })).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(shown().switch?.end).toBeNull();
  });
});

describe('the last command of a switch', () => {
  it('waits for the seed of the target, and for its beacon', () => {
    const slow = onePot({}, {}, { draw_beacon: 'Required' });
    lane.apply(createInstance(slow, { instance: 'slow' }));
    lane.apply(switchModel({ ...all, target: 'slow' }));
    drive(lane);
    expect(shown()).toMatchObject({ status: 'Active', switch: { copied: 1500, end: null } });
    lane.apply(openEpoch('slow', 0, [0, 1, 2]));
    expect(lane.engine.jobs()).toEqual([]);
    lane.restart();
    lane.apply({
      kind: 'OpenEpoch',
      instance: 'slow',
      epoch: 0,
      seeds: [],
      beacon: new Uint8Array(32).fill(5),
    });
    expect(lane.engine.jobs()).toMatchObject([{ job: 'move/jackpot' }]);
    drive(lane);
    expect([shown().status, shown('slow').status]).toEqual(['Switched', 'Active']);
  });

  it('leaves a Paused target of a Paused source, whose epoch has begun', () => {
    lane.apply(setStatus('Paused'));
    lane.apply(switchModel());
    drive(lane);
    expect([shown().status, shown('next').status]).toEqual(['Switched', 'Paused']);
    expect(lane.apply(setStatus('Active', 'next')).outcomes).toMatchObject([{ kind: 'Done' }]);
  });

  it.each([
    ['a target that is gone', [setStatus('Cancelled', 'next')], 'invalid_transition'],
    [
      'a target that would be full at once',
      [
        {
          kind: 'AdjustPot',
          instance: 'next',
          pot: 'main',
          account: 'current_value',
          targetAtoms: atoms('89999999999'),
          reason: 'test',
          user: 'admin',
          mayDecrease: true,
          idempotencyKey: null,
          expectedVersion: null,
        },
        {
          kind: 'AdjustPot',
          instance: 'jackpot',
          pot: 'main',
          account: 'current_value',
          targetAtoms: atoms('89999999999'),
          reason: 'test',
          user: 'admin',
          mayDecrease: true,
          idempotencyKey: null,
          expectedVersion: null,
        },
      ],
      'amount_out_of_range',
    ],
  ] as const)('ends the switch over %s: the source goes on, and the reason is kept', (_, commands, code) => {
    lane.apply(switchModel(all));
    lane.apply(...commands);
    const { version } = shown();
    drive(lane);
    expect(shown()).toMatchObject({
      status: 'Active',
      version,
      switchedTo: '',
      switch: { target: 'next', end: { outcome: 'refused', code, message: expect.stringMatching(/./) } },
    });
    expect(optedIn()).toBe(0);
    expect(lane.engine.jobs()).toEqual([]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });

  it('ends the switch of a source that resolves meanwhile, without waiting for the target', () => {
    lane.apply(createInstance(onePot(), { instance: 'ending', timestampEndMs: lane.nowMs + 5000 }));
    lane.apply(openEpoch('ending', 0, [0, 1, 2]), setStatus('Active', 'ending'));
    lane.apply(createInstance(onePot(), { instance: 'unready' }));
    lane.apply(switchModel({ instance: 'ending', target: 'unready' }));
    expect(lane.engine.jobs()).toEqual([]);
    lane.nowMs += 5000;
    drive(lane);
    expect(shown('ending')).toMatchObject({
      status: 'Resolving',
      switch: { end: { outcome: 'refused', code: 'invalid_transition' } },
    });
  });
});
