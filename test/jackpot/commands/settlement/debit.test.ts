import { describe, expect, it } from 'vitest';
import type { CancelDebit } from '../../../../src/messages/settlement-commands.ts';
import type { DebitRecord } from '../../../../src/messages/settlements.ts';
import { atoms, contribution, running, setRates, setStatus } from '../../support/commands.ts';
import type { TestLane } from '../../support/lane.ts';
import { onePot, sureHit } from '../../support/scenario.ts';
import { debitsOf, laneWith, paying, playerPays, settled } from './paying.ts';

describe('a contribution that the player pays through a wallet', () => {
  it('waits for its debit and leaves no trace before', () => {
    const lane = laneWith();
    const before = lane.engine.describe('jackpot');
    const outcome = lane.apply(paying({ gameround: 'r1', vertical: 'slots' }));
    expect(outcome.outcomes).toEqual([{ kind: 'Pending' }]);
    expect(debitsOf(outcome)).toMatchObject([
      {
        contributionId: '01010101-0101-0101-0101-010101010101',
        instance: 'jackpot',
        player: 'p1',
        amountAtoms: atoms('1'),
        currency: 'EUR',
        provider: 'acme',
        source: 'slot-1',
        vertical: 'slots',
        gameround: 'r1',
        deadlineMs: lane.nowMs + 4000,
        debited: false,
      },
    ]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
  });

  it('names the provider and the origin that it came with, and the game of the instance, and its win the same', () => {
    const origin = { gameCode: 'dragons', gameCategory: 'slots', sourceType: 'bet' };
    const target = { type: 'instance', id: 'jackpot' } as const;
    const lane = laneWith(onePot({ pot_types: [sureHit] }, playerPays));
    const pending = lane.apply(paying({ target, provider: 'studio', origin }));
    const [debit] = debitsOf(pending);
    expect(debit).toMatchObject({ provider: 'studio', source: 'slot-1', origin });
    const { work } = lane.apply(settled(debit!));
    expect(work).toMatchObject([{ kind: 'CreditDue', credit: { provider: 'studio', source: 'slot-1' } }]);
    lane.apply({
      kind: 'Bind',
      of: 'source',
      owner: 'op',
      ids: ['wheel'],
      instance: 'jackpot',
      priority: null,
    });
    const source = { target: { type: 'source', id: 'wheel' } as const, origin };
    const bySource = lane.apply(paying({ contributionId: new Uint8Array(16).fill(2), ...source }));
    expect(debitsOf(bySource)).toMatchObject([{ source: 'slot-1', origin }]);
    const plain = lane.apply(paying({ contributionId: new Uint8Array(16).fill(3), target }));
    expect(debitsOf(plain)[0]).not.toHaveProperty('origin');
  });

  it('is applied when the wallet has debited it, with the values of that moment', () => {
    const lane = laneWith();
    const pending = lane.apply(paying({ gameround: 'r1' }));
    lane.apply(contribution());
    const [debit] = debitsOf(pending);
    const { outcomes } = lane.apply(settled(debit!));
    expect(outcomes).toMatchObject([
      {
        kind: 'Settled',
        contributions: [
          {
            sequence: pending.sequence,
            index: 0,
            result: {
              kind: 'Contributed',
              results: [{ sequence: 2, contributionAtoms: atoms('1'), requestAtoms: atoms('1') }],
            },
          },
        ],
      },
    ]);
    expect(lane.accounts()).toMatchObject({ player: -atoms('2'), 'main.current': atoms('2') });
    expect(lane.total()).toBe(0n);
  });

  it('is answered where it was asked', () => {
    const lane = laneWith();
    const batchId = new Uint8Array(16).fill(9);
    const message = { sequence: 2, timestampMs: lane.nowMs + 1, gateway: 'g1', batchId };
    const outcome = lane.engine.apply({ ...message, commands: [contribution(), paying()] });
    const [debit] = debitsOf(outcome);
    const answer = lane.engine.apply({ sequence: 3, timestampMs: 0, commands: [settled(debit!)] });
    expect(answer.outcomes).toMatchObject([
      { contributions: [{ sequence: 2, index: 1, gateway: 'g1', batchId }] },
    ]);
  });

  it.each([
    ['refused', 'debit_refused'],
    ['cancelled', 'wallet_unavailable'],
  ] as const)('that is %s is answered %s and leaves no trace', (result, code) => {
    const lane = laneWith();
    const before = lane.engine.describe('jackpot');
    const [debit] = debitsOf(lane.apply(paying()));
    expect(lane.apply(settled(debit!, result)).outcomes).toMatchObject([
      { kind: 'Settled', contributions: [{ result: { kind: 'Refused', code } }] },
    ]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.engine.describe('jackpot')).toEqual(before);
  });

  it('is settled once, whatever is said later', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    const { outcomes } = lane.apply(settled(debit!), settled(debit!), settled(debit!, 'refused'));
    expect(outcomes.map((each) => each.kind)).toEqual(['Settled', 'Done', 'Done']);
    expect(lane.accounts()).toMatchObject({ player: -atoms('1') });
  });

  it('of which the operator pays all asks no wallet', () => {
    const lane = laneWith(onePot());
    const outcome = lane.apply(paying());
    expect(outcome.outcomes).toMatchObject([{ kind: 'Contributed' }]);
    expect(outcome.work).toEqual([]);
  });

  it('names the provider of its own where it has one, also in the credit of its win', () => {
    const lane = laneWith(onePot({ pot_types: [sureHit] }, playerPays));
    const [debit] = debitsOf(lane.apply(paying({ provider: 'other' })));
    expect(debit).toMatchObject({ provider: 'other' });
    expect(lane.apply(settled(debit!)).work).toMatchObject([{ credit: { provider: 'other' } }]);
  });

  it('keeps the price of its place in the log', () => {
    const lane = laneWith();
    lane.apply(setRates([['USD', '2', null]]));
    const [debit] = debitsOf(lane.apply(paying({ currency: 'USD' })));
    expect(debit).toMatchObject({ amountAtoms: atoms('2'), currency: 'USD', rateVersion: 1 });
    lane.apply(setRates([['USD', '4', null]], { version: 2 }));
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([
      { contributions: [{ result: { results: [{ contributionAtoms: atoms('1') }] } }] },
    ]);
  });

  it('parts its own amount, where a contribution of the same wager has another', () => {
    const lane = laneWith();
    const half = { amountAtoms: atoms('0.5'), currency: 'EUR', id: 'free' };
    const [debit] = debitsOf(lane.apply(paying({ bonus: half })));
    lane.apply(contribution());
    lane.apply(settled(debit!));
    expect(lane.accounts()).toMatchObject({ player: -atoms('1.5'), 'main.current': atoms('1.5'), house: 0n });
    expect(lane.total()).toBe(0n);
  });

  it('parts by its own wager, where that number in another currency reaches more pots', () => {
    const share = { contribution: { Percentage: '0.5' }, pot_types: [{ External: {} }] };
    const pots = [
      { id: 'all', ...share },
      { id: 'high', ...share, criteria: { min_base_wager: '0.6' } },
    ];
    const lane = laneWith(onePot({}, playerPays, { pots }));
    lane.apply(setRates([['USD', '2', null]]));
    const [debit] = debitsOf(lane.apply(paying({ currency: 'USD' })));
    lane.apply(contribution());
    lane.apply(settled(debit!));
    expect(lane.accounts()).toMatchObject({ 'all.current': atoms('1.5'), 'high.current': atoms('0.5') });
    expect(lane.total()).toBe(0n);
  });

  it.each([
    ['names other decimals of the currency', [['PTS', '3', 0]] as const],
    ['does not name the currency any more', [['USD', '3', null]] as const],
  ])('pays a win in the currency and minor unit it was priced with, if a later table %s', (_, later) => {
    const lane = laneWith(onePot({ pot_types: [sureHit] }, playerPays));
    lane.apply(setRates([['PTS', '1.5', 1]]));
    const [debit] = debitsOf(lane.apply(paying({ currency: 'PTS' })));
    lane.apply(setRates(later, { version: 2 }));
    const { work } = lane.apply(settled(debit!));
    expect(work).toMatchObject([
      { credit: { amountAtoms: atoms('1'), paidAtoms: atoms('1.5'), paidCurrency: 'PTS', rateVersion: 1 } },
    ]);
    expect(lane.total()).toBe(0n);
  });

  it('pays a win by the rates it was priced with', () => {
    const lane = laneWith(onePot({ pot_types: [sureHit] }, playerPays));
    lane.apply(setRates([['USD', '2', null]]));
    const [debit] = debitsOf(lane.apply(paying({ currency: 'USD' })));
    lane.apply(setRates([['USD', '4', null]], { version: 2 }));
    lane.restart();
    const { events, work } = lane.apply(settled(debit!));
    expect(events).toMatchObject([
      { kind: 'Won', rateVersion: 1, winner: { amountAtoms: atoms('1'), paidAtoms: atoms('2') } },
    ]);
    expect(work).toMatchObject([
      { kind: 'CreditDue', credit: { paidAtoms: atoms('2'), contributionId: debit!.contributionId } },
    ]);
  });
});

