import { expect, it } from 'vitest';
import { startTestWallet } from '../../wallet/support.ts';
import { balanceOf, batch, ledger, putPlayer, transaction } from './support.ts';

it('knows everything again after a restart', async () => {
  const wallet = await startTestWallet();
  await putPlayer(wallet, 'ada');
  const bodies = {
    '/transactions': JSON.stringify(transaction()),
    '/batches': JSON.stringify(batch([{ player: 'ada', id: 'r-1', amount: 0.5 }])),
    '/transactions/unknown/cancel': '{}',
  };
  const call = () =>
    Promise.all(Object.entries(bodies).map(([path, body]) => wallet.raw('POST', path, body)));
  const first = await call();
  const statements = await wallet.raw('GET', '/statements?from=0&to=9000000000000', '');
  await wallet.restart();
  expect(await call()).toEqual(first);
  expect(await wallet.raw('GET', '/statements?from=0&to=9000000000000', '')).toEqual(statements);
  const late = transaction({ transaction_id: 'unknown' });
  expect(await wallet.call('POST', '/transactions', late)).toMatchObject({
    json: { code: 'transaction_cancelled' },
  });
  expect(await balanceOf(wallet, 'ada')).toMatchObject({ balance: 9.5 });
  expect(await ledger(wallet)).toEqual({
    currencies: [
      {
        currency: 'EUR',
        debits: 1,
        credits: 1,
        debited: 1,
        credited: 0.5,
        cancelled_debits: 0,
        cancelled_credits: 0,
        balances: 14.5,
        difference: 0,
      },
    ],
    cancelled_transactions: 0,
    tombstones: 1,
    debits_in_open_rounds: 1,
    applied_more_than_once: [],
  });
  await wallet.stop();
});

it('sums more money than an integer of the database holds', async () => {
  const wallet = await startTestWallet();
  for (const player of ['ada', 'bo', 'cy']) await putPlayer(wallet, player, { balance: '90000000000' });
  const { currencies } = await ledger(wallet);
  expect(currencies).toMatchObject([{ currency: 'EUR', balances: 270_000_000_015, difference: 0 }]);
  await wallet.stop();
});

it('shows every change of a balance', async () => {
  const wallet = await startTestWallet();
  await putPlayer(wallet, 'ada');
  await wallet.call('POST', '/transactions', transaction({ amount: 2, bonus_amount: 0.5 }));
  await wallet.call('POST', '/transactions/t-1/cancel', {});
  const { json } = await wallet.call('GET', '/control/ledger/movements', '');
  expect(json).toMatchObject({
    movements: [
      { kind: 'deposit', transaction_id: null, amount: 10, bonus_amount: 5 },
      { kind: 'apply', transaction_id: 't-1', amount: -1.5, bonus_amount: -0.5 },
      { kind: 'cancel', transaction_id: 't-1', amount: 1.5, bonus_amount: 0.5 },
    ],
    next: null,
  });
  await wallet.stop();
});
