import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningSystem, startSystem } from '../support/system.ts';

const chromiumPath = '/usr/bin/chromium';
const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const hasBrowser = existsSync(chromiumPath);
const mayBeSkipped = !hasBrowser && !process.env.CI;
if (mayBeSkipped) console.warn(`The browser tests are skipped: there is no Chromium at ${chromiumPath}.`);

describe.skipIf(mayBeSkipped)('the page of the demo', () => {
  let system: RunningSystem;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    system = await startSystem();
    browser = await chromium.launch({ executablePath: chromiumPath, args: browserFlags });
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    await page.goto(system.baseUrl);
  }, 240_000);

  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  }, 60_000);

  it('connects and shows every jackpot with its pots', async () => {
    await page.getByTestId('connection').getByText('Live').waitFor();
    await page.getByTestId('jackpot').nth(2).waitFor();
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(
      expect.arrayContaining(['Aurora', 'Inner Circle', 'Final Whistle']),
    );
    expect(await page.getByTestId('pot').count()).toBe(5);
  });

  it('sees a number move', async () => {
    const first = page.getByTestId('pot').first();
    const before = await first.getAttribute('data-atoms');
    await expect.poll(() => first.getAttribute('data-atoms'), { timeout: 30_000 }).not.toBe(before);
  });

  it('sends a contribution and shows its answer, then the same one again without counting it twice', async () => {
    await page.getByTestId('send').click();
    const answer = page.getByTestId('answer');
    await answer.waitFor();
    expect(await answer.getAttribute('data-status')).toBe('200');
    await answer.getByText('Headers of the answer').click();
    const contributionId = await answer.locator('dd').first().textContent();
    expect(contributionId).toMatch(/^[0-9a-f-]{36}$/);

    await page.getByTestId('repeat').click();
    await expect.poll(() => answer.getAttribute('data-status')).toBe('204');
    expect(await answer.locator('dd').first().textContent()).toBe(contributionId);
  });

  it('shows a refusal in words', async () => {
    const wager = page.getByLabel('Wager');
    const before = await wager.inputValue();
    await wager.fill('99999999999');
    await page.getByTestId('send').click();
    const answer = page.getByTestId('answer');
    await expect.poll(() => answer.getAttribute('data-status')).toBe('422');
    await answer.getByText('amount_out_of_range').waitFor();
    await wager.fill(before);
  });

  it('comes back by itself when the fan-out was killed', async () => {
    await system.kill('fanout');
    await system.ready();
    await page.getByTestId('connection').getByText('Live').waitFor({ timeout: 30_000 });
    const first = page.getByTestId('pot').first();
    const before = await first.getAttribute('data-atoms');
    await expect.poll(() => first.getAttribute('data-atoms'), { timeout: 30_000 }).not.toBe(before);
  });

  it('fits a phone without scrolling sideways', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('had no script error and broke no rule of its content security policy', () => {
    expect(faults).toEqual([]);
  });
});
