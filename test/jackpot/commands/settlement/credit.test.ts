import { describe, expect, it } from 'vitest';
import type { MessageOutcome } from '../../../../src/jackpot/lane/lane.ts';
import type { Command } from '../../../../src/messages/commands.ts';
import type { SetBrand } from '../../../../src/messages/lane-commands.ts';
import type { Contribute } from '../../../../src/messages/player-commands.ts';
import type { CreditSettled } from '../../../../src/messages/settlement-commands.ts';
import type { CreditRecord } from '../../../../src/messages/settlements.ts';
import { atoms, contribution, running, setBrand, setRates } from '../../support/commands.ts';
import { TestLane } from '../../support/lane.ts';
import { onePot, sureHit } from '../../support/scenario.ts';

const winning = { pot_types: [sureHit], seed_strategy: { initial_seed_value: '10', min_reseed_value: '10' } };

function laneWith(brand: Partial<SetBrand> = {}, configuration = onePot(winning)): TestLane {
  const lane = new TestLane();
  lane.apply(
    setRates([
      ['JPY', '163.27', null],
      ['USD', '2', null],
    ]),
    setBrand({ wallet: true, provider: 'acme', ...brand }),
    ...running(configuration).slice(1),
  );
  return lane;
}

function creditsOf({ work }: MessageOutcome): readonly CreditRecord[] {
  return work.flatMap((each) => (each.kind === 'CreditDue' ? [each.credit] : []));
}

function settled(
  credits: readonly CreditRecord[],
  result: CreditSettled['result'] = 'accepted',
): CreditSettled {
  const transactionIds = credits.map((each) => each.transactionId);
  return { kind: 'CreditSettled', transactionIds, result, reason: `was ${result}` };
}

function decide(
  kind: 'ReleaseCredit' | 'RetryCredit' | 'ResolveCredit',
  { transactionId }: CreditRecord,
): Command {
  return { kind, transactionId, reason: 'looked at', user: 'admin' };
}

const withheldOf = (lane: TestLane) =>
  lane.engine.winners('jackpot', '', '', 10)?.map((each) => each.withheld);
const open = (lane: TestLane) => lane.engine.openCredits(0, 100, [], '');

