import { describe, expect, it } from 'vitest';
import { maxAmountAtoms } from '../../../src/lib/money.ts';
import type { Command } from '../../../src/messages/commands.ts';
import type { BookedMessage } from '../../../src/reporting/base/booked-message.ts';
import { paying, playerPays, settled } from '../../jackpot/commands/settlement/paying.ts';
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
import { startMs } from '../../jackpot/support/lane.ts';
import { minuteMs, raffle } from '../../jackpot/support/raffle.ts';
import { onePot, sureHit } from '../../jackpot/support/scenario.ts';
import { booksOf } from './booked-totals.ts';
import { enginesOn, lane, RecordedLane } from './recorded-lane.ts';

/** An owner and the books of its lane. */
class Booked {
  readonly recorded = new RecordedLane();
  readonly books = booksOf(lane, enginesOn);
  nowMs = startMs;

  constructor(...commands: readonly Command[]) {
    this.apply(...commands);
  }

  apply(...commands: readonly Command[]): BookedMessage {
    this.nowMs += 1;
    const { command, outcome } = this.recorded.apply(commands, this.nowMs);
    return this.books.apply(command, outcome);
  }

  get engine() {
    return this.recorded.replica.engine;
  }
}

const euro = atoms('1');
const main = { index: 0, part: 0, instance: 'jackpot' };
const trigger = {
  kind: 'TriggerPot',
  instance: 'jackpot',
  pot: 'main',
  brand: 'op:main',
  player: 'p1',
  source: 'slot-1',
  user: 'admin',
  idempotencyKey: null,
} as const;

describe('a contribution', () => {
  it('is posted as what reached the accounts, with its facts', () => {
    const booked = new Booked(...running(onePot({}, playerPays)));
    const id = new Uint8Array(16).fill(1);
    const { postings, contributions, payments } = booked.apply(
      setBrand(),
      contribution({ contributionId: id }),
    );
    expect(postings).toEqual([
      {
        ...main,
        index: 1,
        phase: 'contribution',
        amounts: [
          ['player', -euro],
          ['main.current', euro],
        ],
      },
    ]);
    expect(contributions).toMatchObject([
      {
        ...main,
        index: 1,
        instanceSequence: 1,
        epoch: 0,
        contributionId: '01010101-0101-0101-0101-010101010101',
        isLink: false,
        made: { sequence: 2, index: 1 },
        debitAtoms: euro,
        requestAtoms: euro,
        bonusAtoms: 0n,
        contributionAtoms: euro,
        playerAtoms: euro,
        wagerAtoms: euro,
        rateVersion: 0,
        win: null,
        tickets: 0,
      },
    ]);
    expect(payments).toEqual([]);
  });

  it('that wins is posted apart from its win', () => {
    const pot = { pot_types: [sureHit], payout_ruleset: { main_winner_percentage: '0.9', admin_fee: '0.1' } };
    const booked = new Booked(...running(onePot(pot, playerPays)));
    const { postings, contributions } = booked.apply(contribution());
    expect(postings).toEqual([
      {
        ...main,
        phase: 'contribution',
        amounts: [
          ['player', -euro],
          ['main.current', euro],
        ],
      },
      {
        ...main,
        phase: 'win',
        amounts: [
          ['player', atoms('0.9')],
          ['operator_fee', atoms('0.1')],
          ['main.current', -euro],
        ],
      },
    ]);
    expect(contributions).toMatchObject([{ win: { pot: 'main', amountAtoms: atoms('0.9') } }]);
  });

  it('and its links are parts of one command, each with its own id', () => {
    const booked = new Booked(...running(onePot({}, playerPays)));
    booked.apply(
      createInstance(onePot(), { instance: 'linked' }),
      openEpoch('linked', 0, [0, 1]),
      setStatus('Active', 'linked'),
      { kind: 'SetLinks', instance: 'jackpot', links: ['linked'], user: 'admin', expectedVersion: null },
    );
    const { postings, contributions } = booked.apply(contribution(), contribution({ linked: true }));
    const places = [
      [0, 0, 'jackpot'],
      [1, 0, 'jackpot'],
      [1, 1, 'linked'],
    ];
    expect(postings.map(({ index, part, instance }) => [index, part, instance])).toEqual(places);
    expect(contributions.map(({ index, part, instance }) => [index, part, instance])).toEqual(places);
    expect(contributions.map(({ isLink, made }) => [isLink, made.index])).toEqual([
      [false, 0],
      [false, 1],
      [true, 1],
    ]);
    expect(contributions[2]!.contributionId).not.toBe(contributions[1]!.contributionId);
  });

  it('that finds no room leaves no posting', () => {
    const booked = new Booked(...running(onePot({}, playerPays)));
    const wager = maxAmountAtoms - 2n * euro;
    const fixed = { kind: 'AdjustPot', instance: 'jackpot', pot: 'main', account: 'current_value' } as const;
    const rest = {
      reason: 'test',
      user: 'admin',
      mayDecrease: true,
      idempotencyKey: null,
      expectedVersion: null,
    };
    booked.apply({ ...fixed, ...rest, targetAtoms: wager });
    const { postings, contributions, outcome } = booked.apply(contribution(), contribution(), contribution());
    expect(outcome.outcomes.map(({ kind }) => kind)).toEqual(['Contributed', 'Contributed', 'Refused']);
    expect(postings.map(({ index }) => index)).toEqual([0, 1]);
    expect(contributions.map(({ index }) => index)).toEqual([0, 1]);
  });

  it('that waits for its debit is posted where this settles, with the place where it was made', () => {
    const booked = new Booked(
      setRates([['USD', '2', null]]),
      setBrand({ wallet: true, provider: 'acme' }),
      ...running(onePot({}, playerPays)).slice(1),
    );
    const pending = booked.apply(contribution({ baseWagerAtoms: 0n }), paying({ currency: 'USD' }));
    expect([pending.postings.length, pending.contributions.length]).toEqual([1, 1]);
    const [debit] = booked.engine.openDebits(0, 10);
    expect(pending.payments).toEqual([{ index: 1, before: null, after: { kind: 'debit', debit } }]);
    expect([...booked.books.payments()]).toEqual([{ kind: 'debit', debit }]);
    const done = booked.apply(settled(debit!));
    expect(done.postings).toEqual([
      {
        ...main,
        phase: 'contribution',
        amounts: [
          ['player', -euro],
          ['main.current', euro],
        ],
      },
    ]);
    expect(done.contributions).toMatchObject([
      {
        ...main,
        made: { sequence: pending.sequence, index: 1 },
        command: { kind: 'Contribute', currency: 'USD' },
        debitAtoms: atoms('2'),
        contributionAtoms: euro,
        rateVersion: 1,
        contributionId: debit!.contributionId,
      },
    ]);
    expect(done.payments.map(({ index, before, after }) => [index, before?.kind, after])).toEqual([
      [0, 'debit', expect.objectContaining({ debit: expect.objectContaining({ debited: true }) })],
      [0, 'debit', null],
    ]);
    expect([...booked.books.payments()]).toEqual([]);
  });
});

