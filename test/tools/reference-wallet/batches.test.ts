import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { balanceOf, batch, putPlayer, transaction } from './support.ts';

let wallet: TestWallet;

beforeEach(async () => {
  wallet = await startTestWallet();
  for (const player of ['ada', 'bo', 'cy']) await putPlayer(wallet, player);
});
afterEach(() => wallet.stop());

const three = [
  { player: 'ada', id: 'r-1', amount: 0.1 },
  { player: 'bo', id: 'r-2', amount: 0.2 },
  { player: 'cy', id: 'r-3', amount: 0.4 },
];
const execute = (body: unknown) => wallet.call('POST', '/batches', body);
const cancel = (ids: readonly string[], id = 'b-1') =>
  wallet.call('POST', `/batches/${id}/cancel`, { gameround_id: null, transaction_id_list: ids });
const balances = async () =>
  Promise.all(['ada', 'bo', 'cy'].map(async (one) => (await balanceOf(wallet, one)).balance));

describe('W4 of the reference wallet', () => {
  it('executes every record', async () => {
    expect(await execute(batch(three))).toEqual({
      status: 200,
      json: { total_amount: 0.7, total_jackpot_amount: 0.7, errors: [], metadata: null },
    });
    expect(await balances()).toEqual([10.1, 10.2, 10.4]);
  });

  it('takes totals above the largest amount of one', async () => {
    const large = three.map((one) => ({ ...one, amount: 60_000_000_000 }));
    expect(await execute(batch(large))).toMatchObject({
      status: 200,
      json: { total_amount: 180_000_000_000, total_jackpot_amount: 180_000_000_000, errors: [] },
    });
  });

  it('names who could not be paid, and its totals are of the others', async () => {
    const mixed = [three[0]!, { ...three[1]!, player: 'eve' }, { ...three[2]!, currency: 'USD' }];
    expect(await execute(batch(mixed))).toEqual({
      status: 200,
      json: {
        total_amount: 0.1,
        total_jackpot_amount: 0.1,
        errors: [
          { player_id: 'eve', code: 'player_unknown', msg: 'There is no such player.' },
          { player_id: 'cy', code: 'currency_mismatch', msg: 'The currency is not the one of the player.' },
        ],
        metadata: null,
      },
    });
    const alone = {
      player_id: 'cy',
      transaction_id: 'r-3',
      transaction_type: 'Credit',
      amount: 0.4,
      jackpot_amount: 0.4,
    };
    expect(await wallet.call('POST', '/transactions', transaction(alone))).toMatchObject({ status: 200 });
    expect(await balances()).toEqual([10.1, 10, 10.4]);
  });

  it('answers a repeat byte for byte, and pays once', async () => {
    const mixed = JSON.stringify(batch([three[0]!, { ...three[1]!, player: 'eve' }]));
    const first = await wallet.raw('POST', '/batches', mixed);
    await putPlayer(wallet, 'eve');
    expect(await wallet.raw('POST', '/batches', mixed)).toEqual(first);
    expect(await balances()).toEqual([10.1, 10, 10]);
    expect(await execute(batch(three))).toMatchObject({ status: 422, json: { code: 'batch_conflict' } });
  });

  it('counts a record that was executed alone as accepted', async () => {
    const alone = { transaction_id: 'r-1', transaction_type: 'Credit', amount: 0.1, jackpot_amount: 0.1 };
    await wallet.call('POST', '/transactions', transaction(alone));
    expect(await execute(batch(three))).toMatchObject({ json: { total_amount: 0.7, errors: [] } });
    expect(await balances()).toEqual([10.1, 10.2, 10.4]);
    expect(await wallet.call('POST', '/transactions', transaction(alone))).toMatchObject({
      json: { balance: 10.1 },
    });
  });

  it('refuses debits of those who cannot pay, and takes the others', async () => {
    const debits = [three[0]!, { ...three[1]!, amount: 11 }];
    expect(await execute(batch(debits, { transaction_type: 'Debit' }))).toMatchObject({
      status: 200,
      json: { total_amount: 0.1, errors: [{ player_id: 'bo', code: 'insufficient_funds' }] },
    });
    expect(await balances()).toEqual([9.9, 10, 10]);
    await wallet.call('POST', '/control/deposits', [{ brand_id: 'acme:main', player_id: 'bo', amount: '5' }]);
    const alone = { player_id: 'bo', transaction_id: 'r-2', amount: 11, gameround_id: 'win-1' };
    expect(await wallet.call('POST', '/transactions', transaction(alone))).toMatchObject({
      status: 422,
      json: { code: 'insufficient_funds' },
    });
  });

  it('closes the round that a batch of debits names behind all its records', async () => {
    const round = { transaction_type: 'Debit', gameround_id: 'round-9', gameround_complete: true };
    expect(await execute(batch(three, round))).toMatchObject({ status: 200, json: { errors: [] } });
    expect(await execute(batch(three, round))).toMatchObject({ status: 200, json: { errors: [] } });
    const late = { player_id: 'ada', transaction_id: 'late', gameround_id: 'round-9' };
    expect(await wallet.call('POST', '/transactions', transaction(late))).toMatchObject({
      status: 422,
      json: { code: 'round_closed' },
    });
    const others = three.map((one, index) => ({ ...one, id: `late-${index}` }));
    const second = batch(others, { ...round, batch_transaction_id: 'b-9', gameround_complete: null });
    expect(await execute(second)).toMatchObject({
      json: { total_amount: 0, errors: three.map(() => ({ code: 'round_closed' })) },
    });
  });

  it.each([
    ['wrong totals', batch(three, { amount: 0.71 }), 422, 'batch_totals_mismatch'],
    ['wrong jackpot totals', batch(three, { jackpot_amount: 0 }), 422, 'batch_totals_mismatch'],
    ['a player twice', batch([three[0]!, { ...three[1]!, player: 'ada' }]), 422, 'duplicate_player'],
    ['an id twice', batch([three[0]!, { ...three[1]!, id: 'r-1' }]), 422, 'duplicate_transaction'],
    ['no record', batch([]), 400, 'invalid_request'],
  ])('refuses a batch with %s whole', async (_, body, status, code) => {
    expect(await execute(body)).toMatchObject({ status, json: { status_code: status, code } });
    expect(await balances()).toEqual([10, 10, 10]);
  });

  it('takes a thousand records', async () => {
    const players = Array.from({ length: 1000 }, (_, index) => `p-${index}`);
    await wallet.call(
      'PUT',
      '/control/players',
      players.map((player_id) => ({ brand_id: 'acme:main', player_id, currency: 'EUR' })),
    );
    const body = batch(players.map((player) => ({ player, id: `r-${player}`, amount: 0.01 })));
    expect(await execute(body)).toMatchObject({ status: 200, json: { total_amount: 10, errors: [] } });
  });
});

