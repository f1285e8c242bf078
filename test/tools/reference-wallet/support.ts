import type { TestWallet } from '../../wallet/support.ts';

/** A W3 of player ada, in EUR. */
export function transaction(changes: Readonly<Record<string, unknown>> = {}) {
  return {
    player_id: 'ada',
    transaction_id: 't-1',
    transaction_type: 'Debit',
    provider_id: 'potstream',
    amount: 1,
    jackpot_amount: 0,
    bonus_amount: 0,
    source_id: 'slot-1',
    gameround_id: 'round-1',
    gameround_complete: false,
    currency: 'EUR',
    ...changes,
  };
}

/** A W4 of credits; the totals are those of the records unless they are given. */
export function batch(
  records: readonly { player: string; id: string; amount: number; currency?: string }[],
  changes: Readonly<Record<string, unknown>> = {},
) {
  const cents = records.reduce((sum, one) => sum + Math.round(one.amount * 100), 0);
  return {
    batch_transaction_id: 'b-1',
    transaction_type: 'Credit',
    provider_id: 'potstream',
    amount: cents / 100,
    jackpot_amount: cents / 100,
    source_id: 'jackpot-1',
    gameround_id: 'win-1',
    gameround_complete: true,
    transactions: records.map(({ player, id, amount, currency = 'EUR' }) => ({
      transaction_id: id,
      player_id: player,
      currency,
      amount,
      jackpot_amount: amount,
    })),
    ...changes,
  };
}

export async function putPlayer(
  wallet: TestWallet,
  player: string,
  changes: Readonly<Record<string, unknown>> = {},
) {
  const fields = {
    brand_id: 'acme:main',
    player_id: player,
    currency: 'EUR',
    balance: '10',
    bonus_balance: '5',
  };
  const answer = await wallet.call('PUT', '/control/players', [{ ...fields, ...changes }]);
  if (answer.status !== 204) throw new Error(JSON.stringify(answer));
}

export async function balanceOf(wallet: TestWallet, player: string, brand = 'acme:main') {
  const { json } = await wallet.call('GET', `/control/players/${brand}/${player}`, '');
  const { balance, bonus_balance } = json as { balance: number; bonus_balance: number };
  return { balance, bonus_balance };
}

/** The books must be right whatever happened. */
export async function ledger(wallet: TestWallet) {
  const { json } = await wallet.call('GET', '/control/ledger', '');
  return json as {
    currencies: { currency: string; debited: number; credited: number; difference: number }[];
    debits_in_open_rounds: number;
    tombstones: number;
    cancelled_transactions: number;
    applied_more_than_once: string[];
  };
}
