import { describe, expect, it } from 'vitest';
import type { SetStatus } from '../../../src/messages/instance-commands.ts';
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
import { startMs, TestLane } from '../support/lane.ts';
import { drive, minuteMs, raffle } from '../support/raffle.ts';
import { onePot, sureHit } from '../support/scenario.ts';

const tick = { kind: 'Tick', instance: 'jackpot' } as const;
const house = { house_pot: { contribution_type: { Percentage: '0.2' } } };
const pot = { contribution: { Percentage: '0.8' } };
const complete = (to = ''): SetStatus => ({ ...setStatus('Completed'), to });
const status = (lane: TestLane, instance = 'jackpot') => lane.engine.liveValues(instance)?.status;

/** A lane whose instance resolves with a contribution of 1 in it: 0.8 in the pot, 0.2 in the house. */
function resolving(): TestLane {
  const lane = new TestLane();
  lane.apply(
    setBrand(),
    createInstance(onePot(pot, {}, house), { timestampEndMs: startMs + 1000 }),
    openEpoch('jackpot', 0, [0, 1, 2]),
    setStatus('Active'),
  );
  lane.apply(contribution());
  lane.nowMs = startMs + 1000;
  lane.apply(tick);
  return lane;
}

function other(lane: TestLane, changes = {}, configuration = onePot({ maximum_pot_value: '0.5' })): void {
  lane.apply(
    createInstance(configuration, { instance: 'other', ...changes }),
    openEpoch('other', 0, [0, 1, 2]),
  );
}

describe('an instance resolves', () => {
  it('at timestamp_end, which is a deadline of the lane, Active or Paused', () => {
    for (const before of ['Active', 'Paused']) {
      const lane = new TestLane();
      const at = startMs + 1000;
      lane.apply(
        setBrand(),
        createInstance(onePot(), { timestampEndMs: at }),
        openEpoch('jackpot', 0, [0, 1, 2]),
        setStatus('Active'),
      );
      if (before === 'Paused') lane.apply(setStatus('Paused'));
      expect(lane.engine.nextDeadline()).toEqual({ atMs: at, instance: 'jackpot' });
      lane.apply(tick);
      expect(status(lane)).toBe(before);
      lane.nowMs = at;
      const { events } = lane.apply(tick);
      expect(events).toMatchObject([
        { kind: 'InstanceChanged' },
        { status: 'Resolving', reason: 'timestamp_end', counter: before === 'Active' ? 2 : 3 },
      ]);
      expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
    }
  });

  it('when the last cycle of every pot is over, from the next message on', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot({ pot_types: [sureHit] }, {}, { max_instantiation_count: 1 })));
    const { events } = lane.apply(contribution());
    expect(events.filter(({ kind }) => kind === 'StatusChanged')).toMatchObject([{ status: 'Resolving' }]);
    expect(lane.engine.describe('jackpot')?.pots).toMatchObject([{ enabled: false, instanceCount: 1 }]);
  });

  it.each(['Active', 'Paused', 'Cancelled', 'Switched', 'Pending', 'Resolving'])(
    'and does not go to %s by request',
    (to) => {
      const lane = resolving();
      expect(lane.apply(setStatus(to)).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
      expect(status(lane)).toBe('Resolving');
    },
  );

  it('never by request', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot()));
    expect(lane.apply(setStatus('Resolving')).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
  });
});

