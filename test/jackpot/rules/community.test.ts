import { describe, expect, it } from 'vitest';
import type { Command } from '../../../src/messages/commands.ts';
import type { WonEvent } from '../../../src/messages/events.ts';
import type { TriggerPot } from '../../../src/messages/instance-commands.ts';
import type { OptIn } from '../../../src/messages/player-commands.ts';
import { atoms, contribution, running, setBrand, setRates } from '../support/commands.ts';
import { Records } from '../support/entries.ts';
import { TestLane } from '../support/lane.ts';
import { onePot } from '../support/scenario.ts';

type Rule = readonly [kind: string, payout_percentage: string, parameters: object];

const wagered = { contribution_type: { Percentage: '1' } };

function laneOf(main: string, ...payouts: readonly Rule[]) {
  const payout_rules = payouts.map(([kind, payout_percentage, parameters]) => ({
    payout_percentage,
    rule: { [kind]: parameters },
  }));
  const lane = new TestLane();
  const payout_ruleset = { main_winner_percentage: main, payout_rules };
  lane.apply(setRates([['JPY', '160', null]]), ...running(onePot({ payout_ruleset }, wagered)));
  return { lane, records: new Records(lane) };
}

function give(player: string, amount: string, currency = 'EUR'): Command {
  return contribution({ player, baseWagerAtoms: atoms(amount), currency });
}

/** A30 for a player; who got what. */
function win(lane: TestLane, player: string): readonly (readonly [player: string, amount: bigint])[] {
  const events = lane.apply({ ...trigger, player }).events as readonly WonEvent[];
  const { winner, community } = events[0]!;
  expect(lane.total()).toBe(0n);
  return [winner, ...community].map((share) => [share.player, share.amountAtoms] as const);
}

describe('HighestContributors', () => {
  const top2: Rule = ['HighestContributors', '0.2', { max_number_of_payouts: 2 }];

  it('shares equally between the highest of the cycle; ties go to who contributed first', () => {
    const { lane, records } = laneOf('0.8', top2);
    lane.apply(give('a', '3'), give('b', '5'), give('c', '3'), give('b', '1'));
    expect(win(lane, 'c')).toEqual([
      ['c', atoms('9.6')],
      ['b', atoms('1.2')],
      ['a', atoms('1.2')],
    ]);
    expect(records.details[0].payouts).toMatchObject([
      { rule: 'HighestContributors', amount: '240000000', candidates: 3, picked: [1, 0], share: '120000000' },
    ]);
    expect(records.details[0].payouts[0].paid).toHaveLength(2);
  });

  it('counts the cycle only, the lifetime rule everything', () => {
    const { lane } = laneOf('0.8', top2, ['HighestLifetimeContributors', '0', { max_number_of_payouts: 1 }]);
    lane.apply(give('a', '50'), give('b', '1'));
    win(lane, 'b');
    lane.apply(give('b', '2'), give('c', '3'));
    expect(win(lane, 'x')).toEqual([
      ['x', atoms('4')],
      ['c', atoms('0.5')],
      ['b', atoms('0.5')],
    ]);
  });

  it('counts the winning contribution, also of a player whom the instance has not met', () => {
    const pot_types = [{ Threshold: { min_value: '10', max_value: '20' } }];
    const payout_ruleset = {
      main_winner_percentage: '0.5',
      payout_rules: [
        { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 1 } } },
      ],
    };
    const lane = new TestLane();
    lane.apply(...running(onePot({ pot_types, payout_ruleset }, wagered)));
    lane.apply(give('a', '9'));
    const [event] = lane.apply(give('b', '11')).events as readonly WonEvent[];
    expect(event!.community).toMatchObject([{ player: 'b', amountAtoms: atoms('10') }]);
    expect(lane.engine.winners('jackpot', '', '', 9)).toHaveLength(2);
  });

  it('adds the winning contribution to what the player gave before', () => {
    const pot_types = [{ Threshold: { min_value: '15', max_value: '20' } }];
    const payout_rules = [
      { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 1 } } },
    ];
    const payout_ruleset = { main_winner_percentage: '0.5', payout_rules };
    const lane = new TestLane();
    lane.apply(...running(onePot({ pot_types, payout_ruleset }, wagered)));
    lane.apply(give('b', '6'), give('a', '7'));
    const [event] = lane.apply(give('b', '7')).events as readonly WonEvent[];
    expect(event!.community).toMatchObject([{ player: 'b', amountAtoms: atoms('10') }]);
  });
});

