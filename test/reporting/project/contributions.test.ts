import { describe, expect, it } from 'vitest';
import type { Contribute } from '../../../src/messages/player-commands.ts';
import type { LaneBatch } from '../../../src/reporting/base/lane-batch.ts';
import {
  atoms,
  contribution,
  createInstance,
  openEpoch,
  running,
  setBrand,
  setRates,
  setStatus,
} from '../../jackpot/support/commands.ts';
import { onePot } from '../../jackpot/support/scenario.ts';
import { ProjectedLane } from '../support/booked-lane.ts';

const halves = { operator_contribution_percentage: '0.5' };
const playerPays = { operator_contribution_percentage: '0' };

function debitsOf({ rows }: LaneBatch) {
  return (rows.payments ?? []).filter(({ kind }) => kind === 'debit');
}

function paying(changes: Partial<Contribute> = {}): Contribute {
  return contribution({ wallet: true, contributionId: new Uint8Array(16).fill(1), ...changes });
}

function settled(transactionId: string, result: 'debited' | 'refused' | 'cancelled' = 'debited') {
  return { kind: 'DebitSettled', transactionId, result } as const;
}

describe('a contribution', () => {
  it('has its amounts in both currencies, where it came from, and what it posted', () => {
    const lane = new ProjectedLane();
    lane.apply(
      setRates([['USD', '2', null]]),
      ...running(onePot({ contribution: { Percentage: '0.75' } }, halves)),
    );
    const { rows, dailyTotals, players, movements } = lane.apply(
      contribution({
        currency: 'USD',
        baseWagerAtoms: atoms('10'),
        segments: ['vip'],
        idempotencyKey: new Uint8Array(16).fill(9),
        bonus: { id: 'b', amountAtoms: atoms('2'), currency: 'USD' },
        vertical: 'slots',
        origin: { gameCode: 'book', gameCategory: '', sourceType: '' },
      }),
    );
    expect(rows.contributions).toEqual([
      {
        lane: 0,
        sequence: 2,
        command_index: 0,
        part: 0,
        time: lane.nowMs,
        contribution_id: '00000000-0000-0000-0000-000000000000',
        is_link: false,
        made_sequence: 2,
        made_index: 0,
        operator: 'op',
        brand: 'op:main',
        player: 'p1',
        country: 'DE',
        instance: 'jackpot',
        instance_sequence: 1,
        epoch: 0,
        source: null,
        game_code: 'book',
        game_category: null,
        source_type: null,
        gameround: 'round',
        vertical: 'slots',
        provider: null,
        segments: ['vip'],
        key_hash: '09'.repeat(16),
        currency: 'USD',
        wager_amount: atoms('10'),
        request_amount: atoms('2'),
        debit_amount: atoms('1'),
        bonus_amount: atoms('1'),
        bonus_id: 'b',
        instance_currency: 'EUR',
        instance_wager_amount: atoms('5'),
        contribution_amount: atoms('1'),
        player_part: atoms('0.5'),
        operator_part: atoms('0.5'),
        rate_version: 1,
        tickets: 0,
        split: { player: '-0.5', operator_capital: '-0.5', house: '0.25', 'main.current': '0.75' },
        won_pot: null,
        won_amount: null,
      },
    ]);
    const of = { day: '2023-11-14', instance: 'jackpot', operator: 'op', brand: 'op:main', currency: 'EUR' };
    expect(dailyTotals).toEqual([
      {
        ...of,
        pot: '',
        measures: {
          contributions: 1n,
          wagered: atoms('5'),
          contributed: atoms('1'),
          player_part: atoms('0.5'),
          operator_part: atoms('0.5'),
          bonus: atoms('0.5'),
          house: atoms('0.25'),
        },
      },
      { ...of, pot: 'main', measures: { contributed: atoms('0.75') } },
    ]);
    expect(players).toEqual([
      {
        ...of,
        player: 'p1',
        contributions: 1,
        contributedAtoms: atoms('1'),
        playerAtoms: atoms('0.5'),
        wins: 0,
        wonAtoms: 0n,
      },
    ]);
    expect(new Map(movements.map(({ account, atoms: moved }) => [account, moved]))).toEqual(
      new Map([
        ['player', -atoms('0.5')],
        ['operator_capital', -atoms('0.5')],
        ['house', atoms('0.25')],
        ['main.current', atoms('0.75')],
      ]),
    );
  });

  it('has no row where it was refused, or is a repeat', () => {
    const lane = new ProjectedLane();
    lane.apply(...running(onePot()));
    const idempotencyKey = new Uint8Array(16).fill(3);
    lane.apply(contribution({ idempotencyKey }));
    const { rows, dailyTotals } = lane.apply(
      contribution({ idempotencyKey }),
      contribution({ currency: 'XXX' }),
      contribution({ target: { type: 'instance', id: 'elsewhere' } }),
    );
    expect(rows.contributions).toEqual([]);
    expect(dailyTotals).toEqual([]);
  });

  it('tells what of its inflow repaid the operator', () => {
    const lane = new ProjectedLane();
    const seed_strategy = { initial_seed_value: '0.4', min_reseed_value: '0' };
    lane.apply(...running(onePot({ contribution: { Percentage: '0.25' }, seed_strategy })));
    const [total] = lane.apply(contribution()).dailyTotals;
    const before = lane.booked.engine.describe('jackpot')!.house;
    expect(total!.measures.repaid ?? 0n).toBe(atoms('1') - atoms('0.25') - (total!.measures.house ?? 0n));
    expect(before.currentAtoms).toBe(total!.measures.house ?? 0n);
  });
});

