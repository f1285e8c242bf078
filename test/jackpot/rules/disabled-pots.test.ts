import { describe, expect, it } from 'vitest';
import { createLane } from '../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { InstanceConfigurationDocument } from '../../../src/messages/instance-commands.ts';
import {
  atoms,
  brand,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setStatus,
} from '../support/commands.ts';
import { testHashing } from '../support/hashing.ts';
import { settings, startMs, TestLane } from '../support/lane.ts';
import { drive, raffle } from '../support/raffle.ts';
import { onePot } from '../support/scenario.ts';

type Members = Readonly<Record<string, unknown>>;

const seeds = { seed_strategy: { initial_seed_value: '10', min_reseed_value: '2' } };

/** Pots of these ids that only a person pays, each with its own changes. */
function pots(changes: Readonly<Record<string, Members>>, all: Members = {}): InstanceConfigurationDocument {
  const share = { Percentage: '0.4' };
  const made = Object.entries(changes).map(([id, own]) => ({
    id,
    contribution: share,
    pot_types: [{ External: {} }],
    ...seeds,
    ...own,
  }));
  return onePot({}, {}, { pots: made, ...all });
}

const closed = { enabled: false };

function parameters(configuration: InstanceConfigurationDocument): Command {
  return {
    kind: 'SetParameters',
    instance: 'jackpot',
    configuration,
    reason: 'test',
    user: 'admin',
    expectedVersion: null,
  };
}

function win(pot: string): Command {
  return {
    kind: 'TriggerPot',
    instance: 'jackpot',
    pot,
    brand,
    player: 'p1',
    source: 'slot',
    user: 'admin',
    idempotencyKey: null,
  };
}

function ready(configuration: InstanceConfigurationDocument): TestLane {
  const lane = new TestLane();
  lane.apply(...running(configuration));
  return lane;
}

/** With the seeds of the epochs that the changes of parameters begin. */
function change(lane: TestLane, configuration: InstanceConfigurationDocument) {
  const outcome = lane.apply(parameters(configuration));
  const [task] = lane.engine.epochTasks();
  if (task?.open != null) lane.apply(openEpoch('jackpot', task.open.epoch, task.open.commit));
  return outcome;
}

function status(lane: TestLane): string {
  return lane.engine.describe('jackpot')!.status;
}

function enabled(lane: TestLane): readonly boolean[] {
  return lane.engine.describe('jackpot')!.pots.map((pot) => pot.enabled);
}