describe('HighestLifetimeContributors', () => {
  it('remembers earlier cycles', () => {
    const { lane } = laneOf('0.5', ['HighestLifetimeContributors', '0.5', { max_number_of_payouts: 1 }]);
    lane.apply(give('a', '50'));
    win(lane, 'a');
    lane.apply(give('b', '2'));
    expect(win(lane, 'b')).toEqual([
      ['b', atoms('1')],
      ['a', atoms('1')],
    ]);
  });
});

describe('ActivePlayers', () => {
  const active = (period_before_win: number, max = 10): Rule => [
    'ActivePlayers',
    '0.1',
    { period_before_win, max_number_of_payouts: max },
  ];

  it('takes who contributed later than the period before the win, the winner left out', () => {
    const { lane, records } = laneOf('0.9', active(10));
    lane.apply(give('early', '4'));
    const first = lane.nowMs;
    lane.apply(give('inside', '5'), give('winner', '1'));
    lane.nowMs = first + 9;
    expect(win(lane, 'winner')).toEqual([
      ['winner', atoms('9')],
      ['inside', atoms('1')],
    ]);
    expect(records.details[0].payouts).toMatchObject([{ candidates: 1, picked: [0] }]);
  });

  it('gives the part to the main winner where nobody is left', () => {
    const { lane } = laneOf('0.9', active(1000));
    lane.apply(give('only', '10'));
    expect(win(lane, 'only')).toEqual([['only', atoms('10')]]);
  });

  it('draws among candidates in the order of their first contributions, whenever they opted in', () => {
    const { lane, records } = laneOf('0.9', active(1000, 2));
    lane.apply(optIn('late'), give('a', '1'), give('b', '1'), give('late', '1'));
    lane.apply(give('c', '1'), give('d', '1'));
    const paid = win(lane, 'd').slice(1);
    const { payouts } = records.details[0];
    expect(payouts[0].candidates).toBe(4);
    const order = ['a', 'b', 'late', 'c'];
    expect(paid.map(([player]) => player)).toEqual(payouts[0].picked.map((place: number) => order[place]));
    expect(new Set(payouts[0].picked).size).toBe(2);
  });

  it('picks each candidate equally often', () => {
    const { lane } = laneOf('0.9', active(1_000_000, 1));
    const players = ['a', 'b', 'c', 'd', 'e'];
    const counts = new Map<string, number>();
    for (let i = 0; i < 1000; i++) {
      lane.apply(...players.map((player) => give(player, '1')));
      const [, [picked] = ['']] = win(lane, 'x');
      counts.set(picked, (counts.get(picked) ?? 0) + 1);
    }
    const chiSquare = players.reduce((sum, each) => sum + ((counts.get(each) ?? 0) - 200) ** 2 / 200, 0);
    // 99 % with four degrees of freedom.
    expect(chiSquare).toBeLessThan(13.277);
  });
});

describe('a shared win', () => {
  const three: Rule = ['HighestContributors', '0.1', { max_number_of_payouts: 3 }];

  it('leaves what cannot be divided to the main winner, before its flooring', () => {
    const { lane } = laneOf('0.8', three);
    lane.apply(give('a', '4'), give('b', '3'), give('c', '3'));
    expect(win(lane, 'x')).toEqual([
      ['x', atoms('8.01')],
      ['a', atoms('0.33')],
      ['b', atoms('0.33')],
      ['c', atoms('0.33')],
    ]);
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('1') });
  });

  it('joins what is left below a minor unit to that of the main win', () => {
    const { lane } = laneOf('0.5', ['HighestContributors', '0.1', { max_number_of_payouts: 2 }]);
    lane.apply(give('a', '6'), give('b', '4.05'));
    // 5.025 and the 0.005 that two shares of 0.50 leave of 1.005.
    expect(win(lane, 'x')).toEqual([
      ['x', atoms('5.03')],
      ['a', atoms('0.5')],
      ['b', atoms('0.5')],
    ]);
  });

  it('with shares below a minor unit goes to the main winner', () => {
    const { lane, records } = laneOf('0.9', three);
    lane.apply(give('a', '0.1'), give('b', '0.05'), give('c', '0.05'));
    expect(win(lane, 'x')).toEqual([['x', atoms('0.2')]]);
    expect(records.details[0].payouts).toMatchObject([{ picked: [0, 1, 2], share: '0', paid: [] }]);
  });

  it('pays each player in the currency of the last contribution', () => {
    const { lane } = laneOf('0.9', ['HighestContributors', '0.1', { max_number_of_payouts: 1 }]);
    lane.apply(give('a', '100', 'JPY'), give('a', '1500', 'JPY'));
    lane.apply(give('b', '0.05'));
    const [event] = lane.apply({ ...trigger, player: 'b' }).events as readonly WonEvent[];
    // A tenth of 10.05 is 1.00 euro in whole cents; 1.00 euro are 160 yen.
    expect(event!.community).toMatchObject([
      { player: 'a', amountAtoms: atoms('1'), paidAtoms: atoms('160'), paidCurrency: 'JPY' },
    ]);
    expect(event!.winner).toMatchObject({ paidCurrency: 'EUR' });
    expect(lane.total()).toBe(0n);
  });

  it('takes a fee for the operator from the value', () => {
    const lane = new TestLane();
    const payout_ruleset = {
      main_winner_percentage: '0.7',
      admin_fee: '0.123',
      payout_rules: [
        { payout_percentage: '0.1', rule: { HighestContributors: { max_number_of_payouts: 5 } } },
      ],
    };
    lane.apply(...running(onePot({ payout_ruleset }, wagered)));
    lane.apply(give('a', '9'));
    win(lane, 'b');
    expect(lane.accounts()).toMatchObject({
      operator_fee: atoms('1.107'),
      player: atoms('7.2'),
      'main.current': atoms('0.693'),
    });
  });

  it('may pay a player by several rules; records of the main win come first', () => {
    const rule: Rule = ['HighestContributors', '0.1', { max_number_of_payouts: 1 }];
    const { lane } = laneOf('0.8', rule, rule);
    lane.apply(give('a', '10'));
    expect(win(lane, 'b')).toEqual([
      ['b', atoms('8')],
      ['a', atoms('1')],
      ['a', atoms('1')],
    ]);
    const players = lane.engine.winners('jackpot', '', '', 9)!.map(({ player }) => player);
    expect(players).toEqual(['b', 'a', 'a']);
    lane.restart();
    expect(lane.engine.winners('jackpot', '', '', 9)!.map(({ player }) => player)).toEqual(players);
  });
});