describe('while its instance is paused', () => {
  it('a debit that was made waits, and is applied by the Tick after', () => {
    const lane = laneWith();
    const pending = lane.apply(paying());
    const [debit] = debitsOf(pending);
    lane.apply(setStatus('Paused'));
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.engine.nextDeadline()?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(lane.nowMs);
    expect(lane.apply({ kind: 'Tick', instance: 'jackpot' }).outcomes).toMatchObject([{ kind: 'Done' }]);
    lane.restart();
    lane.apply(setStatus('Active'));
    expect(lane.engine.nextDeadline()).toMatchObject({ instance: 'jackpot', atMs: lane.nowMs });
    expect(lane.apply({ kind: 'Tick', instance: 'jackpot' }).outcomes).toMatchObject([
      {
        kind: 'Settled',
        // The resume has the first number.
        contributions: [{ sequence: pending.sequence, result: { results: [{ sequence: 2 }] } }],
      },
    ]);
    expect(lane.engine.nextDeadline()?.atMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(lane.nowMs);
  });

  it('a refusal is answered at once', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(setStatus('Paused'));
    expect(lane.apply(settled(debit!, 'refused')).outcomes).toMatchObject([{ kind: 'Settled' }]);
  });

  it('what was made is not taken back by a later word', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(setStatus('Paused'));
    lane.apply(settled(debit!), settled(debit!, 'cancelled'));
    lane.apply(setStatus('Active'), { kind: 'Tick', instance: 'jackpot' });
    lane.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(lane.accounts()).toMatchObject({ player: -atoms('1') });
  });
});