describe('a pot that a person disabled', () => {
  it('is enabled again with the next epoch: it keeps money and cycle, and counts anew', () => {
    const daily = {
      pot_types: [{ External: {} }, { Time: { start_time: 0, end_time: 86_399_999 } }],
      criteria: { min_contribution: '0.01' },
    };
    const open = pots({ gold: daily, silver: {} });
    const lane = ready(open);
    const shut = pots({ gold: { ...daily, ...closed }, silver: {} });
    change(lane, shut);
    lane.apply(contribution());
    lane.apply(win('gold'));
    expect([status(lane), enabled(lane)]).toEqual(['Active', [false, true]]);
    const closedAt = lane.accounts();
    lane.apply(contribution());
    expect(lane.accounts()['gold.current']).toBe(closedAt['gold.current']);
    lane.nowMs += 30_000;
    const { events } = change(lane, open);
    expect(events.map(({ kind }) => kind)).toContain('EpochStarted');
    const header = JSON.parse(
      events.flatMap((each) => (each.kind === 'EpochStarted' ? [each.header] : []))[0]!,
    );
    expect(header.pots[0]).toMatchObject({
      enabled: true,
      cycle: 2,
      cycle_start: lane.engine.timestampMs - 1,
      cycle_contributions: 0,
      last_drawn: String(closedAt['gold.current']),
      current: String(closedAt['gold.current']),
    });
    expect(header.config.pots[0]).toEqual({ effective: open.pots[0], pending: null });
    lane.restart();
    expect(lane.engine.describe('jackpot')!.pots[0]).toMatchObject({ enabled: true, instanceCount: 2 });
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
    expect(lane.accounts()['gold.current']).toBeGreaterThan(closedAt['gold.current']!);
    expect(lane.total()).toBe(0n);
  });

  it('is enabled again also where it never was, or the instance is Paused', () => {
    const lane = ready(pots({ gold: {}, silver: closed }));
    expect(enabled(lane)).toEqual([true, false]);
    lane.apply(setStatus('Paused'));
    change(lane, pots({ gold: {}, silver: {} }));
    expect([status(lane), enabled(lane)]).toEqual(['Paused', [true, true]]);
    lane.apply(setStatus('Active'));
    lane.apply(contribution());
    expect(lane.accounts()['silver.current']).toBe(atoms('10.4'));
  });

  it('waits for an epoch that cannot begin yet', () => {
    const lane = ready(pots({ gold: {}, silver: closed }));
    for (const _ of [1, 2]) lane.apply(parameters(pots({ gold: {}, silver: closed })));
    lane.apply(parameters(pots({ gold: {}, silver: {} })));
    lane.restart();
    expect([lane.engine.liveValues('jackpot')?.epoch, enabled(lane)]).toEqual([2, [true, false]]);
    const { events } = lane.apply(openEpoch('jackpot', 2, [3]));
    expect(enabled(lane)).toEqual([true, true]);
    expect(events.map(({ kind }) => kind)).toContain('InstanceChanged');
  });

  it('does not open where its cycles are over, and says so', () => {
    const lane = ready(pots({ gold: {}, silver: {} }));
    change(lane, pots({ gold: closed, silver: {} }));
    lane.apply(win('gold'));
    change(lane, pots({ gold: closed, silver: {} }, { max_instantiation_count: 1 }));
    const before = lane.engine.describe('jackpot');
    expect(
      change(lane, pots({ gold: {}, silver: {} }, { max_instantiation_count: 1 })).outcomes,
    ).toMatchObject([{ code: 'invalid_transition', message: 'gold has had its last cycle' }]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
    expect(change(lane, pots({ gold: {}, silver: {} })).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(enabled(lane)).toEqual([true, true]);
  });

  it('stays closed behind its last cycle, whatever is stored', () => {
    const last = { max_instantiation_count: 1 };
    const lane = ready(pots({ gold: {}, silver: {} }, last));
    lane.apply(win('gold'));
    change(lane, pots({ gold: closed, silver: {} }, last));
    change(lane, pots({ gold: {}, silver: {} }));
    expect([status(lane), enabled(lane)]).toEqual(['Active', [false, true]]);
  });

  it('does not open where the next contribution would win it for certain', () => {
    const lane = ready(pots({ gold: closed, silver: {} }));
    const must = { pot_types: [{ Threshold: { min_value: '5', max_value: '10' } }], seed_strategy: {} };
    expect(change(lane, pots({ gold: must, silver: {} })).outcomes).toMatchObject([
      { code: 'config_invalid', message: 'gold would hold max_value of its Threshold or more at once' },
    ]);
    const above = { ...must, pot_types: [{ Threshold: { min_value: '5', max_value: '10.00000001' } }] };
    expect(change(lane, pots({ gold: above, silver: {} })).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(enabled(lane)).toEqual([true, true]);
  });
});

describe('an instance without an enabled pot', () => {
  /** A win has opened the next cycle of its only pot, which a person had disabled. */
  const withoutPot = () => {
    const lane = ready(pots({ gold: {} }));
    change(lane, pots({ gold: closed }));
    lane.apply(contribution());
    return { lane, events: lane.apply(win('gold')).events };
  };

  it('is Paused, and is not resumed before a pot is enabled', () => {
    const { lane, events } = withoutPot();
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'StatusChanged', status: 'Paused', reason: 'every pot is disabled' }),
    );
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([
      { code: 'invalid_transition', message: 'no pot is enabled' },
    ]);
    lane.restart();
    change(lane, pots({ gold: {} }));
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect([status(lane), enabled(lane)]).toEqual(['Active', [true]]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ kind: 'Contributed' }]);
  });

  it('is resumed in the message that enables a pot', () => {
    const { lane } = withoutPot();
    lane.apply(parameters(pots({ gold: {} })), setStatus('Active'));
    expect([status(lane), enabled(lane)]).toEqual(['Active', [true]]);
  });

  it('waits for the epoch that enables a pot', () => {
    const lane = ready(pots({ gold: {}, silver: closed }));
    change(lane, pots({ gold: closed, silver: closed }));
    // The win stands behind the change in the same message.
    lane.apply(parameters(pots({ gold: closed, silver: {} })), win('gold'));
    expect([status(lane), enabled(lane)]).toEqual(['Active', [false, true]]);
  });

  it('resolves where the last cycle of the last pot is over, though a person had disabled another', () => {
    const lane = ready(pots({ gold: {}, silver: closed }, { max_instantiation_count: 1 }));
    const { events } = lane.apply(win('gold'));
    expect(events).toContainEqual(expect.objectContaining({ kind: 'StatusChanged', status: 'Resolving' }));
  });

  it('pauses where a person disabled the last pot, though the last cycle of another is over', () => {
    const two = { max_instantiation_count: 2 };
    const lane = ready(pots({ gold: {}, silver: {} }, two));
    lane.apply(win('gold'));
    lane.apply(contribution());
    lane.apply(win('gold'));
    expect([status(lane), enabled(lane)]).toEqual(['Active', [false, true]]);
    change(lane, pots({ gold: {}, silver: closed }, two));
    lane.apply(win('silver'));
    expect([status(lane), enabled(lane)]).toEqual(['Paused', [false, false]]);
    change(lane, pots({ gold: {}, silver: {} }, two));
    lane.apply(setStatus('Active'));
    expect([status(lane), enabled(lane)]).toEqual(['Active', [false, true]]);
    lane.apply(contribution());
    lane.apply(win('silver'));
    expect(status(lane)).toBe('Resolving');
  });

  it('resolves at timestamp_end', () => {
    const lane = new TestLane();
    const endMs = startMs + 1_000_000;
    lane.apply(
      setBrand(),
      createInstance(pots({ gold: {} }), { timestampEndMs: endMs }),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
    );
    change(lane, pots({ gold: closed }));
    lane.apply(win('gold'));
    expect(status(lane)).toBe('Paused');
    lane.nowMs = endMs;
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(status(lane)).toBe('Resolving');
  });

  it('does not start', () => {
    const lane = new TestLane();
    const at = startMs + 1000;
    lane.apply(
      setBrand(),
      createInstance(pots({ gold: closed }), { timestampStartMs: at }),
      openEpoch('jackpot', 0, [0, 1, 2]),
    );
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([
      { code: 'invalid_transition', message: 'no pot is enabled' },
    ]);
    expect(lane.engine.nextDeadline()).toBeNull();
    lane.nowMs = at;
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(status(lane)).toBe('Pending');
    lane.apply(parameters(pots({ gold: {} })));
    drive(lane);
    expect([status(lane), lane.accounts()['gold.current']]).toEqual(['Active', atoms('10')]);
  });
});