describe('a contribution that waits for a debit', () => {
  function walletLane(): ProjectedLane {
    const lane = new ProjectedLane();
    lane.apply(setBrand({ wallet: true, provider: 'acme' }), ...running(onePot({}, playerPays)).slice(1));
    return lane;
  }

  it('is a payment first, and has its row where it is applied', () => {
    const lane = walletLane();
    const asked = lane.apply(contribution({ currency: 'XXX' }), paying({ player: 'p7' }));
    expect(asked.rows.contributions).toEqual([]);
    const [debit] = debitsOf(asked);
    expect(debit).toMatchObject({
      state: 'pending',
      player: 'p7',
      paid_amount: atoms('1'),
      provider: 'acme',
    });
    const { rows } = lane.apply(settled(debit!.transaction_id));
    expect(rows.contributions).toMatchObject([
      {
        sequence: 3,
        command_index: 0,
        made_sequence: 2,
        made_index: 1,
        player: 'p7',
        contribution_id: debit!.contribution_id,
        debit_amount: atoms('1'),
        player_part: atoms('1'),
        operator_part: 0n,
      },
    ]);
    expect(rows.payments).toMatchObject([{ state: 'debited' }, { state: 'applied', closed: lane.nowMs }]);
    expect(rows.payment_changes?.map(({ part, state_before, state }) => [part, state_before, state])).toEqual(
      [
        [0, 'pending', 'debited'],
        [1, 'debited', 'applied'],
      ],
    );
  });

  it.each([
    ['refused', 'refused'],
    ['cancelled', 'cancelled'],
  ] as const)('has no row where its debit was %s', (result, state) => {
    const lane = walletLane();
    const [debit] = debitsOf(lane.apply(paying()));
    const { rows, movements } = lane.apply(settled(debit!.transaction_id, result));
    expect(rows.contributions).toEqual([]);
    expect(rows.payments).toMatchObject([{ transaction_id: debit!.transaction_id, state }]);
    expect(movements).toEqual([]);
  });

  it('has each of its parts as a row, with ids of their own', () => {
    const lane = walletLane();
    lane.apply(
      createInstance(onePot({}, playerPays), { instance: 'linked' }),
      openEpoch('linked', 0, [0, 1, 2]),
      setStatus('Active', 'linked'),
      { kind: 'SetLinks', instance: 'jackpot', links: ['linked'], user: 'admin', expectedVersion: null },
    );
    const [main] = debitsOf(lane.apply(paying({ linked: true })));
    const first = lane.apply(settled(main!.transaction_id));
    expect(first.rows.contributions).toMatchObject([{ instance: 'jackpot', is_link: false }]);
    const [link] = debitsOf(first).filter(({ state }) => state === 'pending');
    const second = lane.apply(settled(link!.transaction_id));
    expect(second.rows.contributions).toMatchObject([
      { instance: 'linked', is_link: true, made_sequence: 3, contribution_id: link!.contribution_id },
    ]);
    expect(link!.contribution_id).not.toBe(main!.contribution_id);
  });

  it('is numbered among those that one command applies', () => {
    const lane = walletLane();
    const debits = debitsOf(
      lane.apply(
        paying({ player: 'a' }),
        paying({ player: 'b', contributionId: new Uint8Array(16).fill(2) }),
      ),
    );
    lane.apply(setStatus('Paused'));
    lane.apply(...debits.map(({ transaction_id }) => settled(transaction_id)));
    expect(lane.rows('contributions')).toEqual([]);
    lane.apply(setStatus('Active'));
    const { rows } = lane.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(
      rows.contributions?.map(({ player, command_index, part }) => [player, command_index, part]),
    ).toEqual([
      ['a', 0, 0],
      ['b', 0, 1],
    ]);
  });
});