describe('when the instance resolves', () => {
  it('a debit is still applied and drawn for; with every pot over its money goes to the pots, not to the house', () => {
    const pot = { pot_types: [sureHit] };
    const lane = laneWith(onePot(pot, playerPays, { max_instantiation_count: 1 }));
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(contribution({ player: 'p2' }));
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Resolving');
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([
      { contributions: [{ result: { kind: 'Contributed', results: [{ win: null }] } }] },
    ]);
    expect(lane.accounts()).toMatchObject({ 'main.current': atoms('1'), house: 0n });
    expect(lane.total()).toBe(0n);
  });
});

describe('an instance with money on its way', () => {
  const complete = { ...setStatus('Completed'), to: '' };

  it('is not completed before its debits and credits are settled', () => {
    const lane = laneWith(onePot({ pot_types: [sureHit] }, playerPays, { max_instantiation_count: 1 }));
    const [debit] = debitsOf(lane.apply(paying()));
    const [credit] = lane
      .apply(contribution({ player: 'p2' }))
      .work.flatMap((each) => (each.kind === 'CreditDue' ? [each.credit] : []));
    expect(lane.engine.liveValues('jackpot')?.status).toBe('Resolving');
    expect(lane.apply(complete).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    lane.apply(settled(debit!, 'refused'));
    expect(lane.apply(complete).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    lane.apply({
      kind: 'CreditSettled',
      transactionIds: [credit!.transactionId],
      result: 'accepted',
      reason: '',
    });
    expect(lane.apply(complete).outcomes).toMatchObject([{ kind: 'Done' }]);
  });
});

describe('the idempotency key of a contribution', () => {
  const key = new Uint8Array(16).fill(5);

  it('names the pending one, then the place of its answer', () => {
    const lane = laneWith();
    const first = lane.apply(contribution(), paying({ idempotencyKey: key }));
    const again = paying({ idempotencyKey: key, contributionId: new Uint8Array(16).fill(2) });
    const place = { sequence: first.sequence, index: 1 };
    expect(lane.apply(again)).toMatchObject({ outcomes: [{ kind: 'Duplicate', ...place }], work: [] });
    expect(lane.engine.idempotencyKey(key, 'op:main')).toEqual(place);
    const answer = lane.apply(contribution(), settled(debitsOf(first)[0]!));
    const answered = { sequence: answer.sequence, index: 1 };
    expect(lane.apply(again).outcomes).toEqual([{ kind: 'Duplicate', ...answered }]);
    expect(lane.engine.pendingAnswer(first.sequence, 1)).toEqual({ position: answered, open: false });
  });

  it('is told apart from one that begins alike', () => {
    const lane = laneWith();
    const keys = [1, 2].map((last) => new Uint8Array(16).fill(last, 15));
    const commands = keys.map((idempotencyKey, index) =>
      paying({ idempotencyKey, contributionId: new Uint8Array(16).fill(index) }),
    );
    const { sequence, work } = lane.apply(...commands);
    expect(work).toHaveLength(2);
    const again = () => lane.apply(...commands).outcomes;
    expect(again()).toMatchObject([
      { kind: 'Duplicate', sequence, index: 0 },
      { kind: 'Duplicate', sequence, index: 1 },
    ]);
    const [first] = work;
    if (first?.kind === 'DebitDue') lane.apply(settled(first.debit, 'refused'));
    expect(again()).toMatchObject([{ kind: 'Pending' }, { kind: 'Duplicate', sequence, index: 1 }]);
  });

  it('is free again after a refusal; the next one has new ids', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying({ idempotencyKey: key })));
    lane.apply(settled(debit!, 'refused'));
    const again = paying({ idempotencyKey: key, contributionId: new Uint8Array(16).fill(2) });
    const outcome = lane.apply(again);
    expect(outcome.outcomes).toEqual([{ kind: 'Pending' }]);
    expect(debitsOf(outcome)[0]!.transactionId).not.toBe(debit!.transactionId);
  });
});

