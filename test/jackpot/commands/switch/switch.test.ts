import { describe, expect, it } from 'vitest';
import { atoms, brand, contribution, createInstance, openEpoch, setStatus } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { drive, raffle } from '../../support/raffle.ts';
import { onePot, sureHit } from '../../support/scenario.ts';
import { optIn, pair, switchModel } from '../../support/switching.ts';

const adjust = (account: 'current_value' | 'seed_value' | 'surplus_seed', target: string, pot = 'main') =>
  ({
    kind: 'AdjustPot',
    instance: 'jackpot',
    pot,
    account,
    targetAtoms: atoms(target),
    reason: 'test',
    user: 'admin',
    mayDecrease: true,
    idempotencyKey: null,
    expectedVersion: null,
  }) as const;

const twoPots = onePot(
  {},
  {},
  {
    pots: ['gold', 'silver'].map((id) => ({
      id,
      contribution: { Percentage: '0.5' },
      pot_types: [{ External: {} }],
    })),
  },
);

describe('a model switch', () => {
  it('moves each account by its fraction, the rest to the largest, house, diversion and deficit whole', () => {
    const lane = new TestLane();
    const diversion_rules = {
      target: { External: { endpoint: 'https://x.test', account_id: 'a' } },
      diversion_percentage: '0.5',
    };
    const house = { house_pot: { contribution_type: { Percentage: '0.5' }, diversion_rules } };
    const main = { contribution: { Percentage: '0.5' } };
    pair(lane, onePot(main, {}, house), twoPots);
    lane.apply(contribution());
    lane.apply(adjust('current_value', '0.00000010'), adjust('seed_value', '1'), adjust('surplus_seed', '2'));
    const rules = [
      {
        source: 'main',
        targets: [
          ['gold', '0.333333333'],
          ['silver', '0.666666667'],
        ],
      },
    ] as const;
    expect(lane.apply(switchModel({ rules })).outcomes).toMatchObject([
      { kind: 'Done', instance: 'jackpot' },
    ]);
    expect(lane.accounts('next')).toMatchObject({
      'gold.current': 3n,
      'silver.current': 7n,
      'gold.seed': 33_333_333n,
      'silver.seed': 66_666_667n,
      'gold.surplus': 66_666_666n,
      'silver.surplus': 133_333_334n,
      house: atoms('0.25'),
      diversion: atoms('0.25'),
    });
    const source = lane.accounts();
    for (const name of ['main.current', 'main.seed', 'main.surplus', 'house', 'diversion'])
      expect(source[name]).toBe(0n);
    expect([lane.total(), lane.total('next')]).toEqual([0n, 0n]);
    expect(lane.accounts('next').transfer).toBe(-(source.transfer ?? 0n));
    expect(lane.engine.describe('jackpot')).toMatchObject({ status: 'Switched', switchedTo: 'next' });
    expect(lane.engine.describe('next')?.status).toBe('Active');
  });

  it('takes over what the operator fronted, and its target posts no initial seeds', () => {
    const lane = new TestLane();
    const seeds = { seed_strategy: { initial_seed_value: '5', min_reseed_value: '5' } };
    pair(lane, onePot({ ...seeds, pot_types: [sureHit] }));
    lane.apply(contribution());
    expect(lane.engine.describe('jackpot')?.house.seedDeficitAtoms).toBe(atoms('5'));
    lane.apply(switchModel());
    expect(lane.engine.describe('next')?.house.seedDeficitAtoms).toBe(atoms('5'));
    expect(lane.engine.describe('jackpot')?.house.seedDeficitAtoms).toBe(0n);
    expect(lane.accounts('next')).toMatchObject({ 'main.current': atoms('5'), operator_capital: 0n });
    expect(lane.engine.describe('next')?.pots).toMatchObject([
      { initialCostAtoms: 0n, contributedAtoms: 0n },
    ]);
  });

  it('puts what stands above the cap of the target into its overflow', () => {
    const lane = new TestLane();
    pair(lane, onePot(), onePot({ maximum_pot_value: '3' }));
    lane.apply(adjust('current_value', '10'));
    lane.apply(switchModel());
    expect(lane.accounts('next')).toMatchObject({ 'main.current': atoms('3'), 'main.overflow': atoms('7') });
  });

  it('re-points bindings with their priorities, and links', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(
      createInstance(onePot(), { instance: 'other' }),
      openEpoch('other', 0, [0, 1, 2]),
      setStatus('Active', 'other'),
    );
    const bind = { kind: 'Bind', of: 'source', owner: 'op', priority: null } as const;
    const links = { kind: 'SetLinks', user: '', expectedVersion: null } as const;
    lane.apply(
      { ...bind, ids: ['slot-1', 'slot-2'], instance: 'other' },
      { ...bind, ids: ['slot-1', 'slot-2'], instance: 'jackpot' },
      { ...bind, ids: ['slot-2'], instance: 'next' },
      { ...links, instance: 'other', links: ['jackpot'] },
      { ...links, instance: 'jackpot', links: ['other'] },
    );
    lane.apply(switchModel());
    const lists = new Map([...lane.engine.bindings()].map((each) => [each.id, each.bindings]));
    expect(lists.get('slot-1')).toEqual([
      { instance: 'other', priority: 0 },
      { instance: 'next', priority: 1 },
    ]);
    expect(lists.get('slot-2')).toEqual([
      { instance: 'other', priority: 0 },
      { instance: 'next', priority: 2 },
    ]);
    expect(lane.engine.describe('other')?.links).toEqual(['next']);
    expect(lane.engine.describe('next')?.links).toEqual(['other']);
  });

  it('copies opt-ins with their preferences if asked, and keeps those that the target has', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(
      optIn('p1', { valueAtoms: atoms('1') }),
      optIn('p2'),
      optIn('p3', { optIn: false }),
      optIn('p2', { instance: 'next', optIn: false }),
    );
    lane.apply(contribution({ player: 'p4' }));
    lane.apply(switchModel({ transferOptIns: true }));
    const status = (player: string) => lane.engine.optInStatus('next', brand, player);
    expect(status('p1')).toMatchObject({
      optedIn: true,
      preferences: [['EUR', atoms('1')]],
      contributionCount: 0,
    });
    expect([status('p2')?.optedIn, status('p3')?.optedIn]).toEqual([false, false]);
    expect(lane.engine.optIns('next', null, 0, 100)).toHaveLength(3);
  });

  it('moves many bindings and links at once, and tells of them in steps', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    const ids = Array.from({ length: 1200 }, (_, i) => `slot-${i}`);
    const bind = { kind: 'Bind', of: 'source', owner: 'op', instance: 'jackpot', priority: null } as const;
    lane.apply({ ...bind, ids });
    const linking = Array.from({ length: 30 }, (_, i) => `linking-${i}`);
    for (const instance of linking) {
      const links = {
        kind: 'SetLinks',
        instance,
        links: ['jackpot'],
        user: '',
        expectedVersion: null,
      } as const;
      lane.apply(createInstance(onePot(), { instance }), links);
    }
    const events = [...lane.apply(switchModel()).events];
    expect([...lane.engine.bindings()].every(({ bindings }) => bindings[0]?.instance === 'next')).toBe(true);
    expect(linking.map((id) => lane.engine.describe(id)?.links)).toEqual(linking.map(() => ['next']));
    const announced = (kind: string) => events.filter((event) => event.kind === kind).length;
    expect(announced('BindingsChanged')).toBeLessThan(600);
    events.push(...drive(lane));
    expect(announced('BindingsChanged')).toBe(1200);
    const changed = events.flatMap((event) => (event.kind === 'InstanceChanged' ? [event.instance] : []));
    expect(changed.filter(({ links }) => links[0] === 'next')).toHaveLength(30);
    expect(lane.engine.jobs()).toEqual([]);
    expect(Buffer.concat([...lane.replayed().snapshot()])).toEqual(
      Buffer.concat([...lane.engine.snapshot()]),
    );
  });

  it('ends the epoch of the source, so that it is revealed, and its record stands in the chain', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(contribution());
    const details: unknown[] = [];
    lane.recorder = { group: (group) => void details.push(...group.details) };
    const { events } = lane.apply(switchModel());
    expect(events).toMatchObject([
      { kind: 'InstanceChanged' },
      { kind: 'StatusChanged', status: 'Switched', reason: 'a better model' },
      { kind: 'EpochStarted', instance: 'next', epoch: 0 },
      { kind: 'InstanceChanged', instance: { instance: 'next', status: 'Active' } },
      { kind: 'StatusChanged', instance: 'next', status: 'Active', reason: 'a better model' },
      { kind: 'EpochEnded', fromSequence: 1, toSequence: 2 },
    ]);
    expect(details).toEqual([
      {
        type: 'switch',
        seq: 2,
        other: 'next',
        accounts: { transfer: '100000000', 'main.current': '-100000000' },
        accumulated_seed_deficit: '0',
      },
    ]);
    expect(lane.engine.epochTasks()).toMatchObject([
      { instance: 'jackpot', open: null, reveal: [{ epoch: 0 }] },
    ]);
  });

  it('leaves the source readable and closed; an old key is still answered, sources lead to the target', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    const idempotencyKey = new Uint8Array(16).fill(9);
    lane.apply({
      kind: 'Bind',
      of: 'source',
      owner: 'op',
      ids: ['slot-1'],
      instance: 'jackpot',
      priority: null,
    });
    const first = contribution({ idempotencyKey });
    lane.apply(first);
    const { sequence } = lane.apply(switchModel());
    expect(lane.apply(first).outcomes).toEqual([{ kind: 'Duplicate', sequence: sequence - 1, index: 0 }]);
    expect(lane.apply(contribution()).outcomes).toMatchObject([{ code: 'instance_not_active' }]);
    const bySource = contribution({ target: { type: 'source', id: 'slot-1' } });
    expect(lane.apply(bySource).outcomes).toMatchObject([{ results: [{ instance: 'next' }] }]);
    expect(lane.apply(setStatus('Active')).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
  });
});

