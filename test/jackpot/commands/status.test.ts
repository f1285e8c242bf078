import { describe, expect, it } from 'vitest';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setStatus,
} from '../support/commands.ts';
import { startMs, TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

const configuration = onePot({ seed_strategy: { initial_seed_value: '10' } });
const tick = { kind: 'Tick', instance: 'jackpot' } as const;

describe('the status of an instance', () => {
  it.each([
    ['Pending', 'Paused'],
    ['Pending', 'Resolving'],
    ['Active', 'Active'],
    ['Active', 'Pending'],
    ['Active', 'Cancelled'],
    ['Active', 'Completed'],
    ['Paused', 'Cancelled'],
    ['Cancelled', 'Active'],
  ])('does not go from %s to %s', (from, to) => {
    const lane = new TestLane();
    lane.apply(setBrand(), createInstance(configuration), openEpoch('jackpot', 0, [0, 1, 2]));
    if (from === 'Active' || from === 'Paused') lane.apply(setStatus('Active'));
    if (from === 'Paused' || from === 'Cancelled') lane.apply(setStatus(from));
    expect(lane.apply(setStatus(to)).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(lane.engine.liveValues('jackpot')?.status).toBe(from);
  });

  it('becomes Active only with its first epoch open; the initial seeds are posted then', () => {
    const lane = new TestLane();
    lane.apply(setBrand(), createInstance(configuration));
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(lane.accounts()['main.current']).toBe(0n);
    lane.apply(openEpoch('jackpot', 0, [0, 1, 2]));
    const { events } = lane.apply(setStatus('Active'));
    expect(events.map((event) => event.kind)).toEqual(['EpochStarted', 'InstanceChanged', 'StatusChanged']);
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('10'), operator_capital: -atoms('10') });
    expect(lane.engine.describe('jackpot')?.pots).toMatchObject([{ initialCostAtoms: atoms('10') }]);
  });

  it('becomes Active by itself at timestamp_start, once', () => {
    const lane = new TestLane();
    const at = startMs + 1000;
    lane.apply(
      setBrand(),
      createInstance(configuration, { timestampStartMs: at }),
      openEpoch('jackpot', 0, [0, 1, 2]),
    );
    expect(lane.engine.nextDeadline()).toEqual({ atMs: at, instance: 'jackpot' });
    lane.apply(tick);
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Pending');
    lane.nowMs = at;
    lane.apply(tick);
    lane.apply(tick);
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Active');
    expect(lane.accounts()['main.current']).toBe(atoms('10'));
  });

  it('Paused keeps the values and takes nothing until it is Active again', () => {
    const lane = new TestLane();
    lane.apply(...running(configuration));
    lane.apply(setStatus('Paused'));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
    lane.apply(setStatus('Active'));
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    expect(lane.accounts()['main.current']).toBe(atoms('11'));
  });

  it('takes nothing at or after timestamp_end', () => {
    const lane = new TestLane();
    lane.apply(
      setBrand(),
      createInstance(configuration, { timestampEndMs: startMs + 100 }),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
    );
    lane.nowMs = startMs + 99;
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
  });

  it('changes only from the version that the administrator has seen', () => {
    const lane = new TestLane();
    lane.apply(...running(configuration));
    const stale = { ...setStatus('Paused'), expectedVersion: 1 };
    expect(lane.apply(stale).outcomes).toMatchObject([{ code: 'version_conflict' }]);
    expect(lane.apply({ ...stale, expectedVersion: 2 }).outcomes).toEqual([
      { kind: 'Done', instance: 'jackpot', version: 3 },
    ]);
  });
});
