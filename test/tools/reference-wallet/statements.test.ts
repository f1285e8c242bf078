import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keys, startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { batch, putPlayer, transaction } from './support.ts';

let wallet: TestWallet;

beforeEach(async () => {
  wallet = await startTestWallet();
  await putPlayer(wallet, 'ada', { balance: '100000' });
  await putPlayer(wallet, 'bo', { brand_id: 'acme:vip' });
});
afterEach(() => wallet.stop());

interface Page {
  readonly transactions: { transaction_id: string; timestamp: number }[];
  readonly next: string | null;
}

async function page(from: number, to: number, cursor: string | null = null, below = ''): Promise<Page> {
  const query = new URLSearchParams({ from: `${from}`, to: `${to}`, ...(cursor === null ? {} : { cursor }) });
  const { status, json } = await wallet.call('GET', `${below}/statements?${query}`, '');
  expect(status).toBe(200);
  return json as Page;
}

describe('GET /statements of the reference wallet', () => {
  it('has the transactions of a period, and what became of them', async () => {
    const startMs = wallet.nowMs;
    await wallet.call('POST', '/transactions', transaction({ amount: 0.1, bonus_amount: 0.05 }));
    wallet.nowMs += 10;
    await wallet.call('POST', '/batches', batch([{ player: 'bo', id: 'r-1', amount: 2 }]));
    wallet.nowMs += 10;
    await wallet.call('POST', '/transactions', transaction({ transaction_id: 't-2' }));
    await wallet.call('POST', '/transactions/t-1/cancel', {});
    expect(await page(startMs, startMs + 20)).toEqual({
      transactions: [
        {
          transaction_id: 't-1',
          batch_id: null,
          transaction_type: 'Debit',
          player_id: 'ada',
          brand_id: 'acme:main',
          amount: 0.1,
          bonus_amount: 0.05,
          currency: 'EUR',
          timestamp: startMs,
          state: 'cancelled',
        },
        {
          transaction_id: 'r-1',
          batch_id: 'b-1',
          transaction_type: 'Credit',
          player_id: 'bo',
          brand_id: 'acme:vip',
          amount: 2,
          bonus_amount: 0,
          currency: 'EUR',
          timestamp: startMs + 10,
          state: 'done',
        },
      ],
      next: null,
    });
    const ofBrand = await page(startMs, startMs + 100, null, '/brands/acme:vip');
    expect(ofBrand.transactions.map((one) => one.transaction_id)).toEqual(['r-1']);
  });

  it('has a thousand on a page, and misses none and repeats none while others arrive', async () => {
    const startMs = wallet.nowMs;
    const write = (name: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          // Ids are in no order of time.
          const id = `${(index * 7919) % 10_007}-${name}`;
          return wallet.call('POST', '/transactions', transaction({ transaction_id: id, amount: 0.01 }));
        }),
      );
    await write('first', 1100);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const one: Page = await page(startMs, startMs + 1_000_000, cursor);
      seen.push(...one.transactions.map((each) => each.transaction_id));
      expect(one.transactions.length).toBeLessThanOrEqual(1000);
      cursor = one.next;
      if (seen.length <= 2100) await write(`more-${seen.length}`, 100);
    } while (cursor !== null);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBeGreaterThanOrEqual(1200);
    const again: string[] = [];
    do {
      const one: Page = await page(startMs, startMs + 1_000_000, cursor);
      again.push(...one.transactions.map((each) => each.transaction_id));
      cursor = one.next;
    } while (cursor !== null);
    expect(again.slice(0, seen.length)).toEqual(seen);
  });

  it.each(['', '?from=1', '?from=a&to=2', '?from=1&to=2&cursor=x', '?from=-1&to=2'])(
    'refuses %s',
    async (query) => {
      const answer = await wallet.call('GET', `/statements${query}`, '');
      expect(answer).toMatchObject({ status: 400, json: { status_code: 400, code: 'invalid_request' } });
    },
  );

  it('is for those who have the keys', async () => {
    const answer = await wallet.call('GET', '/statements?from=1&to=2', '', {
      'x-server-authorization': keys.hmacSecret,
    });
    expect(answer.status).toBe(401);
  });
});
