import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { balanceOf, ledger, putPlayer, transaction } from './support.ts';

let wallet: TestWallet;

beforeEach(async () => {
  wallet = await startTestWallet();
  await putPlayer(wallet, 'ada');
});
afterEach(() => wallet.stop());

const execute = (changes: Readonly<Record<string, unknown>> = {}) =>
  wallet.call('POST', '/transactions', transaction(changes));
const cancel = (id: string, body: unknown = { gameround_id: null, player_id: null }) =>
  wallet.call('POST', `/transactions/${id}/cancel`, body);
const refusal = (status: number, code: string) => ({
  status,
  json: { status_code: status, code, message: expect.any(String) },
});

describe('W3 of the reference wallet', () => {
  it('takes a debit and gives a credit', async () => {
    expect(await execute({ amount: 2.5 })).toEqual({ status: 200, json: { balance: 7.5, metadata: null } });
    const credit = { transaction_id: 't-2', transaction_type: 'Credit', amount: 0.01, jackpot_amount: 0.01 };
    expect(await execute(credit)).toEqual({ status: 200, json: { balance: 7.51, metadata: null } });
  });

  it('counts exactly where doubles do not', async () => {
    for (let index = 0; index < 10; index += 1) await execute({ transaction_id: `t-${index}`, amount: 0.1 });
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 9 });
    await putPlayer(wallet, 'bo', { balance: '80000000000.00000001' });
    const body = JSON.stringify(transaction({ player_id: 'bo', transaction_id: 'big', amount: 0 })).replace(
      '"amount":0,',
      '"amount":80000000000.00000000000,',
    );
    const { text } = await wallet.raw('POST', '/transactions', body);
    expect(text).toBe('{"balance":0.00000001,"metadata":null}');
    const odd = body.replace('80000000000.00000000000', '0.000000010').replace('"big"', '"small"');
    expect((await wallet.raw('POST', '/transactions', odd)).text).toBe('{"balance":0,"metadata":null}');
  });

  it('keeps every digit of a number that a double does not hold', async () => {
    await putPlayer(wallet, 'bo', { balance: '80000000000.00000001' });
    const body = JSON.stringify(transaction({ player_id: 'bo', transaction_id: 'odd', amount: 0 }));
    const exact = body.replace('"amount":0,', '"amount":79999999999.99999999,');
    expect((await wallet.raw('POST', '/transactions', exact)).text).toBe(
      '{"balance":0.00000002,"metadata":null}',
    );
  });

  it('answers a repeat byte for byte, and moves the money once', async () => {
    const first = await wallet.raw('POST', '/transactions', JSON.stringify(transaction()));
    await execute({ transaction_id: 't-2', amount: 3 });
    const again = await wallet.raw('POST', '/transactions', JSON.stringify(transaction()));
    expect(again).toEqual(first);
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 6 });
    const reordered = Object.fromEntries(Object.entries(transaction({ amount: '1.00' })).reverse());
    expect(await wallet.raw('POST', '/transactions', JSON.stringify(reordered))).toEqual(first);
  });

  it('moves the money once for 64 callers at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 64 }, () => execute({ amount: 4 })));
    expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ status: 200, json: { balance: 6, metadata: null } })]),
    );
    expect((await ledger(wallet)).applied_more_than_once).toEqual([]);
  });

  it.each([
    ['amount', { amount: 1.01 }],
    ['type', { transaction_type: 'Credit' }],
    ['game round', { gameround_id: 'round-2' }],
    ['metadata', { metadata: { a: 1 } }],
  ])('refuses a known id with another %s', async (_, changes) => {
    await execute();
    expect(await execute(changes)).toEqual(refusal(422, 'transaction_conflict'));
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 9 });
  });

  it.each([
    ['more than there is', { amount: 10.00000001 }, 422, 'insufficient_funds'],
    ['an unknown player', { player_id: 'eve' }, 422, 'player_unknown'],
    ['another currency', { currency: 'USD' }, 422, 'currency_mismatch'],
    ['a negative amount', { amount: -1 }, 422, 'amount_out_of_range'],
    ['more than 8 decimals', { amount: '0.000000001' }, 422, 'amount_precision'],
    ['more than an amount can be', { amount: 9e10 + 1 }, 422, 'amount_out_of_range'],
    [
      'a credit beyond any balance',
      { transaction_type: 'Credit', amount: 9e10 },
      422,
      'balance_out_of_range',
    ],
    ['more bonus than amount', { amount: 1, bonus_amount: 2 }, 422, 'bonus_exceeds_amount'],
    ['more bonus than there is', { amount: 6, bonus_amount: 6 }, 422, 'insufficient_bonus_funds'],
    ['no id', { transaction_id: '' }, 400, 'invalid_request'],
    ['an exponent of many digits', { amount: '1e3' }, 400, 'invalid_request'],
  ])('refuses %s, and moves nothing', async (_, changes, status, code) => {
    expect(await execute(changes)).toEqual(refusal(status, code));
    expect(await balanceOf(wallet, 'ada')).toEqual({ balance: 10, bonus_balance: 5 });
    expect(await execute({ transaction_id: 't-2' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['cannot be paid', { amount: 11 }, 'insufficient_funds'],
    ['is of an unknown player', { player_id: 'eve' }, 'player_unknown'],
    ['is of a closed round', { gameround_id: 'closed' }, 'round_closed'],
  ])('refuses a debit for ever that %s, whatever changes', async (_, changes, code) => {
    const closing = { transaction_type: 'Credit', gameround_id: 'closed', gameround_complete: true };
    await execute({ ...closing, transaction_id: 'close', amount: 0 });
    expect(await execute(changes)).toEqual(refusal(422, code));
    await putPlayer(wallet, 'eve');
    await cancel('close');
    await execute({ transaction_id: 't-2', transaction_type: 'Credit', amount: 5 });
    expect(await execute(changes)).toEqual(refusal(422, code));
    expect(await execute({ ...changes, transaction_type: 'Credit' })).toEqual(refusal(422, code));
    expect(await cancel('t-1')).toEqual(refusal(404, 'transaction_not_found'));
    expect(await execute(changes)).toEqual(refusal(422, code));
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 15 });
  });

  it('takes a refused credit when it arrives again and can be executed', async () => {
    const credit = { transaction_type: 'Credit', player_id: 'eve' };
    expect(await execute(credit)).toEqual(refusal(422, 'player_unknown'));
    await putPlayer(wallet, 'eve');
    expect(await execute(credit)).toMatchObject({ status: 200, json: { balance: 11 } });
  });

  it('answers a known debit as before after a request of its id was refused', async () => {
    const first = await execute();
    expect(await execute({ player_id: 'eve' })).toEqual(refusal(422, 'player_unknown'));
    expect(await execute({ amount: 1_000 })).toEqual(refusal(422, 'transaction_conflict'));
    expect(await execute()).toEqual(first);
  });

  it('draws the bonus amount from the bonus funds, the rest from the balance', async () => {
    expect(await execute({ amount: 3, bonus_amount: 2, bonus_id: 'free-1' })).toMatchObject({
      json: { balance: 9 },
    });
    expect(await balanceOf(wallet, 'ada')).toEqual({ balance: 9, bonus_balance: 3 });
    await cancel('t-1');
    expect(await balanceOf(wallet, 'ada')).toEqual({ balance: 10, bonus_balance: 5 });
  });

  it('refuses debits of a closed round, and takes late credits', async () => {
    const closing = {
      transaction_id: 'close',
      transaction_type: 'Credit',
      amount: 0,
      gameround_complete: true,
    };
    expect(await execute(closing)).toMatchObject({ status: 200, json: { balance: 10 } });
    expect(await execute()).toEqual(refusal(422, 'round_closed'));
    // A round is known by its id alone.
    await putPlayer(wallet, 'bo');
    expect(await execute({ transaction_id: 't-4', player_id: 'bo' })).toEqual(refusal(422, 'round_closed'));
    expect(await execute({ transaction_id: 't-2', transaction_type: 'Credit' })).toMatchObject({
      status: 200,
    });
    await cancel('close');
    expect(await execute({ transaction_id: 't-3' })).toMatchObject({ status: 200 });
  });

  it('credits players without a session', async () => {
    expect(await execute({ transaction_type: 'Credit' })).toMatchObject({
      status: 200,
      json: { balance: 11 },
    });
  });

  it('asks for the brand where two have a player of the same id', async () => {
    await putPlayer(wallet, 'ada', { brand_id: 'acme:vip', balance: '3' });
    expect(await execute()).toEqual(refusal(422, 'player_ambiguous'));
    const other = transaction({ transaction_id: 't-2' });
    const answer = await wallet.call('POST', '/brands/acme:vip/transactions', other);
    expect(answer).toMatchObject({ status: 200, json: { balance: 2 } });
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 10 });
    expect(await wallet.call('POST', '/brands/nobody/transactions', transaction())).toMatchObject({
      status: 404,
    });
  });
});