describe('debits of one message', () => {
  it('stay within what an outcome record may hold; the others are refused before any money moves', () => {
    const lane = laneWith();
    const round = 'x'.repeat(128);
    const commands = Array.from({ length: 256 }, (_, index) => {
      return paying({ contributionId: new Uint8Array(16).fill(index), player: round, gameround: round });
    });
    const outcome = lane.apply(...commands);
    const pending = outcome.outcomes.filter((each) => each.kind === 'Pending').length;
    expect(pending).toBeGreaterThan(50);
    expect(outcome.outcomes[pending]).toMatchObject({ kind: 'Refused', code: 'overloaded' });
    expect(debitsOf(outcome)).toHaveLength(pending);
    expect(lane.apply(paying()).outcomes).toEqual([{ kind: 'Pending' }]);
  });
});

describe('linked instances', () => {
  function linkedLane(mainRules = playerPays): TestLane {
    const lane = laneWith(onePot({}, mainRules));
    lane.apply(...running(onePot({}, playerPays), 'linked').slice(1));
    lane.apply({
      kind: 'SetLinks',
      instance: 'jackpot',
      links: ['linked'],
      user: 'admin',
      expectedVersion: null,
    });
    return lane;
  }

  it('have a debit and a round each, asked for after the main one', () => {
    const lane = linkedLane();
    const [main] = debitsOf(lane.apply(paying({ linked: true })));
    const first = lane.apply(settled(main!));
    expect(first.outcomes).toMatchObject([{ kind: 'Done' }]);
    const [link] = debitsOf(first);
    expect(link).toMatchObject({ instance: 'linked', amountAtoms: atoms('1') });
    expect(link!.contributionId).not.toBe(main!.contributionId);
    expect(lane.accounts()).toMatchObject({ player: -atoms('1') });
    expect(lane.apply(settled(link!)).outcomes).toMatchObject([
      { contributions: [{ result: { results: [{ instance: 'jackpot' }, { instance: 'linked' }] } }] },
    ]);
    expect(lane.accounts('linked')).toMatchObject({ player: -atoms('1') });
  });

  it('are not tried where the main one is refused', () => {
    const lane = linkedLane();
    const [main] = debitsOf(lane.apply(paying({ linked: true })));
    const refused = lane.apply(settled(main!, 'refused'));
    expect(refused.work).toEqual([]);
    expect(refused.outcomes).toMatchObject([{ contributions: [{ result: { code: 'debit_refused' } }] }]);
  });

  it('that are refused stop nothing', () => {
    const lane = linkedLane();
    const [main] = debitsOf(lane.apply(paying({ linked: true })));
    const [link] = debitsOf(lane.apply(settled(main!)));
    expect(lane.apply(settled(link!, 'cancelled')).outcomes).toMatchObject([
      { contributions: [{ result: { kind: 'Contributed', results: [{ instance: 'jackpot' }] } }] },
    ]);
  });

  it('wait where the main one needs no debit: it is applied at once', () => {
    const lane = linkedLane({ operator_contribution_percentage: '1' });
    const pending = lane.apply(paying({ linked: true }));
    expect(pending.outcomes).toEqual([{ kind: 'Pending' }]);
    expect(lane.accounts()).toMatchObject({ operator_capital: -atoms('1') });
    const [link] = debitsOf(pending);
    expect(lane.apply(settled(link!)).outcomes).toMatchObject([
      { contributions: [{ result: { results: [{ instance: 'jackpot' }, { instance: 'linked' }] } }] },
    ]);
  });
});