describe('an instance is completed', () => {
  it('by handing every balance to an instance of its group; both sides book transfer', () => {
    const lane = resolving();
    other(lane);
    expect(lane.apply(complete('other')).outcomes).toMatchObject([{ kind: 'Done', instance: 'jackpot' }]);
    expect(status(lane)).toBe('Completed');
    expect(lane.accounts()).toMatchObject({ 'main.current': 0n, house: 0n, transfer: atoms('1') });
    expect(lane.accounts('other')).toMatchObject({
      'main.current': atoms('0.5'),
      'main.overflow': atoms('0.3'),
      house: atoms('0.2'),
      transfer: -atoms('1'),
    });
    expect([lane.total(), lane.total('other')]).toEqual([0n, 0n]);
  });

  it('into one that runs: a receipt stands in its chain, and nothing of it is lost by a replay', () => {
    const lane = resolving();
    other(lane);
    lane.apply(setStatus('Active', 'other'));
    const details: { readonly type?: string; readonly other?: string | null }[] = [];
    lane.recorder = { group: (group) => void details.push(...(group.details as object[])) };
    lane.apply(complete('other'));
    expect(details).toMatchObject([
      { type: 'completion', other: 'other', accounts: { transfer: '100000000', house: '-20000000' } },
      { type: 'receipt', other: 'jackpot', accounts: { house: '20000000', 'main.overflow': '30000000' } },
    ]);
    expect(lane.replayed().liveValues('other')).toEqual(lane.engine.liveValues('other'));
  });

  it("without one only where no players' money is left; house and surplus are the operator's then", () => {
    const lane = resolving();
    expect(lane.apply(complete()).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    const won = new TestLane();
    const last = { ...house, max_instantiation_count: 1 };
    won.apply(...running(onePot({ ...pot, pot_types: [sureHit] }, {}, last)));
    won.apply(contribution());
    const capital = won.accounts().operator_capital!;
    expect(won.apply(complete()).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(won.accounts()).toMatchObject({ house: 0n, operator_capital: capital + atoms('0.2') });
    expect(won.total()).toBe(0n);
  });

  it('without one not while its diversion pool holds anything: that is neither house nor surplus', () => {
    const lane = new TestLane();
    const target = { External: { endpoint: 'https://other.example/pool', account_id: 'a-1' } };
    const diverting = {
      house_pot: {
        contribution_type: { Percentage: '0.2' },
        diversion_rules: { target, diversion_percentage: '0.5' },
      },
      max_instantiation_count: 1,
    };
    lane.apply(...running(onePot({ ...pot, pot_types: [sureHit] }, {}, diverting)));
    lane.apply(contribution());
    expect(lane.accounts()).toMatchObject({
      'main.current': 0n,
      house: atoms('0.1'),
      diversion: atoms('0.1'),
    });
    expect(lane.apply(complete()).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(status(lane)).toBe('Resolving');
  });

  it.each([
    ['an unknown instance', 'unknown', 'instance_not_found'],
    ['itself', 'jackpot', 'instance_not_found'],
    ['one of another group', 'far', 'group_mismatch'],
    ['one of another currency', 'dollars', 'currency_mismatch'],
    ['one that is over', 'cancelled', 'invalid_transition'],
  ])('not into %s', (_, to, code) => {
    const lane = resolving();
    lane.apply(
      createInstance(onePot(), { instance: 'far', group: 'op:far' }),
      createInstance(onePot({}, {}, { currency: 'USD' }), { instance: 'dollars' }),
      createInstance(onePot(), { instance: 'cancelled' }),
      setStatus('Cancelled', 'cancelled'),
    );
    const before = lane.accounts();
    expect(lane.apply(complete(to)).outcomes).toMatchObject([{ code }]);
    expect([status(lane), lane.accounts()]).toEqual(['Resolving', before]);
  });

  it('not before every win is paid', () => {
    const lane = new TestLane();
    const configuration = onePot({ pot_types: [sureHit] }, {}, { max_instantiation_count: 1 });
    lane.apply(...running(configuration));
    lane.apply(setBrand({ verificationLimitAtoms: 1n }));
    lane.apply(contribution());
    expect(status(lane)).toBe('Resolving');
    const [outcome] = lane.apply(complete()).outcomes;
    expect(outcome).toMatchObject({ code: 'invalid_transition', message: 'wins wait for their credits' });
  });

  it('and then is read, closed, and its last epoch is revealed', () => {
    const lane = resolving();
    other(lane);
    const { events } = lane.apply(complete('other'));
    expect(events.at(-1)).toMatchObject({ kind: 'EpochEnded', instance: 'jackpot' });
    expect(lane.engine.epochTasks().find(({ instance }) => instance === 'jackpot')).toMatchObject({
      open: null,
      reveal: [{ epoch: 0 }],
    });
    for (const to of ['Active', 'Paused', 'Resolving', 'Completed']) {
      expect(lane.apply(setStatus(to)).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    }
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
    expect(lane.engine.describe('jackpot')?.status).toBe('Completed');
    expect(lane.engine.nextDeadline()?.instance).not.toBe('jackpot');
  });
});

describe('an instance is cancelled', () => {
  it("while it is Pending, but not with other players' money in it", () => {
    const lane = resolving();
    other(lane);
    lane.apply(complete('other'));
    expect(lane.apply(setStatus('Cancelled', 'other')).outcomes).toMatchObject([
      { code: 'invalid_transition' },
    ]);
    lane.apply(createInstance(onePot(), { instance: 'empty' }));
    expect(lane.apply(setStatus('Cancelled', 'empty')).outcomes).toMatchObject([{ kind: 'Done' }]);
    const optIn = {
      kind: 'OptIn',
      instance: 'empty',
      brand,
      player: 'p1',
      country: '',
      optIn: true,
      valueAtoms: null,
      currency: '',
      linked: false,
      user: '',
    } as const;
    expect(lane.apply(optIn).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
  });
});

describe('a raffle that was paused when its round ended', () => {
  it('is drawn and Paused again, in the next round', () => {
    const lane = new TestLane();
    lane.apply(...running(raffle()));
    lane.apply(contribution(), contribution({ player: 'p2' }));
    lane.apply(setStatus('Paused'));
    lane.nowMs += minuteMs;
    const changes = drive(lane).filter((event) => event.kind === 'StatusChanged');
    expect(changes.map((event) => event.status)).toEqual(['Resolving', 'Active', 'Paused']);
    expect(lane.engine.winners('jackpot', '', '', 50)).toHaveLength(1);
  });
});