describe('records of winners', () => {
  it('name the main winner before those who share, also of other brands', () => {
    const { lane } = laneOf('0.9', ['HighestLifetimeContributors', '0.1', { max_number_of_payouts: 1 }]);
    lane.apply(setBrand({ brand: 'op:second' }));
    const second = { brand: 'op:second', player: 'other' };
    lane.apply(contribution({ ...second, baseWagerAtoms: atoms('10') }));
    lane.apply({ ...trigger, ...second });
    lane.apply(give('a', '1'));
    win(lane, 'a');
    const names = () => lane.engine.winners('jackpot', '', '', 2)!.map(({ player }) => player);
    expect(names()).toEqual(['a', 'other']);
    lane.restart();
    expect(names()).toEqual(['a', 'other']);
  });
});

describe('rates of community shares', () => {
  const second = { brand: 'op:second', player: 'other' };
  const shared: Rule = ['HighestLifetimeContributors', '0.1', { max_number_of_payouts: 1 }];

  function paidAcrossBrands(...rates: readonly Command[]) {
    const { lane } = laneOf('0.9', shared);
    lane.apply(setBrand({ brand: 'op:second' }), ...rates);
    lane.apply(contribution({ ...second, baseWagerAtoms: atoms('1600'), currency: 'JPY' }));
    const [won] = lane.apply(trigger).events as readonly WonEvent[];
    expect(lane.total()).toBe(0n);
    return { version: won!.rateVersion, share: won!.community[0]! };
  }

  it('given brands with rates of their own, when a player of another brand shares, then by the rates of the win', () => {
    const own = setRates([['JPY', '200', null]], { version: 2, brand: 'op:main' });
    const others = setRates([['JPY', '160', null]], { version: 3, brand: 'op:second' });
    const { version, share } = paidAcrossBrands(own, others);
    expect(version).toBe(2);
    expect(share).toMatchObject({ amountAtoms: atoms('1'), paidCurrency: 'JPY', paidAtoms: atoms('200') });
  });

  it('given a win whose rates lack the currency, when its player shares, then by the rates of the own brand', () => {
    const own = setRates([['USD', '1.1', null]], { version: 2, brand: 'op:main' });
    const others = setRates([['JPY', '160', null]], { version: 3, brand: 'op:second' });
    const { share } = paidAcrossBrands(own, others);
    expect(share).toMatchObject({ amountAtoms: atoms('1'), paidCurrency: 'JPY', paidAtoms: atoms('160') });
  });
});

function optIn(player: string): OptIn {
  return {
    kind: 'OptIn',
    instance: 'jackpot',
    brand: 'op:main',
    player,
    country: 'DE',
    optIn: true,
    valueAtoms: null,
    currency: 'EUR',
    linked: false,
    user: '',
  };
}

const trigger: TriggerPot = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'x',
  source: 's',
  user: 'u',
  idempotencyKey: null,
};
