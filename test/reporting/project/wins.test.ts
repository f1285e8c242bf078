import { describe, expect, it } from 'vitest';
import { atoms, contribution, running, setBrand } from '../../jackpot/support/commands.ts';
import { minuteMs, raffle } from '../../jackpot/support/raffle.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { ProjectedLane } from '../support/booked-lane.ts';

const trigger = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'p9',
  source: '',
  user: 'admin',
  idempotencyKey: null,
} as const;

const seed_strategy = { initial_seed_value: '0', min_reseed_value: '0.25', reseed_strategy: 'Minimum' };

describe('a win', () => {
  it('is a row, a posting, and in the totals of its instance and pot', () => {
    const lane = new ProjectedLane();
    const payout_ruleset = { main_winner_percentage: '0.9', admin_fee: '0.1' };
    lane.apply(...running(onePot({ pot_types: [sureHit], payout_ruleset, seed_strategy })));
    const { rows, dailyTotals } = lane.apply(contribution());
    expect(rows.contributions).toMatchObject([{ won_pot: 'main', won_amount: atoms('0.9') }]);
    expect(rows.wins).toMatchObject([
      {
        ...{ command_index: 0, part: 0, kind: 'main', instance: 'jackpot', pot: 'main', cycle: 1, epoch: 0 },
        ...{ player: 'p1', amount: atoms('0.9'), paid_amount: atoms('0.9'), paid_currency: 'EUR' },
        ...{ is_withheld: false, contribution_id: rows.contributions![0]!.contribution_id },
      },
    ]);
    expect(rows.entries).toMatchObject([
      {
        phase: 'win',
        kind: 'Contribute',
        split: { player: '0.9', operator_fee: '0.1', operator_capital: '-0.25', 'main.current': '-0.75' },
      },
    ]);
    expect(rows.payments).toEqual([]);
    const paid = { wins: 1n, won: atoms('0.9'), fees: atoms('0.1'), seed_fronted: atoms('0.25') };
    expect(dailyTotals).toMatchObject([
      { pot: '', measures: { contributions: 1n, contributed: atoms('1'), ...paid } },
      { pot: 'main', measures: { contributed: atoms('1'), ...paid } },
    ]);
  });

  it('of several players is a row for each of them', () => {
    const lane = new ProjectedLane();
    const payout_rules = [
      { payout_percentage: '0.5', rule: { HighestContributors: { max_number_of_payouts: 2 } } },
    ];
    const payout_ruleset = { main_winner_percentage: '0.5', payout_rules };
    lane.apply(...running(onePot({ payout_ruleset, pot_types: [{ External: {} }] })));
    lane.apply(contribution({ player: 'a' }), contribution({ player: 'b' }));
    const { rows, dailyTotals } = lane.apply(trigger);
    expect(rows.wins?.map(({ kind, player, part, amount }) => [kind, player, part, amount])).toEqual([
      ['external', 'p9', 0, atoms('1')],
      ['community', 'a', 1, atoms('0.5')],
      ['community', 'b', 2, atoms('0.5')],
    ]);
    expect(new Set(rows.wins?.map(({ transaction_id }) => transaction_id)).size).toBe(3);
    expect(dailyTotals).toMatchObject([
      { pot: '', measures: { wins: 3n, won: atoms('2'), community: atoms('1') } },
      { pot: 'main', measures: { wins: 3n, won: atoms('2'), community: atoms('1') } },
    ]);
  });

  it('by hand says who triggered it', () => {
    const lane = new ProjectedLane();
    lane.apply(...running(onePot()));
    lane.apply(contribution());
    const { rows } = lane.apply(contribution({ currency: 'XXX' }), trigger);
    expect(rows.wins).toMatchObject([{ command_index: 1, kind: 'external', contribution_id: null }]);
    expect(rows.entries).toMatchObject([{ kind: 'TriggerPot', phase: 'win', changed_by: 'admin' }]);
  });

  it('that is withheld is a payment that a person releases', () => {
    const lane = new ProjectedLane();
    lane.apply(
      setBrand({ wallet: true, verificationLimitAtoms: atoms('0.5') }),
      ...running(onePot({ pot_types: [sureHit] })).slice(1),
    );
    const { rows, dailyTotals } = lane.apply(contribution());
    expect(rows.wins).toMatchObject([{ is_withheld: true }]);
    const [credit] = rows.payments!;
    expect(credit).toMatchObject({
      ...{ kind: 'main', state: 'withheld', amount: atoms('1'), reason: 'verification_limit' },
      transaction_id: rows.wins![0]!.transaction_id,
    });
    expect(dailyTotals).toMatchObject([{ measures: { withheld: atoms('1') } }, {}]);
    const transactionId = credit!.transaction_id;
    const released = lane.apply({ kind: 'ReleaseCredit', transactionId, reason: 'seen', user: 'eve' });
    expect(released.rows.payments).toMatchObject([{ state: 'pending', reason: 'seen' }]);
    expect(released.rows.payment_changes).toMatchObject([{ state: 'pending', changed_by: 'eve' }]);
    const paid = lane.apply({
      kind: 'CreditSettled',
      transactionIds: [transactionId],
      result: 'accepted',
      reason: '',
    });
    expect(paid.rows.payments).toMatchObject([{ state: 'settled', closed: lane.nowMs, reason: null }]);
    expect(paid.rows.entries).toMatchObject([
      { phase: 'command', kind: 'CreditSettled', split: { win_liability: '-1', player: '1' } },
    ]);
  });
});

describe('a round of a raffle', () => {
  it('has its tickets, and each prize of each player', () => {
    const lane = new ProjectedLane();
    const prize_distribution = [{ prize_percentage: '0.5', number_of_winners: 2 }];
    lane.apply(...running(raffle({ prize_distribution })));
    const given = lane.apply(contribution({ player: 'a' }), contribution({ player: 'b' }));
    expect(
      given.rows.tickets?.map(({ command_index, player, first_ticket, count }) => [
        ...[command_index, player, first_ticket, count],
      ]),
    ).toEqual([
      [0, 'a', 1, 1],
      [1, 'b', 2, 1],
    ]);
    expect(given.rows.contributions?.map(({ tickets }) => tickets)).toEqual([1, 1]);
    lane.nowMs += minuteMs;
    for (let written = 0; written < 20; written += 1) {
      const [job] = lane.engine.jobs();
      const deadline = lane.engine.nextDeadline();
      if (job !== undefined) lane.apply({ kind: 'Continue', job: job.job, step: job.step });
      else if (deadline !== null && deadline.atMs <= lane.nowMs)
        lane.apply({ kind: 'Tick', instance: deadline.instance });
      else break;
    }
    const wins = lane.rows('wins');
    expect(wins.map(({ kind, amount, tier }) => [kind, amount, tier])).toEqual([
      ['raffle', atoms('0.5'), 0],
      ['raffle', atoms('0.5'), 0],
    ]);
    expect(wins.map(({ player }) => player).toSorted()).toEqual(['a', 'b']);
    expect(wins.map(({ ticket }) => ticket).toSorted()).toEqual([1, 2]);
    expect(wins.map(({ command_index, part }) => [command_index, part])).toEqual([
      [-1, 0],
      [-1, 1],
    ]);
    expect(lane.rows('entries')).toMatchObject([{ phase: 'win', kind: 'Round', command_index: -1 }]);
  });
});