describe('a debit that a person cancels', () => {
  const cancel = (debit: DebitRecord | undefined, key?: number): CancelDebit => ({
    kind: 'CancelDebit',
    transactionId: debit?.transactionId ?? 'nothing',
    reason: 'the operator has looked',
    user: 'admin',
    ...(key === undefined ? {} : { idempotencyKey: new Uint8Array(16).fill(key) }),
  });

  it('is over behind its deadline: the contribution is refused and its key is free', () => {
    const lane = laneWith();
    const idempotencyKey = new Uint8Array(16).fill(7);
    const [debit] = debitsOf(lane.apply(paying({ idempotencyKey })));
    expect(lane.apply(cancel(debit)).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    lane.nowMs += 4001;
    const { outcomes } = lane.apply(cancel(debit));
    expect(outcomes).toMatchObject([
      { kind: 'Settled', contributions: [{ result: { kind: 'Refused', code: 'wallet_unavailable' } }] },
    ]);
    expect(lane.engine.openDebits(0, 10)).toEqual([]);
    expect(lane.apply(settled(debit!)).outcomes).toMatchObject([{ kind: 'Done' }]);
    expect(lane.apply(cancel(debit)).outcomes).toMatchObject([{ code: 'invalid_parameter' }]);
    const again = { idempotencyKey, contributionId: new Uint8Array(16).fill(9) };
    expect(lane.apply(paying(again)).outcomes).toEqual([{ kind: 'Pending' }]);
  });

  it('is not over once the player has paid', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.apply(setStatus('Paused'));
    lane.nowMs += 4001;
    lane.apply(settled(debit!));
    expect(lane.apply(cancel(debit)).outcomes).toMatchObject([{ code: 'invalid_transition' }]);
    expect(lane.engine.openDebits(0, 10)).toHaveLength(1);
  });

  it('is cancelled once for an idempotency key', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.nowMs += 4001;
    lane.apply(cancel(debit, 1));
    expect(lane.apply(cancel(debit, 1)).outcomes).toMatchObject([{ kind: 'Duplicate' }]);
  });

  it('is nothing to the commands of the same message behind it', () => {
    const lane = laneWith();
    const [debit] = debitsOf(lane.apply(paying()));
    lane.nowMs += 4001;
    const { outcomes } = lane.apply(cancel(debit), settled(debit!), contribution());
    expect(outcomes.map(({ kind }) => kind)).toEqual(['Settled', 'Done', 'Contributed']);
    expect(lane.total()).toBe(0n);
  });
});