describe('a model switch is refused', () => {
  const refusal = (lane: TestLane, changes = {}) => lane.apply(switchModel(changes)).outcomes[0];
  const rule = (...targets: readonly (readonly [string, string])[]) => ({
    rules: [{ source: 'main', targets }],
  });

  it.each([
    ['without the source', { instance: 'unknown' }, 'instance_not_found'],
    ['without the target', { target: 'unknown' }, 'instance_not_found'],
    ['to itself', { target: 'jackpot' }, 'invalid_transition'],
    ['with a pot left out', { rules: [] }, 'transfer_rules_invalid'],
    [
      'with an unknown source pot',
      { rules: [{ source: 'x', targets: [['main', '1']] }] },
      'transfer_rules_invalid',
    ],
    ['with an unknown target pot', rule(['x', '1']), 'transfer_rules_invalid'],
    ['with less than everything', rule(['main', '0.999999999']), 'transfer_rules_invalid'],
    ['with more than everything', rule(['main', '1.1']), 'transfer_rules_invalid'],
    ['with a malformed fraction', rule(['main', '1.0000000001']), 'transfer_rules_invalid'],
    ['with no targets', rule(), 'transfer_rules_invalid'],
    ['with a pot that stands twice', rule(['main', '0.5'], ['main', '0.5']), 'transfer_rules_invalid'],
    ['of another version', { expectedVersion: 1 }, 'version_conflict'],
  ])('%s', (_, changes, code) => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(contribution());
    const before = [lane.accounts(), lane.accounts('next')];
    expect(refusal(lane, changes)).toMatchObject({ kind: 'Refused', code });
    expect([lane.accounts(), lane.accounts('next')]).toEqual(before);
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Active');
  });

  it('across groups, currencies and kinds', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(
      createInstance(onePot(), { instance: 'far', group: 'op:far' }),
      createInstance(onePot({}, {}, { currency: 'USD' }), { instance: 'dollars' }),
      createInstance(raffle(), { instance: 'raffle' }),
    );
    expect(refusal(lane, { target: 'far' })).toMatchObject({ code: 'group_mismatch' });
    expect(refusal(lane, { target: 'dollars' })).toMatchObject({ code: 'currency_mismatch' });
    expect(refusal(lane, { target: 'raffle' })).toMatchObject({ code: 'config_invalid' });
  });

  it('from an instance that has not begun, to one that has, and to the target of another switch', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(createInstance(onePot(), { instance: 'third' }), openEpoch('third', 0, [0, 1, 2]));
    expect(refusal(lane, { instance: 'next', target: 'third' })).toMatchObject({
      code: 'invalid_transition',
    });
    lane.apply(setStatus('Active', 'third'));
    expect(refusal(lane, { target: 'third' })).toMatchObject({ code: 'invalid_transition' });
    lane.apply(switchModel());
    expect(refusal(lane, { instance: 'third' })).toMatchObject({ code: 'invalid_transition' });
    expect(refusal(lane, { target: 'third' })).toMatchObject({ code: 'invalid_transition' });
  });

  it('to a target that could not go on', () => {
    const lane = new TestLane();
    pair(lane, onePot());
    lane.apply(
      createInstance(onePot(), { instance: 'over', timestampEndMs: lane.nowMs + 9 }),
      createInstance(onePot({ enabled: false }), { instance: 'closed' }),
    );
    lane.nowMs += 9;
    expect(refusal(lane, { target: 'over' })).toMatchObject({ code: 'invalid_transition' });
    expect(refusal(lane, { target: 'closed' })).toMatchObject({ code: 'invalid_transition' });
  });

  it('where odds per unit get worse, unless an administrator wants that', () => {
    const rate = (max_magic_number: number) =>
      onePot({ pot_types: [{ HitRate: { max_magic_number, cost_per_attempt: '1' } }] });
    const lane = new TestLane();
    pair(lane, rate(1000), rate(1001));
    const [outcome] = lane.apply(switchModel()).outcomes;
    expect(outcome).toMatchObject({ code: 'config_invalid' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('once in 1001'));
    expect(refusal(lane, { override: true })).toMatchObject({ kind: 'Done' });
  });

  it('where a must-drop pot would be full at once, unless an administrator wants that', () => {
    const mustDrop = onePot({ pot_types: [{ Threshold: { min_value: '1', max_value: '5' } }] });
    const lane = new TestLane();
    pair(lane, onePot(), mustDrop);
    lane.apply(adjust('current_value', '5'));
    expect(refusal(lane)).toMatchObject({ code: 'config_invalid' });
    lane.apply(adjust('current_value', '4.99999999'));
    expect(refusal(lane)).toMatchObject({ kind: 'Done' });
  });
});
