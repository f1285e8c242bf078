import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callWallet } from '../../../tools/demo/wallet-call.ts';
import { readKeys } from '../../../tools/reference-wallet/keys.ts';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import type { RunningSystem } from '../../support/system.ts';
import { award } from './award.ts';
import { openPages } from './pages.ts';

const watchRollingDigits = readFileSync(join(import.meta.dirname, 'watch-rolling-digits.js'), 'utf8');
const patience = { timeout: patienceMs };

describe.skipIf(mayBeSkipped)('the page of the demo', () => {
  let system: RunningSystem;
  let page: Page;
  const faults: string[] = [];
  const jackpotNames = () => page.getByTestId('jackpot').getByRole('heading', { level: 2 }).allTextContents();
  const playAs = async (player: string) => {
    await page.getByTestId('player').selectOption(player);
    await page.getByTestId('connection').getByText('Live').waitFor();
    await page.getByTestId('pot').first().waitFor();
  };
  const send = async () => {
    await page.getByTestId('send').click();
    await page.getByTestId('answer').waitFor();
    await expect.poll(() => page.getByTestId('send').textContent(), patience).toBe('Send contribution');
  };
  const status = () => page.getByTestId('answer').getAttribute('data-status');

  beforeAll(async () => {
    const pages = await openPages();
    system = pages.system;
    page = await pages.browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    await page.goto(system.baseUrl);
  }, 240_000);

  afterAll(() => page?.close(), 60_000);

  it('connects as a player and shows the jackpots of the brand with their pots', async () => {
    await page.getByTestId('connection').getByText('Live').waitFor();
    const own = ['Aurora', 'Inner Circle', 'Side Bet', 'Final Whistle', 'Nightfall'];
    await expect.poll(jackpotNames, patience).toEqual(expect.arrayContaining(own));
    await page.getByTestId('pot').nth(4).waitFor();
    expect(await jackpotNames()).not.toContain('Vault');
  });

  it('sees a number move', async () => {
    const first = page.getByTestId('pot').first();
    const before = await first.getAttribute('data-atoms');
    await expect.poll(() => first.getAttribute('data-atoms'), patience).not.toBe(before);
  });

  it.each([1280, 390])('keeps rolling digits clear of the lines around them, %d wide', async (width) => {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(watchRollingDigits)).toBe(null);
  });

  it('counts down to the daily drop', async () => {
    const countdown = page.getByTestId('countdown').first();
    expect(await countdown.textContent()).toMatch(/^(Must drop|Draw) in \d/);
  });

  it('sends a contribution and shows its answer, then the same one again without counting it twice', async () => {
    await send();
    expect(await status()).toBe('200');
    const answer = page.getByTestId('answer');
    expect(await answer.textContent()).toContain('SEK');
    await answer.getByText('Headers of the answer').click();
    const contributionId = await answer.locator('dd').first().textContent();
    expect(contributionId).toMatch(/^[0-9a-f-]{36}$/);

    await page.getByTestId('repeat').click();
    await expect.poll(status, patience).toBe('204');
    expect(await answer.locator('dd').first().textContent()).toBe(contributionId);
  });

  it('shows a refusal in words', async () => {
    const wager = page.getByLabel('Wager');
    const before = await wager.inputValue();
    await wager.fill('99999999999');
    await send();
    expect(await status()).toBe('422');
    await page.getByTestId('answer').getByText('amount_out_of_range').waitFor();
    await wager.fill(before);
  });

  it('leaves a jackpot and joins it again, as the player', async () => {
    const toggle = page.getByTestId('opt-in').first();
    await expect.poll(() => toggle.getAttribute('aria-checked'), patience).toBe('true');
    await toggle.click();
    await expect.poll(() => toggle.getAttribute('aria-checked'), patience).toBe('false');
    await page.getByLabel('Where').selectOption({ label: 'Inner Circle' });
    await send();
    expect(await status()).toBe('422');
    await page.getByTestId('answer').getByText('player_opted_out').waitFor();
    await toggle.click();
    await expect.poll(() => toggle.getAttribute('aria-checked'), patience).toBe('true');
    await send();
    expect(await status()).toBe('200');
  });

  it('shows a player of the other brand its own jackpots, in its own currency', async () => {
    await playAs('helene');
    await expect.poll(jackpotNames, patience).toContain('Vault');
    expect(await page.getByTestId('pot').first().textContent()).toContain('€');
    await send();
    expect(await status()).toBe('200');
    expect(await page.getByTestId('answer').textContent()).toContain('€');
    await playAs('goro');
    expect(await page.getByTestId('pot').first().textContent()).toContain('¥');
  });

  it("debits the player's wallet for what the player pays, and shows it", async () => {
    await playAs('dylan');
    const balance = page.getByTestId('balance');
    const atoms = async () => BigInt((await balance.getAttribute('data-atoms')) ?? '0');
    await expect.poll(atoms, patience).toBeGreaterThan(0n);
    expect(await balance.textContent()).toContain('$');
    const before = await atoms();
    await page.getByLabel('Where').selectOption({ label: 'Side Bet' });
    // 5 % of it, which no wager of the demo's traffic comes to.
    await page.getByLabel('Wager').fill('33.40');
    await send();
    expect(await status()).toBe('200');
    await expect.poll(atoms, patience).not.toBe(before);
    expect(await debitsOf(system, 'dylan')).toContain(1.67);
  });

  it('celebrates a win and links it to its proof', async () => {
    await playAs('bruno');
    await award(system, 'Final Whistle', 'bruno');
    await page.getByTestId('celebration').waitFor();
    const winner = page
      .getByTestId('winners')
      .getByRole('listitem')
      .filter({ hasText: 'Final Whistle' })
      .first();
    await winner.waitFor();
    const proof = await winner.getByTestId('proof').getAttribute('href');
    expect(proof).toMatch(/^\/verify\?instance=[\w-]+&pot=whistle&at=\d+$/);
    await page.goto(`${system.baseUrl}${proof}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goBack();
    await page.getByTestId('connection').getByText('Live').waitFor();
  });

  it('comes back by itself when the fan-out was killed', async () => {
    await system.kill('fanout');
    await system.ready();
    await page.getByTestId('connection').getByText('Live').waitFor();
    const first = page.getByTestId('pot').first();
    const before = await first.getAttribute('data-atoms');
    await expect.poll(() => first.getAttribute('data-atoms'), patience).not.toBe(before);
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('has no serious fault of accessibility, %s, %d wide', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 844 });
    await page.evaluate(axe.source);
    const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
    const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });

  it('fits a phone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('had no script error and broke no rule of its content security policy', () => {
    expect(faults).toEqual([]);
  });
});

/** What the wallet says that the player was debited. */
async function debitsOf({ dataDirectory, credentials }: RunningSystem, player: string): Promise<number[]> {
  const keys = readKeys(dataDirectory)!;
  const answer = await callWallet(
    { url: credentials.wallet_url ?? '', keys },
    'GET',
    `/brands/demo:main/statements?from=0&to=${Date.now() + 1000}`,
  );
  const { transactions } = (answer?.body ?? { transactions: [] }) as {
    transactions: { player_id: string; transaction_type: string; amount: number }[];
  };
  return transactions
    .filter((one) => one.player_id === player && one.transaction_type === 'Debit')
    .map(({ amount }) => amount);
}