describe('a win of a brand with a wallet', () => {
  it('is a liability until the wallet has credited it', () => {
    const lane = laneWith();
    const outcome = lane.apply(contribution({ contributionId: new Uint8Array(16).fill(1) }));
    const credits = creditsOf(outcome);
    expect(credits).toMatchObject([
      {
        kind: 'main',
        state: 'pending',
        pot: 'main',
        instanceCount: 1,
        sequence: 1,
        player: 'p1',
        amountAtoms: atoms('11'),
        paidAtoms: atoms('11'),
        paidCurrency: 'EUR',
        contributionId: '01010101-0101-0101-0101-010101010101',
        source: 'slot-1',
        provider: 'acme',
        batchId: '',
      },
    ]);
    expect(outcome.outcomes).toMatchObject([{ results: [{ win: { withheld: false } }] }]);
    expect(lane.accounts()).toMatchObject({ win_liability: atoms('11'), player: 0n });
    expect(open(lane)).toEqual(credits);

    const accepted = lane.apply(settled(credits));
    expect(accepted.events).toMatchObject([{ kind: 'PayoutChanged', credit: { state: 'settled' } }]);
    expect(lane.accounts()).toMatchObject({ win_liability: 0n, player: atoms('11') });
    expect(open(lane)).toEqual([]);
    expect(lane.total()).toBe(0n);
  });

  it('books what conversion leaves to fx when it is credited, not before', () => {
    const lane = laneWith();
    const credits = creditsOf(lane.apply(contribution({ currency: 'JPY' })));
    expect(credits).toMatchObject([{ paidAtoms: atoms('1795'), paidCurrency: 'JPY', rateVersion: 1 }]);
    expect(lane.accounts()).toMatchObject({ win_liability: atoms('11'), fx: 0n });
    lane.apply(setRates([['JPY', '1', null]], { version: 2 }));
    lane.apply(settled(credits));
    const { fx, player, win_liability } = lane.accounts();
    expect(win_liability).toBe(0n);
    expect(fx! + player!).toBe(atoms('11'));
    expect(fx).toBeGreaterThan(0n);
    expect(fx).toBeLessThan(atoms('0.01'));
  });

  it('is settled once: repeats and later words change nothing', () => {
    const lane = laneWith();
    const credits = creditsOf(lane.apply(contribution()));
    lane.apply(settled(credits), settled(credits), settled(credits, 'refused'));
    expect(lane.accounts()).toMatchObject({ win_liability: 0n, player: atoms('11') });
    expect(open(lane)).toEqual([]);
  });

  it('has another id in each cycle, and always the same for one', () => {
    const [first, second] = [laneWith(), laneWith()].map((lane) => {
      return creditsOf(lane.apply(contribution(), contribution())).map((each) => each.transactionId);
    });
    expect(new Set(first).size).toBe(2);
    expect(second).toEqual(first);
  });

  it('that the wallet refuses for certain waits for a person; a retry has the same id', () => {
    const lane = laneWith();
    const [credit] = creditsOf(lane.apply(contribution()));
    lane.apply(settled([credit!], 'refused'));
    expect(open(lane)).toMatchObject([{ state: 'dead', reason: 'was refused' }]);
    expect(withheldOf(lane)).toEqual([true]);
    const retried = lane.apply(decide('RetryCredit', credit!));
    expect(creditsOf(retried)).toMatchObject([{ transactionId: credit!.transactionId, state: 'pending' }]);
    expect(withheldOf(lane)).toEqual([false]);
    lane.apply(settled([credit!]));
    expect(lane.accounts()).toMatchObject({ win_liability: 0n });
  });

  it('of which nobody knows shows as withheld until it is known', () => {
    const lane = laneWith();
    const credits = creditsOf(lane.apply(contribution()));
    lane.apply(settled(credits, 'unknown'));
    expect(withheldOf(lane)).toEqual([true]);
    lane.restart();
    lane.apply(settled(credits, 'unknown'), settled(credits));
    expect(withheldOf(lane)).toEqual([false]);
    expect(lane.accounts()).toMatchObject({ win_liability: 0n });
  });

  it('of an unknown batch says so until its own failure is known, and is never in that batch again', () => {
    const lane = laneWith();
    const [credit] = creditsOf(lane.apply(contribution()));
    const unknown = (reason: string): CreditSettled => ({ ...settled([credit!], 'unknown'), reason });
    lane.apply(unknown('batch of 3: no_answer'));
    lane.apply(unknown('batch of 3: status'));
    expect(open(lane)).toMatchObject([{ state: 'unknown', reason: 'batch of 3: no_answer' }]);
    lane.apply(unknown('closed: No.'));
    expect(open(lane)).toMatchObject([{ state: 'unknown', reason: 'closed: No.' }]);
    // Of a process that has been late, and a repeat.
    lane.apply(unknown('batch of 3: no_answer'), unknown('other: No.'));
    lane.restart();
    expect(open(lane)).toMatchObject([{ state: 'unknown', reason: 'closed: No.' }]);
    expect(withheldOf(lane)).toEqual([true]);
  });

  it('that stays unknown goes to a person, who may say it was settled', () => {
    const lane = laneWith();
    const credits = creditsOf(lane.apply(contribution()));
    lane.apply(settled(credits, 'unknown'), settled(credits, 'exhausted'));
    expect(lane.engine.openCredits(0, 10, ['dead'], '')).toHaveLength(1);
    expect(lane.apply(decide('ReleaseCredit', credits[0]!)).outcomes).toMatchObject([
      { code: 'invalid_transition' },
    ]);
    lane.apply(decide('ResolveCredit', credits[0]!));
    expect(lane.accounts()).toMatchObject({ win_liability: 0n, player: atoms('11') });
    expect(withheldOf(lane)).toEqual([false]);
    expect(lane.apply(decide('ResolveCredit', credits[0]!)).outcomes).toMatchObject([
      { code: 'invalid_parameter' },
    ]);
  });

  it('over the verification limit is withheld until it is released', () => {
    const lane = laneWith({ verificationLimitAtoms: atoms('21.98'), verificationCurrency: 'USD' });
    const outcome = lane.apply(contribution());
    expect(outcome.outcomes).toMatchObject([{ results: [{ win: { withheld: true } }] }]);
    expect(creditsOf(outcome)).toEqual([]);
    const [credit] = open(lane);
    expect(credit).toMatchObject({ state: 'withheld', reason: 'verification_limit' });
    lane.apply(settled([credit!]));
    expect(lane.accounts()).toMatchObject({ win_liability: atoms('11') });
    expect(creditsOf(lane.apply(decide('ReleaseCredit', credit!)))).toHaveLength(1);
    expect(withheldOf(lane)).toEqual([false]);
    lane.apply(settled([credit!]));
    expect(lane.accounts()).toMatchObject({ win_liability: 0n });
  });

  it('at the verification limit is not withheld', () => {
    const lane = laneWith({ verificationLimitAtoms: atoms('22'), verificationCurrency: 'USD' });
    expect(creditsOf(lane.apply(contribution()))).toHaveLength(1);
  });
});

describe('a win of a brand without a wallet', () => {
  it('is reported only: booked out at once', () => {
    const lane = laneWith({ wallet: false });
    const outcome = lane.apply(contribution());
    expect(outcome.work).toEqual([]);
    expect(lane.accounts()).toMatchObject({ win_liability: 0n, player: atoms('11') });
  });

  it('that is withheld is booked out when it is released', () => {
    const lane = laneWith({ wallet: false, verificationLimitAtoms: 1n });
    lane.apply(contribution());
    const [credit] = open(lane);
    const released = lane.apply(decide('ReleaseCredit', credit!));
    expect(released.work).toEqual([]);
    expect(released.events).toMatchObject([{ kind: 'PayoutChanged', credit: { state: 'settled' } }]);
    expect(lane.accounts()).toMatchObject({ win_liability: 0n, player: atoms('11') });
  });
});

