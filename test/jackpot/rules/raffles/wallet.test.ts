import { describe, expect, it } from 'vitest';
import type { MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import type { DebitSettled } from '../../../../src/messages/settlement-commands.ts';
import { atoms, contribution, running, setBrand, setRates } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { drive, minuteMs, raffle, ticketsOf } from '../../support/raffle.ts';

const paidByPlayers = {
  contribution_rules: { contribution_type: { Fixed: '1' }, operator_contribution_percentage: '0' },
};
const tick = { kind: 'Tick', instance: 'jackpot' } as const;

function laneWith(rules = {}): TestLane {
  const lane = new TestLane();
  lane.apply(setBrand({ wallet: true, provider: 'acme' }), ...running(raffle(rules, paidByPlayers)).slice(1));
  return lane;
}

const paying = (player: string, id: number) =>
  contribution({ player, wallet: true, contributionId: new Uint8Array(16).fill(id) });

function debited({ work }: MessageOutcome): DebitSettled[] {
  return work.flatMap((each) =>
    each.kind === 'DebitDue'
      ? [{ kind: 'DebitSettled', transactionId: each.debit.transactionId, result: 'debited' } as const]
      : [],
  );
}

describe('a raffle whose players pay through a wallet', () => {
  it('is drawn when the debits that were under way are known; they still bring tickets', () => {
    const lane = laneWith();
    const settled = [paying('p1', 1), paying('p2', 2)].flatMap((each) => debited(lane.apply(each)));
    lane.nowMs += minuteMs;
    expect(lane.engine.nextDeadline()?.instance).toBe('jackpot');
    lane.apply(tick);
    expect([lane.engine.liveValues('jackpot')?.status, lane.engine.jobs()]).toEqual(['Resolving', []]);
    lane.restart();
    expect(lane.apply(settled[0]!).outcomes).toMatchObject([
      { kind: 'Settled', contributions: [{ result: { results: [{ tickets: 1 }] } }] },
    ]);
    expect([ticketsOf(lane), lane.engine.jobs()]).toMatchObject([[{ ticketCount: 1 }], []]);
    lane.apply({ ...settled[1]!, result: 'refused' });
    expect(lane.engine.jobs()).toMatchObject([{ job: 'raffle/jackpot' }]);
    expect(drive(lane).filter((event) => event.kind === 'RaffleWon')).toMatchObject([
      { tickets: 1, winners: [{ player: 'p1' }] },
    ]);
  });

  it('refuses what could bring too many tickets together with debits that are under way', () => {
    const lane = laneWith({ cost_per_ticket: '0.00000001', cost_source: 'BaseWager' });
    const wagering = (player: string, id: number, baseWagerAtoms: bigint) =>
      lane.apply({ ...paying(player, id), baseWagerAtoms });
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    const first = wagering('p1', 1, most - 1000n);
    expect(first.outcomes).toEqual([{ kind: 'Pending' }]);
    const tooMany = [{ kind: 'Refused', code: 'amount_out_of_range' }];
    expect(wagering('p2', 2, 999n).outcomes).toMatchObject(tooMany);
    lane.restart();
    expect(wagering('p2', 3, 999n).outcomes).toMatchObject(tooMany);
    const second = wagering('p2', 4, 900n);
    expect(second.outcomes).toEqual([{ kind: 'Pending' }]);
    lane.apply(...debited(second), ...debited(first));
    expect(ticketsOf(lane)?.map((each) => each.ticketCount)).toEqual([900, Number(most - 1000n)]);
    expect(wagering('p3', 5, 99n).outcomes).toEqual([{ kind: 'Pending' }]);
    expect(wagering('p3', 6, 1n).outcomes).toMatchObject(tooMany);
  });

  it('asks for the room again when a debit is refused', () => {
    const lane = laneWith({ cost_per_ticket: '0.00000001', cost_source: 'BaseWager' });
    const baseWagerAtoms = BigInt(Number.MAX_SAFE_INTEGER) - 1000n;
    const [debit] = debited(lane.apply({ ...paying('p1', 1), baseWagerAtoms }));
    lane.apply({ ...debit!, result: 'refused' });
    expect(lane.apply({ ...paying('p1', 2), baseWagerAtoms }).outcomes).toEqual([{ kind: 'Pending' }]);
  });

  it('opens one credit for each winner, in the currency and minor unit of the player', () => {
    const lane = laneWith({
      prize_distribution: [
        { prize_percentage: '0.5', number_of_winners: 1 },
        { prize_percentage: '0.25', number_of_winners: 1 },
      ],
    });
    lane.apply(setRates([['JPY', '163.2', null]]));
    const inYen = { ...paying('p1', 1), currency: 'JPY' };
    for (const settlement of debited(lane.apply(inYen))) lane.apply(settlement);
    for (const settlement of debited(lane.apply({ ...inYen, contributionId: new Uint8Array(16).fill(3) })))
      lane.apply(settlement);
    const before = lane.accounts();
    lane.nowMs += minuteMs;
    const { work } = lane.apply(tick);
    const value = before['main.current']!;
    expect(value > atoms('1.9')).toBe(true);
    const [batch] = work.flatMap((each) => (each.kind === 'CreditsDue' ? [each.batch] : []));
    expect(batch).toMatchObject({
      kind: 'raffle',
      pot: 'main',
      instanceCount: 1,
      currency: 'JPY',
      records: 1,
    });
    expect(batch!.amountAtoms % 100_000_000n).toBe(0n);
    const { win_liability } = lane.accounts();
    expect(win_liability).toBe(
      lane.engine.winners('jackpot', '', '', 50)!.reduce((sum, each) => sum + each.amountAtoms, 0n),
    );
    expect(lane.total()).toBe(0n);
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Active');
  });

  it('names prizes above the verification limit as withheld', () => {
    const lane = new TestLane();
    lane.apply(setBrand({ verificationLimitAtoms: 1n }), ...running(raffle()).slice(1));
    lane.apply(contribution());
    lane.nowMs += minuteMs;
    const won = drive(lane).filter((event) => event.kind === 'RaffleWon');
    expect(won).toMatchObject([{ winners: [{ withheld: true }] }]);
    expect(lane.engine.winners('jackpot', '', '', 50)).toMatchObject([{ withheld: true, kind: 'raffle' }]);
  });
});
