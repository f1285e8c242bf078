import { describe, expect, it } from 'vitest';
import { atoms, contribution, running, setRates } from '../support/commands.ts';
import { TestLane } from '../support/lane.ts';
import { onePot, sureHit } from '../support/scenario.ts';

const seeds = { initial_seed_value: '10', min_reseed_value: '10' };

describe('a win', () => {
  it('pays the pot, reseeds it and begins its next cycle', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot({ pot_types: [sureHit], seed_strategy: seeds })));
    const outcome = lane.apply(contribution({ gameround: 'r1', eventMetadata: '{"a":1}' }));
    expect(outcome.outcomes).toMatchObject([
      {
        results: [
          { sequence: 1, win: { pot: 'main', amountAtoms: atoms('11'), currency: 'EUR', withheld: false } },
        ],
      },
    ]);
    expect(outcome.events).toMatchObject([
      {
        kind: 'Won',
        counter: 2,
        sequence: 1,
        gameround: 'r1',
        instanceCount: 1,
        winner: {
          brand: 'op:main',
          player: 'p1',
          amountAtoms: atoms('11'),
          paidAtoms: atoms('11'),
          paidCurrency: 'EUR',
        },
        seedAtoms: atoms('10'),
        seedDeficitAtoms: atoms('10'),
        external: false,
        eventMetadata: '{"a":1}',
      },
    ]);
    expect(lane.engine.liveValues('jackpot')?.pots).toMatchObject([
      { pot: 'main', currentAtoms: atoms('10'), instanceCount: 2, enabled: true },
    ]);
    expect(lane.engine.winners('jackpot', '', '', 10)).toMatchObject([
      { pot: 'main', player: 'p1', sequence: 1 },
    ]);
  });

  it('gives the second hit of one message the reseeded pot', () => {
    const lane = new TestLane();
    lane.apply(...running(onePot({ pot_types: [sureHit], seed_strategy: seeds })));
    lane.apply(contribution({ player: 'p0' }));
    const { outcomes } = lane.apply(contribution({ player: 'p1' }), contribution({ player: 'p2' }));
    expect(outcomes).toMatchObject([
      { results: [{ sequence: 2, win: { amountAtoms: atoms('11') } }] },
      { results: [{ sequence: 3, win: { amountAtoms: atoms('11') } }] },
    ]);
  });

  it.each([
    ['Lowest', 'b'],
    ['Highest', 'c'],
    ['First', 'a'],
  ])('of several pots is the one that %s selects', (win_selector_strategy, pot) => {
    const shares = { a: '0.3', b: '0.2', c: '0.5' };
    const pots = Object.entries(shares).map(([id, Percentage]) => ({
      id,
      contribution: { Percentage },
      pot_types: [sureHit],
    }));
    const lane = new TestLane();
    lane.apply(...running(onePot({}, {}, { win_selector_strategy, pots })));
    const { outcomes } = lane.apply(contribution());
    expect(outcomes).toMatchObject([{ results: [{ win: { pot } }] }]);
    const kept = lane.engine.liveValues('jackpot')!.pots.filter((each) => each.instanceCount === 1);
    expect(kept.map((each) => each.pot)).toEqual(['a', 'b', 'c'].filter((each) => each !== pot));
  });

  it('pays shares, fee and carry; the residue below a cent opens the next cycle', () => {
    const lane = new TestLane();
    const payout_ruleset = { main_winner_percentage: '0.333333333', admin_fee: '0.1' };
    lane.apply(...running(onePot({ pot_types: [sureHit], payout_ruleset })));
    lane.apply(contribution());
    expect(lane.accounts()).toMatchObject({
      player: atoms('0.33'),
      operator_fee: atoms('0.1'),
      'main.current': atoms('0.57'),
      'main.carry': 0n,
    });
    expect(lane.total()).toBe(0n);
  });

  it('is paid in the currency of the player, floored; what conversion leaves goes to fx', () => {
    const lane = new TestLane();
    lane.apply(
      setRates([['JPY', '163.27', null]]),
      ...running(onePot({ pot_types: [sureHit], seed_strategy: seeds })),
    );
    const { events } = lane.apply(contribution({ currency: 'JPY' }));
    // 11 euro are 1795.97 yen; 1795 yen are 10.99405892… euro.
    expect(events).toMatchObject([
      { winner: { paidAtoms: atoms('1795'), paidCurrency: 'JPY' }, rateVersion: 1 },
    ]);
    const { fx, player } = lane.accounts();
    expect(fx! + player!).toBe(atoms('11'));
    expect(fx).toBeGreaterThan(0n);
  });

  it('over the limit of the brand is withheld: it stays a liability', () => {
    const lane = new TestLane();
    const [brand, ...rest] = running(onePot({ pot_types: [sureHit], seed_strategy: seeds }));
    lane.apply({ ...brand, verificationLimitAtoms: atoms('10.99') } as typeof brand & object, ...rest);
    const { outcomes } = lane.apply(contribution());
    expect(outcomes).toMatchObject([{ results: [{ win: { withheld: true } }] }]);
    expect(lane.accounts().win_liability).toBe(atoms('11'));
  });

  it('of the last cycle reseeds nothing; with all pots over the instance resolves', () => {
    const lane = new TestLane();
    lane.apply(
      ...running(onePot({ pot_types: [sureHit], seed_strategy: seeds }, {}, { max_instantiation_count: 1 })),
    );
    const outcome = lane.apply(contribution(), contribution());
    expect(outcome.outcomes).toMatchObject([{ results: [{ win: {} }] }, { code: 'instance_not_active' }]);
    expect(lane.engine.liveValues('jackpot')).toMatchObject({
      status: 'Resolving',
      pots: [{ currentAtoms: 0n, instanceCount: 1, enabled: false }],
    });
  });
});
