import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../tools/wallet-verify/checks.ts';
import { verifyWallet } from '../../../tools/wallet-verify/verify-wallet.ts';
import { startTestWallet, type TestWallet } from '../../wallet/support.ts';
import { startMutant } from './mutant.ts';
import { brokenWallets } from './mutations.ts';
import { prepare } from './support.ts';

/** The reference wallet with one fault each: the kit finds it, and nothing else. */
describe('the conformance kit with a wallet that', () => {
  let wallet: TestWallet;
  beforeAll(async () => {
    wallet = await startTestWallet();
  });
  afterAll(() => wallet.stop());

  // Each waits for its own wallet most of the time.
  it.concurrent.each(brokenWallets)('$name', async ({ mutation, fails, failsMore }) => {
    const good = await startTestWallet();
    const mutant = await startMutant(good, mutation());
    try {
      const report = await verifyWallet(await prepare(good, mutant.url));
      const failed = report.results.filter(({ outcome }) => outcome === 'failed');
      const ids = failed.map(({ id }) => id);
      expect(ids).toEqual(failsMore === true ? expect.arrayContaining([...fails]) : fails);
      expect(report.certified).toBe(false);
      for (const { detail } of failed) expect(detail).not.toBe(null);
    } finally {
      await mutant.stop();
      await good.stop();
    }
  });

  it('says nothing wrong is certified behind the same server', async () => {
    const mutant = await startMutant(wallet, (request, behind) => behind.pass(request));
    const report = await verifyWallet(await prepare(wallet, mutant.url));
    expect(report.results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
    await mutant.stop();
  });

  it('loses the money of a player says what it was and is, and the path that was called', async () => {
    const mutant = await startMutant(wallet, async (request, behind) => {
      const isSecond = request.call === 'W3' && request.body?.player_id === 'bo';
      if (isSecond && request.body.transaction_type === 'Debit') return { status: 500, text: '' };
      return behind.pass(request, undefined, request.path.replace('/base', ''));
    });
    const report = await verifyWallet(await prepare(wallet, `${mutant.url}/base`));
    expect(report.remains[1]).toMatch(
      /^The balance of bo was [\d.]+ EUR and is [\d.]+ now: correct it by hand\.$/,
    );
    const failed = report.results.find(({ id }) => id === 'http.no-server-errors');
    expect(failed?.exchange?.path).toBe('/base/transactions');
    await mutant.stop();
  });

  it('there are more than ten of them, and they name checks that exist', () => {
    expect(brokenWallets.length).toBeGreaterThanOrEqual(10);
    const ids = new Set(checks.map(({ id }) => id));
    for (const { fails } of brokenWallets) for (const id of fails) expect(ids).toContain(id);
  });
});