it('a raffle is over with the round that ends with its pot disabled', () => {
  const lane = new TestLane();
  lane.apply(...running(raffle()));
  lane.apply(contribution());
  change(lane, raffle({}, {}, closed));
  lane.nowMs += 60_000;
  drive(lane);
  expect(status(lane)).toBe('Resolving');
  expect(lane.engine.nextDeadline()?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(lane.nowMs);
});

describe('behind timestamp_end', () => {
  const endMs = startMs + 5000;
  const late = (configuration = pots({ gold: {} }), timestampStartMs: number | null = null) => {
    const lane = new TestLane();
    lane.apply(setBrand(), createInstance(configuration, { timestampStartMs, timestampEndMs: endMs }));
    lane.nowMs = endMs;
    lane.apply(openEpoch('jackpot', 0, [0, 1, 2]));
    return lane;
  };

  it('an instance is not activated, by nobody, and can be cancelled', () => {
    const lane = late(undefined, startMs + 1000);
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([
      { code: 'invalid_transition', message: 'timestamp_end has passed' },
    ]);
    expect(lane.engine.nextDeadline()).toBeNull();
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(status(lane)).toBe('Pending');
    lane.apply(setStatus('Cancelled'));
    expect(status(lane)).toBe('Cancelled');
  });

  it.each([
    ['jackpot', pots({ main: {} })],
    ['raffle', raffle()],
  ])('a Pending %s that holds the money of another resolves, and hands it on', (_, configuration) => {
    const lane = new TestLane();
    const house_pot = { contribution_type: { Percentage: '0.2' } };
    const over = onePot(
      { contribution: { Percentage: '0.5' } },
      {},
      { max_instantiation_count: 1, house_pot },
    );
    lane.apply(
      ...running(onePot(), 'source'),
      createInstance(over, { instance: 'first' }),
      createInstance(configuration, { timestampEndMs: endMs }),
      openEpoch('jackpot', 0, [0, 1, 2]),
      createInstance(onePot(), { instance: 'heir' }),
      openEpoch('first', 0, [0, 1, 2]),
      setStatus('Active', 'first'),
    );
    const first = { type: 'instance', id: 'first' } as const;
    lane.apply(contribution({ target: first }));
    lane.apply({ ...win('main'), instance: 'first' } as Command);
    lane.apply({ ...setStatus('Completed', 'first'), to: 'jackpot' });
    expect(lane.engine.describe('first')!.status).toBe('Completed');
    lane.nowMs = endMs - 10;
    drive(lane);
    expect(status(lane)).toBe('Pending');
    lane.nowMs = endMs;
    drive(lane);
    expect(status(lane)).toBe('Resolving');
    lane.restart();
    lane.apply({ ...setStatus('Completed'), to: 'heir' });
    expect(status(lane)).toBe('Completed');
    expect([lane.total(), lane.total('heir')]).toEqual([0n, 0n]);
  });

  it('an instance that had suspended itself is resumed, and resolves then', () => {
    const lane = new TestLane();
    lane.apply(
      setBrand(),
      createInstance(pots({ gold: {} }), { timestampEndMs: endMs }),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
      setStatus('Paused'),
    );
    lane.nowMs = endMs;
    lane.apply(setStatus('Active'));
    drive(lane);
    expect(status(lane)).toBe('Resolving');
  });
});

it('the first version resolved an instance without an enabled pot, and started it behind its end', () => {
  const lane = new TestLane();
  lane.engine = createLane(testHashing, settings);
  lane.apply(...running(pots({ gold: closed })));
  expect(status(lane)).toBe('Resolving');
  lane.apply(
    createInstance(pots({ gold: {} }), { instance: 'late', timestampEndMs: lane.nowMs + 10 }),
    openEpoch('late', 0, [0, 1, 2]),
  );
  lane.nowMs += 100;
  expect(lane.apply(setStatus('Active', 'late')).outcomes).toMatchObject([{ kind: 'Done' }]);
});
