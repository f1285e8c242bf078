import { describe, expect, it } from 'vitest';
import { reasonText } from '../../console/src/parts/reasons.ts';
import { operationText } from '../../console/src/screens/audit/operations.ts';
import {
  conditionOf,
  consequenceOf,
  dangerOf,
  doneText,
  titleOf,
  verbsOf,
} from '../../console/src/screens/money/words.ts';
import { whereIsTheMoney } from '../../console/src/screens/player/sentence.ts';
import { underWay } from '../../console/src/screens/player/under-way.ts';

describe('what a person can decide about a payment', () => {
  it.each([
    ['withheld', 'win', ['release', 'resolve']],
    ['dead', 'win', ['retry', 'resolve']],
    ['unknown', 'win', ['retry', 'resolve']],
    ['unknown', 'debit', ['resolve']],
    ['pending', 'win', []],
    ['settled', 'win', []],
  ])('%s %s: %j', (state, kind, verbs) => expect(verbsOf({ state, kind })).toEqual(verbs));

  it('warns of a double payment where, and only where, one can happen', () => {
    expect(dangerOf('resolve', { state: 'unknown', kind: 'win' })).toContain('paid twice');
    expect(dangerOf('retry', { state: 'unknown', kind: 'win' })).toBeNull();
    expect(dangerOf('resolve', { state: 'dead', kind: 'win' })).toBeNull();
    expect(dangerOf('resolve', { state: 'unknown', kind: 'debit' })).toBeNull();
  });

  it('asks for what the person has to know, and says what happens', () => {
    expect(conditionOf('resolve', { kind: 'win' })).toContain('has the money');
    expect(conditionOf('resolve', { kind: 'debit' })).toContain('took nothing');
    expect(conditionOf('retry', { kind: 'win' })).toBeNull();
    expect(consequenceOf('retry', { kind: 'win' })).toContain('does not pay twice');
  });
});

describe('a decision about a payment', () => {
  it.each([
    ['resolve', 'win', 'settled', 'Book as paid', 'Booked as paid.'],
    ['resolve', 'debit', 'cancelled', 'Cancel this debit', 'The debit is cancelled.'],
    ['retry', 'win', 'pending', 'Ask the wallet again', 'The wallet will be asked again now'],
    ['release', 'win', 'pending', 'Release this win', 'The wallet will be asked to pay now'],
    ['release', 'win', 'settled', 'Release this win', 'Booked as paid: the brand has no wallet.'],
  ] as const)('%s of a %s that is then %s: %s; %s', (verb, kind, state, title, done) => {
    expect(titleOf(verb, { kind })).toBe(title);
    expect(doneText(verb, { kind }, state)).toContain(done);
  });
});

describe('where is my money?', () => {
  const payment = {
    kind: 'win',
    state: 'withheld',
    transaction_id: 't-1',
    instance_id: 'i-1',
    paid_amount: '1234.5',
    paid_currency: 'EUR',
    opened_timestamp: 1,
    changed_timestamp: 2,
    closed_timestamp: null,
  };
  const texts = { timeText: (ms: number) => `time ${ms}`, jackpotText: (id: string) => `<${id}>` };
  const ask = (
    open: readonly object[],
    payments: readonly object[],
    wins: readonly object[] = [],
    settled: readonly object[] = [],
  ) => whereIsTheMoney({ open, settled, payments, wins } as never, texts);

  it.each([
    ['withheld', 'checked by a person'],
    ['unknown', 'not yet confirmed'],
    ['dead', 'could not be paid'],
    ['pending', 'on its way'],
  ])('%s: it is %s', (state, words) => {
    const said = ask([{ ...payment, state }], []);
    expect(said).toContain(words);
    expect(said).toMatch(/1.?234.50 EUR from time 1, of the jackpot <i-1>, .*transaction t-1/);
  });

  it('names every payment under way, but no debit', () => {
    expect(ask([payment, { ...payment, transaction_id: 't-2' }], [])).toMatch(/t-1.*t-2/);
    for (const kind of ['debit', 'close'])
      expect(ask([{ ...payment, kind }], [])).toBe('There is no win on record for this player.');
  });

  it('names the last win that was paid, or that there is none', () => {
    const settled = { ...payment, state: 'settled', closed_timestamp: 3 };
    expect(ask([], [settled], [{}])).toMatch(/of the jackpot <i-1>, was paid on time 3 \(transaction t-1\)/);
    expect(ask([], [], [{}])).toContain('none of the newest was paid through a wallet');
  });

  it('says of what was settled since the books that it is paid, not that it waits', () => {
    expect(ask([], [], [{}], [payment])).toMatch(/^No win is waiting.*has just been booked as paid/);
    expect(ask([{ ...payment, transaction_id: 't-2' }], [], [{}], [payment])).not.toContain('t-1');
  });
});

describe('what of a player is not settled', () => {
  const booked = (id: string, state: string, opened: number) => ({
    ...{ transaction_id: id, state, opened_timestamp: opened },
  });
  const live = (id: string, state: string, opened: number, player = 'p') => ({
    ...{ id, state, opened_timestamp: opened, player_id: player },
  });
  const rows = [live('b', 'dead', 2), live('c', 'withheld', 1), live('d', 'dead', 0, 'other')];
  const books = [booked('a', 'unknown', 3), booked('b', 'pending', 2)];
  const states = (open: readonly { transaction_id: string; state: string }[]) =>
    open.map(({ transaction_id: id, state }) => `${id} ${state}`);

  it('is what the lanes say, also what the books do not have yet; what they no longer have is settled', () => {
    const { open, settled } = underWay('p', books, { rows, isWhole: true });
    expect(states(open)).toEqual(['c withheld', 'b dead']);
    expect(states(settled)).toEqual(['a unknown']);
  });

  it('is also what the books say where the list is not whole, or there is none', () => {
    const { open, settled } = underWay('p', books, { rows, isWhole: false });
    expect(states(open)).toEqual(['c withheld', 'b dead', 'a unknown']);
    expect(settled).toEqual([]);
    expect(underWay('p', books, null)).toEqual({ open: books, settled: [] });
  });
});

describe('the wallet’s last answer', () => {
  it('is in words where it is a code of ours, and else what was said', () => {
    expect(reasonText('no_answer')).toBe('The wallet did not answer');
    for (const said of ['insufficient_funds: No money.', 'constructor', null])
      expect(reasonText(said)).toBe(said);
  });
});

describe('an operation of the audit trail', () => {
  it('is in words, and one without words is named by its id', () => {
    expect(operationText('settlements.retry')).toBe('Ask the wallet again for a payment');
    for (const id of ['not.there', 'toString']) expect(operationText(id)).toBe(id);
  });
});
