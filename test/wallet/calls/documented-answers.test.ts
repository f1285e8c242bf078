import { expect, it } from 'vitest';
import { undocumentedMember } from '../../../src/wallet/calls/documented-answers.ts';
import { creditCall, debitCall } from '../../../src/wallet/calls/execute-transaction.ts';
import { judge } from '../../../src/wallet/client/answer.ts';
import type { WalletCallName } from '../../../src/wallet/client/brand-client.ts';
import { credit, debit } from './records.ts';

const session = '"id":"ada","operator_id":"acme","brand_id":"main","currency":"EUR"';
const totals = '"total_amount":1,"total_jackpot_amount":"1.00"';
const failed = '{"player_id":"ada","code":"closed","msg":"No."}';

/** The member that is not as documented; null: it is an answer. */
it.each<readonly [WalletCallName, string, string | null]>([
  ['W1', `{${session},"balance":1}`, null],
  [
    'W1',
    `{${session},"balance":1,"token":"t","nickname":"","gender":null,"segments":["a"],"max_bet":""}`,
    null,
  ],
  ['W1', `{${session},"balance":1,"max_bet":"5.00","vip":{"since":[1]}}`, null],
  ['W1', `{${session}}`, 'balance'],
  ['W1', `{${session},"balance":"NaN"}`, 'balance'],
  ['W1', '{"id":7,"operator_id":"acme","brand_id":"main","currency":"EUR","balance":1}', 'id'],
  ['W1', '{"id":"ada","operator_id":"acme","currency":"EUR","balance":1}', 'brand_id'],
  ['W1', `{${session},"balance":1,"nickname":7}`, 'nickname'],
  ['W1', `{${session},"balance":1,"date_of_birth":19800101}`, 'date_of_birth'],
  ['W1', `{${session},"balance":1,"segments":"gold"}`, 'segments'],
  ['W1', `{${session},"balance":1,"max_bet":"high"}`, 'max_bet'],
  ['W2', '{"balance":"1"}', null],
  ['W2', '{}', 'balance'],
  ['W3', '{"balance":99.99999999999999,"metadata":null}', null],
  ['W3', '{"balance":-5.5}', null],
  ['W3', '{"balance":1e30}', null],
  ['W3', '{"balance":"99.99999999999999","metadata":7,"status":"OK"}', null],
  ['W3', '{"balance":"-12.5"}', null],
  ...[
    '"NaN"',
    '"Infinity"',
    '1e999',
    '-1e999',
    '""',
    '" 1"',
    '"1,5"',
    '"1e2"',
    '"0x10"',
    '"+1"',
    '"one"',
  ].map((balance) => ['W3', `{"balance":${balance}}`, 'balance'] as const),
  ...['null', 'true', '[]', '{}', '[1]'].map(
    (balance) => ['W3', `{"balance":${balance}}`, 'balance'] as const,
  ),
  ['W3', '{"Balance":1}', 'balance'],
  ['W3', '[{"balance":1}]', ''],
  ['W3', 'null', ''],
  ['W3', '7', ''],
  ['W4', `{${totals},"errors":[],"metadata":null}`, null],
  ['W4', `{${totals},"errors":[${failed}]}`, null],
  ['W4', `{${totals}}`, null],
  ['W4', `{${totals},"errors":null}`, null],
  ['W4', '{"total_amount":1,"errors":[]}', 'total_jackpot_amount'],
  ['W4', '{"total_amount":"NaN","total_jackpot_amount":1,"errors":[]}', 'total_amount'],
  ['W4', `{${totals},"errors":{}}`, 'errors'],
  ['W4', `{${totals},"errors":[{"player_id":"ada","code":7,"msg":"No."}]}`, 'errors.0.code'],
  ['W5', '{"success":true}', null],
  ['W5', '{"success":false}', null],
  ['W5', '{"success":"true"}', 'success'],
  ['W5', '{}', 'success'],
])('%s answered with %s', (name, body, member) => {
  expect(undocumentedMember(name, JSON.parse(body))).toBe(member);
});

it('a transaction whose balance is no number may have happened, or not', () => {
  for (const { isAnswer } of [debitCall(debit), creditCall(credit)]) {
    expect(judge(200, '{"balance":"NaN"}', isAnswer)).toEqual({ kind: 'unknown', reason: 'garbage' });
    expect(judge(200, '{"balance":null}', isAnswer)).toEqual({ kind: 'unknown', reason: 'garbage' });
    expect(judge(200, '{"balance":1}', isAnswer)).toMatchObject({ kind: 'accepted' });
  }
});