describe('W2 of the reference wallet', () => {
  it('gives a debit back, once, and answers the same again', async () => {
    await execute({ amount: 0.3 });
    const first = await wallet.raw(
      'POST',
      '/transactions/t-1/cancel',
      '{"player_id":"ada","gameround_id":"round-1"}',
    );
    expect(first).toEqual({ status: 200, text: '{"balance":"10"}' });
    await execute({ transaction_id: 't-2', amount: 1 });
    expect(await wallet.raw('POST', '/transactions/t-1/cancel', '{}')).toEqual(first);
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 9 });
  });

  it('takes a credit back, unless the money is gone', async () => {
    await execute({ transaction_type: 'Credit', amount: 5 });
    await execute({ transaction_id: 't-2', amount: 12 });
    expect(await cancel('t-1')).toEqual(refusal(422, 'insufficient_funds'));
    await wallet.call('POST', '/control/deposits', [
      { brand_id: 'acme:main', player_id: 'ada', amount: '2' },
    ]);
    expect(await cancel('t-1')).toEqual({ status: 200, json: { balance: '0' } });
  });

  it('refuses an id that was cancelled, before or after it was executed', async () => {
    expect(await cancel('t-1')).toEqual(refusal(404, 'transaction_not_found'));
    expect(await cancel('t-1')).toEqual(refusal(404, 'transaction_not_found'));
    expect(await execute()).toEqual(refusal(422, 'transaction_cancelled'));
    await execute({ transaction_id: 't-2' });
    await cancel('t-2');
    expect(await execute({ transaction_id: 't-2' })).toEqual(refusal(422, 'transaction_cancelled'));
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 10 });
  });

  it.each([{ player_id: 'eve' }, { gameround_id: 'round-2' }])(
    'refuses %o of another, and cancels nothing',
    async (of) => {
      await execute();
      expect(await cancel('t-1', of)).toEqual(refusal(422, 'transaction_mismatch'));
      expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 9 });
    },
  );

  it('takes ids of every spelling', async () => {
    const id = 'a/b ü?%';
    await execute({ transaction_id: id });
    expect(await cancel(encodeURIComponent(id))).toEqual({ status: 200, json: { balance: '10' } });
  });

  it('ends every race with W3 in one of two ways', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `race-${index}`);
    await Promise.all(
      ids.flatMap((id) => [
        execute({ transaction_id: id, amount: 0.1 }),
        cancel(id),
        execute({ transaction_id: id, amount: 0.1 }),
      ]),
    );
    expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 10 });
    const { currencies, applied_more_than_once } = await ledger(wallet);
    expect(currencies).toMatchObject([{ currency: 'EUR', debited: 0, difference: 0 }]);
    expect(applied_more_than_once).toEqual([]);
  });
});
