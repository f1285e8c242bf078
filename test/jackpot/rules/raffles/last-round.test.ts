import { describe, expect, it } from 'vitest';
import type { SetParameters } from '../../../../src/messages/instance-commands.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  seedOf,
  setBrand,
  setStatus,
} from '../../support/commands.ts';
import { startMs, TestLane } from '../../support/lane.ts';
import { drive, minuteMs, raffle } from '../../support/raffle.ts';
import { onePot } from '../../support/scenario.ts';

const complete = (to = '') => ({ ...setStatus('Completed'), to });

function setParameters(configuration: ReturnType<typeof raffle>): SetParameters {
  return {
    kind: 'SetParameters',
    instance: 'jackpot',
    configuration,
    reason: 'x',
    user: 'admin',
    expectedVersion: null,
  };
}

describe('the last round of a raffle', () => {
  it('is the one of the last cycle, and reseeds nothing', () => {
    const lane = new TestLane();
    const seeds = { seed_strategy: { initial_seed_value: '10', min_reseed_value: '10' } };
    lane.apply(...running(raffle({}, { max_instantiation_count: 2 }, seeds)));
    for (const cycle of [1, 2]) {
      lane.apply(contribution());
      lane.nowMs += minuteMs;
      drive(lane);
      expect(lane.engine.describe('jackpot')?.pots).toMatchObject([
        { instanceCount: 2, enabled: cycle === 1 },
      ]);
    }
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Resolving');
    expect(lane.accounts()).toMatchObject({ 'main.current': 0n, 'main.carry': 0n, 'main.seed': 0n });
    expect(lane.apply(complete()).outcomes).toMatchObject([{ kind: 'Done' }]);
  });

  it('without a ticket leaves its value, which has to be moved', () => {
    const lane = new TestLane();
    const rules = raffle({ cost_per_ticket: '100' });
    lane.apply(
      setBrand(),
      createInstance(rules, { timestampEndMs: startMs + 1000 }),
      createInstance(onePot(), { instance: 'heir' }),
      openEpoch('jackpot', 0, [0, 1, 2]),
      setStatus('Active'),
    );
    lane.apply(contribution());
    expect(lane.apply(complete('heir')).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    lane.nowMs += 1000;
    expect(drive(lane).filter(({ kind }) => kind === 'StatusChanged')).toMatchObject([
      { status: 'Resolving' },
    ]);
    expect(lane.accounts()['main.current']).toBe(atoms('1'));
    expect(lane.apply(complete()).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(lane.apply(complete('heir')).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.accounts('heir')['main.current']).toBe(atoms('1'));
  });
});

describe('a change of raffle rules', () => {
  it('binds with the next round: the running one keeps its price and prizes', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle()));
    lane.apply(contribution());
    const changed = {
      cost_per_ticket: '0.25',
      prize_distribution: [{ prize_percentage: '1', number_of_winners: 1 }],
      duration: { Minutes: 2 },
    };
    expect(lane.apply(setParameters(raffle(changed))).outcomes).toMatchObject([{ kind: 'Done' }]);
    lane.apply({ kind: 'RevealEpoch', instance: 'jackpot', epoch: 0, seed: seedOf('jackpot', 0) });
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ results: [{ tickets: 1 }] }]);
    lane.nowMs += minuteMs;
    const first = drive(lane).filter((event) => event.kind === 'RaffleWon');
    expect(first).toMatchObject([{ tickets: 2, winners: [{ amountAtoms: atoms('1') }] }]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ results: [{ tickets: 4 }] }]);
    lane.nowMs += minuteMs;
    expect(drive(lane).filter((event) => event.kind === 'RaffleWon')).toEqual([]);
    lane.nowMs += minuteMs;
    const second = drive(lane).filter((event) => event.kind === 'RaffleWon');
    expect(second).toMatchObject([{ round: 2, tickets: 4, winners: [{ amountAtoms: atoms('2') }] }]);
  });

  it('cannot make a jackpot of a raffle, nor the other way round', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle()));
    const other = { ...raffle(), jackpot_type: 'Jackpot', raffle_rules: {} };
    const { raffle_rules: _, ...jackpot } = other;
    expect(lane.apply(setParameters(jackpot)).outcomes).toMatchObject([{ code: 'config_invalid' }]);
    expect(
      lane.apply(
        setParameters({
          ...raffle(),
          pots: [...raffle().pots, { id: 'second', contribution: { Percentage: '0' } }],
        }),
      ).outcomes,
    ).toMatchObject([{ code: 'config_invalid' }]);
  });
});

describe('the pot of a raffle', () => {
  it('is fed like any other but never drawn by a contribution, nor triggered', () => {
    const lane = new TestLane();
    const pot_types = [
      { HitRate: { max_magic_number: 1, cost_per_attempt: '0.00000001' } },
      { External: {} },
    ];
    lane.apply(
      ...running(
        raffle(
          {},
          {},
          {
            pot_types,
            seed_contribution: { Percentage: '0.25' },
            seed_strategy: { fund_strategy: 'CollectAll' },
          },
        ),
      ),
    );
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ results: [{ win: null, tickets: 1 }] }]);
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('0.75'), 'main.seed': atoms('0.25') });
    const trigger = {
      kind: 'TriggerPot',
      instance: 'jackpot',
      pot: 'main',
      brand: 'op:main',
      player: 'p1',
      source: '',
      user: '',
      idempotencyKey: null,
    } as const;
    expect(lane.apply(trigger).outcomes).toMatchObject([{ code: 'trigger_not_supported' }]);
    lane.restart();
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ results: [{ win: null }] }]);
  });
});
