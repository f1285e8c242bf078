import axe, { type AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../gateway/support/gateway.ts';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import { openBrowser } from './pages.ts';

describe.skipIf(mayBeSkipped)('the reference page', () => {
  let gateway: TestGateway;
  let browser: Browser;
  const faults: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    gateway = await startTestGateway();
    browser = await openBrowser();
  }, 180_000);
  afterAll(async () => {
    await Promise.all((browser?.contexts() ?? []).map((each) => each.close()));
    await gateway?.stop();
  });

  async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    page.on('request', (request) => asked.push(new URL(request.url()).host));
    await page.goto(`http://127.0.0.1:${gateway.port}/docs`);
    return page;
  }

  it.each([
    ['a desktop', 1280, 'light'],
    ['a phone', 390, 'dark'],
  ] as const)(
    'fits %s, accessible, with nothing from elsewhere',
    async (_, width, scheme) => {
      const page = await open(width, scheme);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate(axe.source);
      const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
      expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      expect(faults).toEqual([]);
      expect(new Set(asked)).toEqual(new Set([`127.0.0.1:${gateway.port}`]));
    },
    180_000,
  );

  it('leads from the contents to an operation and opens its members', async () => {
    const page = await open(1280, 'light');
    await page.getByRole('navigation').getByRole('link', { name: 'Contribute (version 2)' }).click();
    const section = page.locator('article:target');
    await section.getByText('/v2/jackpot/contributions').waitFor();
    const webHook = section.getByText('web_hook');
    expect(await webHook.isVisible()).toBe(false);
    for (const summary of await section.locator('summary').all())
      if (await summary.isVisible()) await summary.click();
    for (const summary of await section.locator('details[open] details:not([open]) > summary').all())
      await summary.click();
    await webHook.waitFor();
  }, 180_000);
});
