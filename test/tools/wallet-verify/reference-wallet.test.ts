import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../tools/wallet-verify/checks.ts';
import { type ConformanceReport, verifyWallet } from '../../../tools/wallet-verify/verify-wallet.ts';
import { startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { balanceOf, ledger } from '../reference-wallet/support.ts';
import { prepare } from './support.ts';

let wallet: TestWallet;
let report: ConformanceReport;
beforeAll(async () => {
  wallet = await startTestWallet();
  report = await verifyWallet(await prepare(wallet, `${wallet.url}/brands/acme:main/`));
});
afterAll(() => wallet.stop());

describe('the conformance kit with the reference wallet', () => {
  it('runs at least 40 checks, each with an id, a rule and advice of its own', () => {
    expect(checks.length).toBeGreaterThanOrEqual(40);
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    expect(new Set(checks.map(({ rule }) => rule)).size).toBe(checks.length);
    for (const { id, advice } of checks) {
      expect(id).toMatch(/^[a-z0-9]+\.[a-z0-9-]+$/);
      expect(advice).not.toBe('');
    }
  });

  it('certifies it', () => {
    const failed = report.results.filter(({ outcome }) => outcome !== 'passed');
    expect(failed.map(({ id, detail, exchange }) => ({ id, detail, text: exchange?.text }))).toEqual([]);
    expect(report.certified).toBe(true);
    expect(report.results.length).toBe(checks.length);
    expect(report.latencies.map(({ call }) => call)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5']);
  });

  it('leaves the balances as they were', async () => {
    expect(report.remains).toEqual([
      'The balance of ada is what it was.',
      'The balance of bo is what it was.',
      'The balance of goro is what it was.',
      'The balance of farah is what it was.',
    ]);
    for (const player of ['ada', 'bo', 'farah'])
      expect(await balanceOf(wallet, player)).toMatchObject({ balance: 12.34 });
    expect(await balanceOf(wallet, 'goro')).toMatchObject({ balance: 1234 });
    const books = await ledger(wallet);
    expect(books.applied_more_than_once).toEqual([]);
    for (const { difference } of books.currencies) expect(difference).toBe(0);
  });

  it('asks all of it again another time', async () => {
    const again = await verifyWallet(await prepare(wallet));
    expect(again.certified).toBe(true);
  });
});
