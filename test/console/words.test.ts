import { describe, expect, it } from 'vitest';
import { conditionOf, consequenceOf, dangerOf, verbsOf } from '../../console/src/screens/money/words.ts';
import { whereIsTheMoney } from '../../console/src/screens/player/sentence.ts';

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

describe('where is my money?', () => {
  const payment = {
    kind: 'win',
    state: 'withheld',
    transaction_id: 't-1',
    paid_amount: '1234.5',
    paid_currency: 'EUR',
    opened_timestamp: 1,
    changed_timestamp: 2,
    closed_timestamp: null,
  };
  const ask = (open: readonly object[], payments: readonly object[], wins: readonly object[] = []) =>
    whereIsTheMoney({ open_payments: open, payments, wins } as never, (ms) => `time ${ms}`);

  it.each([
    ['withheld', 'checked by a person'],
    ['unknown', 'not yet confirmed'],
    ['dead', 'could not be paid'],
    ['pending', 'on its way'],
  ])('%s: it is %s', (state, words) => {
    const said = ask([{ ...payment, state }], []);
    expect(said).toContain(words);
    expect(said).toMatch(/1.?234.50 EUR from time 1 .*transaction t-1/);
  });

  it('names every payment under way, but no debit', () => {
    expect(ask([payment, { ...payment, transaction_id: 't-2' }], [])).toMatch(/t-1.*t-2/);
    expect(ask([{ ...payment, kind: 'debit' }], [])).toBe('There is no win on record for this player.');
  });

  it('names the last win that was paid, or that there is none', () => {
    const settled = { ...payment, state: 'settled', closed_timestamp: 3 };
    expect(ask([], [settled], [{}])).toMatch(/paid on time 3 \(transaction t-1\)/);
    expect(ask([], [], [{}])).toContain('none of the newest was paid through a wallet');
  });
});