describe('community shares', () => {
  const shared = {
    ...winning,
    pot_types: [{ External: {} }],
    payout_ruleset: {
      main_winner_percentage: '0.5',
      payout_rules: [
        { payout_percentage: '0.3', rule: { HighestContributors: { max_number_of_payouts: 10 } } },
        { payout_percentage: '0.2', rule: { HighestLifetimeContributors: { max_number_of_payouts: 10 } } },
      ],
    },
  };

  function payShared(): { readonly lane: TestLane; readonly outcome: MessageOutcome } {
    const lane = laneWith({}, onePot(shared));
    lane.apply(setBrand({ brand: 'op:other', wallet: true }), setBrand({ brand: 'op:bare' }));
    const from = (player: string, changes: Partial<Contribute> = {}) => contribution({ player, ...changes });
    lane.apply(
      from('p1'),
      from('p2'),
      from('p3', { currency: 'USD' }),
      from('p4', { brand: 'op:other' }),
      from('p5', { brand: 'op:bare' }),
    );
    const outcome = lane.apply({
      kind: 'TriggerPot',
      instance: 'jackpot',
      pot: 'main',
      brand: 'op:main',
      player: 'p1',
      source: 'slot-9',
      user: 'admin',
      idempotencyKey: null,
    });
    return { lane, outcome };
  }

  it('are one batch a brand and currency, each player once, with the exact total', () => {
    const { lane, outcome } = payShared();
    expect(outcome.outcomes).toMatchObject([{ kind: 'Triggered' }]);
    const batches = outcome.work.flatMap((each) => (each.kind === 'CreditsDue' ? [each.batch] : []));
    expect(batches.map(({ brand, currency, records }) => [brand, currency, records])).toEqual([
      ['op:main', 'EUR', 2],
      ['op:main', 'USD', 1],
      ['op:other', 'EUR', 1],
    ]);
    for (const batch of batches) {
      const records = lane.engine.openCredits(batch.firstNumber - 1, 100, [], batch.batchId);
      expect(records).toHaveLength(batch.records);
      expect(records.reduce((sum, each) => sum + each.paidAtoms, 0n)).toBe(batch.amountAtoms);
      expect(new Set(records.map((each) => each.player)).size).toBe(batch.records);
    }
    const all = open(lane);
    expect(new Set(all.map((each) => each.transactionId)).size).toBe(all.length);
    expect(creditsOf(outcome)).toMatchObject([{ kind: 'main', player: 'p1', source: 'slot-1' }]);
  });

  it('settle record by record; the refused ones wait by themselves', () => {
    const { lane } = payShared();
    const shares = open(lane).filter((each) => each.kind === 'community');
    const refused = lane.apply(settled(shares.slice(0, 1), 'refused'), settled(shares.slice(1)));
    expect(refused.events.map((each) => each.kind === 'PayoutChanged' && each.credit.state)).toEqual([
      'dead',
      'settled',
      'settled',
      'settled',
    ]);
    expect(open(lane)).toMatchObject([
      { kind: 'main', state: 'pending' },
      { kind: 'community', state: 'dead', player: shares[0]!.player },
    ]);
    const records = lane.engine.winners('jackpot', '', '', 50)!;
    expect(records.filter((each) => each.withheld).map((each) => each.player)).toEqual([
      shares[0]!.player,
      shares[0]!.player,
    ]);
    expect(lane.total()).toBe(0n);
  });
});

describe('with close_rounds', () => {
  const rules = { operator_contribution_percentage: '0' };

  function paid(configuration: Parameters<typeof laneWith>[1]): readonly CreditRecord[] {
    const lane = laneWith({ closeRounds: true }, configuration);
    const { work } = lane.apply(contribution({ wallet: true }));
    const transactionId = work[0]?.kind === 'DebitDue' ? work[0].debit.transactionId : '';
    const credits = creditsOf(lane.apply({ kind: 'DebitSettled', transactionId, result: 'debited' }));
    expect(open(lane)).toEqual(credits);
    lane.apply(settled(credits));
    expect(open(lane)).toEqual([]);
    expect(lane.total()).toBe(0n);
    return credits;
  }

  it('a credit of zero closes the round of a debit that won nothing', () => {
    expect(paid(onePot({}, rules))).toMatchObject([{ kind: 'close', amountAtoms: 0n, paidAtoms: 0n }]);
  });

  it('the credit of a win closes it by itself', () => {
    expect(paid(onePot(winning, rules))).toMatchObject([{ kind: 'main' }]);
  });
});