describe('what is no contribution', () => {
  it('is posted by the command that did it', () => {
    const booked = new Booked(...running(onePot({}, playerPays)));
    const { postings } = booked.apply(contribution(), {
      kind: 'AdjustPot',
      instance: 'jackpot',
      pot: 'main',
      account: 'current_value',
      targetAtoms: atoms('3'),
      reason: 'test',
      user: 'admin',
      mayDecrease: true,
      idempotencyKey: null,
      expectedVersion: null,
    });
    expect(postings.map(({ index, phase }) => [index, phase])).toEqual([
      [0, 'contribution'],
      [1, 'command'],
    ]);
    expect(postings[1]!.amounts).toEqual([
      ['adjustment', -atoms('2')],
      ['main.current', atoms('2')],
    ]);
  });

  it('is a win where a person triggers the pot', () => {
    const booked = new Booked(...running(onePot({}, playerPays)));
    const { postings, contributions } = booked.apply(contribution(), trigger);
    expect(postings.map(({ index, part, phase }) => [index, part, phase])).toEqual([
      [0, 0, 'contribution'],
      [1, 0, 'win'],
    ]);
    expect(contributions).toHaveLength(1);
  });

  it('is a win at the end of the message where a raffle is drawn', () => {
    const booked = new Booked(...running(raffle()));
    booked.apply(contribution({ player: 'p1' }), contribution({ player: 'p2' }));
    booked.nowMs += minuteMs;
    const drawn = booked.apply({ kind: 'Tick', instance: 'jackpot' });
    expect(drawn.postings).toMatchObject([{ index: -1, part: 0, instance: 'jackpot', phase: 'win' }]);
    expect(drawn.outcome.streamKeys).toHaveLength(1);
  });

  it('is a credit that ends, and what it leaves through', () => {
    const limit = { verificationLimitAtoms: 1n, verificationCurrency: 'EUR' };
    const booked = new Booked(...running(onePot({ pot_types: [sureHit] }, playerPays)), setBrand(limit));
    const won = booked.apply(contribution());
    const [credit] = booked.engine.openCredits(0, 10, [], '');
    expect(credit?.state).toBe('withheld');
    expect(won.payments).toEqual([{ index: 0, before: null, after: { kind: 'credit', credit } }]);
    const { transactionId } = credit!;
    const paid = booked.apply({ kind: 'ReleaseCredit', transactionId, reason: 'test', user: 'admin' });
    expect(paid.postings).toEqual([
      {
        ...main,
        phase: 'command',
        amounts: [
          ['win_liability', -euro],
          ['player', euro],
        ],
      },
    ]);
    expect(paid.payments).toEqual([{ index: 0, before: { kind: 'credit', credit }, after: null }]);
  });

  it.each(['confirmed', 'failed'] as const)('is a diversion that is opened and %s', (result) => {
    const house_pot = {
      contribution_type: { Percentage: '0.5' },
      diversion_rules: {
        diversion_percentage: '0.5',
        flush_threshold: '0.5',
        target: { External: { endpoint: 'https://bank.example/in', account_id: 'a-1' } },
      },
    };
    const booked = new Booked(...running(onePot({ contribution: { Percentage: '0.5' } }, {}, { house_pot })));
    const { flushes: opened } = booked.apply(contribution(), contribution());
    const [flush] = booked.engine.openFlushes(0, 10);
    expect(opened).toEqual([{ index: 1, flush, end: null }]);
    const { flushId } = flush!;
    const ended = booked.apply({ kind: 'FlushSettled', instance: 'jackpot', flushId, result });
    expect(ended.flushes).toEqual([{ index: 0, flush, end: result }]);
    expect(ended.postings).toMatchObject([{ index: 0, phase: 'command' }]);
    expect(booked.apply({ kind: 'FlushSettled', instance: 'jackpot', flushId, result }).flushes).toEqual([]);
  });
});
