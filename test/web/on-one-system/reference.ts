import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import { openPages } from './pages.ts';

describe.skipIf(mayBeSkipped)('the reference', () => {
  const opened: Page[] = [];
  afterAll(() => Promise.all(opened.map((page) => page.close())));

  async function open(path: string, width: number, colorScheme: 'light' | 'dark') {
    const { system, browser } = await openPages();
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    opened.push(page);
    page.setDefaultTimeout(patienceMs);
    const faults: string[] = [];
    const asked = new Set<string>();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // It tries whether it may evaluate texts, and does without.
      const isRefused = message.text().includes('Content Security Policy');
      if (isRefused && !message.text().includes('Evaluating a string')) faults.push(message.text());
    });
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await page.goto(`${system.baseUrl}${path}`);
    return { system, page, faults, asked };
  }

  it.each([
    ['a desktop', 1280, 'light'],
    ['a phone', 390, 'dark'],
  ] as const)(
    'fits %s, with nothing from elsewhere',
    async (_, width, scheme) => {
      const { system, page, faults, asked } = await open('/docs', width, scheme);
      await page.getByText('Jackpots and raffles for online operators.').first().waitFor();
      await page.waitForLoadState('networkidle');
      // Parts that come late push it apart for a moment.
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'), { timeout: patienceMs })
        .toBe(width);
      expect(faults).toEqual([]);
      expect(asked).toEqual(new Set([new URL(system.baseUrl).origin]));
    },
    180_000,
  );

  it('finds an operation, has samples of it and tries it', async () => {
    const { page } = await open('/docs', 1280, 'light');
    await page.getByText('Jackpots and raffles for online operators.').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('currencies');
    await page.getByRole('option', { name: 'Public currency rates' }).click();
    await page.waitForURL(/#.*\/v1\/currencies$/);
    await page.getByText('curl http').first().waitFor();
    await page.getByRole('button', { name: /^Test Request.*get \/v1\/currencies\)$/ }).click();
    await page.getByRole('button', { name: /^Send/ }).first().click();
    await page.getByText('200 OK').first().waitFor();
  }, 180_000);

  it('has the feeds', async () => {
    const { page } = await open('/docs?api=feeds', 1280, 'light');
    await page.getByText('Potstream feeds').first().waitFor();
  }, 180_000);
});