describe('W5 of the reference wallet', () => {
  it('cancels the named records, and answers the same again', async () => {
    await execute(batch(three));
    expect(await cancel(['r-1', 'r-3'])).toEqual({ status: 200, json: { success: true } });
    expect(await cancel(['r-1', 'r-3'])).toEqual({ status: 200, json: { success: true } });
    expect(await balances()).toEqual([10, 10.2, 10]);
    expect(await execute(batch(three))).toMatchObject({ status: 200, json: { total_amount: 0.7 } });
  });

  it('cancels all where none is named; then the batch is refused', async () => {
    await execute(batch(three));
    expect(await cancel([])).toEqual({ status: 200, json: { success: true } });
    expect(await balances()).toEqual([10, 10, 10]);
    expect(await execute(batch(three))).toMatchObject({ status: 422, json: { code: 'batch_cancelled' } });
  });

  it('cancels everything that is named or nothing', async () => {
    await execute(batch(three));
    await wallet.call('POST', '/transactions', transaction({ player_id: 'cy', amount: 10.4 }));
    expect(await cancel([])).toMatchObject({ status: 422, json: { code: 'insufficient_funds' } });
    expect(await cancel(['r-1', 'other'])).toMatchObject({
      status: 422,
      json: { code: 'transaction_not_in_batch' },
    });
    expect(await balances()).toEqual([10.1, 10.2, 0]);
  });

  it('leaves no way to execute a batch that it did not know, nor its records', async () => {
    expect(await cancel(['r-1'])).toMatchObject({ status: 404, json: { code: 'batch_not_found' } });
    expect(await execute(batch(three))).toMatchObject({ status: 422, json: { code: 'batch_cancelled' } });
    const other = await execute(batch(three, { batch_transaction_id: 'b-2' }));
    expect(other).toMatchObject({ json: { errors: [{ player_id: 'ada', code: 'transaction_cancelled' }] } });
  });
});
