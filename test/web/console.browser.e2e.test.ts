import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mayBeSkipped, patienceMs } from '../support/chromium.ts';
import type { RunningSystem } from '../support/system.ts';
import { openPages, stopPages } from './on-one-system/pages.ts';

describe.skipIf(mayBeSkipped)('the console', () => {
  let system: RunningSystem;
  let page: Page;
  let token: string;
  const faults: string[] = [];

  beforeAll(async () => {
    const pages = await openPages({ POTSTREAM_REPORTING: 'on' });
    system = pages.system;
    token = await administratorToken();
    await vi.waitFor(async () => expect(await booksAnswer()).toBe(200), {
      timeout: 3 * patienceMs,
      interval: 500,
    });
    page = await pages.browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => faults.push(`${message.text()} ${message.location().url}`));
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(system.baseUrl).origin) faults.push(request.url());
    });
  }, 600_000);

  afterAll(stopPages, 120_000);

  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

  async function expectNoBarriers(): Promise<void> {
    // The policy of the page refuses scripts of others; the browser's own protocol is none of them.
    await page.evaluate(axe.source);
    const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
    const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  }

  it('lets a newcomer in with one click, who sees the pots', async () => {
    await page.goto(`${system.baseUrl}/console/`);
    await page.getByRole('button', { name: 'Enter the demo' }).click();
    await heading('Home');
    await page.getByRole('link', { name: 'Aurora' }).waitFor();
    await page.getByText('No payment waits for a person.').waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 180_000);

  it('shows what a jackpot holds, and that its accounts sum to zero', async () => {
    await page.getByRole('link', { name: 'Jackpots' }).click();
    await heading('Jackpots');
    await expectNoBarriers();
    await page.getByRole('link', { name: 'Aurora' }).click();
    await heading('Aurora');
    await page.getByText('They sum to zero').waitFor();
    await page.getByRole('heading', { name: 'Adjustments and switches' }).waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 180_000);

  it('finds a player, and leads from a contribution to its draws', async () => {
    await page.getByRole('link', { name: 'Players' }).click();
    await page.getByLabel('Brand').selectOption('demo:direct');
    await page.getByLabel('Player', { exact: true }).fill(system.credentials.players[0]?.player_id ?? '');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('The books know nothing of this player').waitFor();
    const [newest] = (await (
      await fetch(`${system.baseUrl}/config/contributions?limit=1`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).json()) as { contribution_id: string; brand_id: string; player_id: string }[];
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(newest?.contribution_id ?? '');
    await page.getByRole('option').first().click();
    await heading('Contribution');
    await page.getByText('Split').first().waitFor();
    await expectNoBarriers();
    await page
      .getByRole('link', { name: newest?.player_id ?? '' })
      .first()
      .click();
    await page.getByText('Where is my money?').waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 180_000);

  it.each([390, 768, 1440])(
    'fits %i pixels, in the dark and from right to left',
    async (width) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: width === 768 ? 'dark' : 'light' });
      for (const path of ['', 'money', 'players', 'jackpots']) {
        await page.goto(`${system.baseUrl}/console/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.evaluate("document.documentElement.dir = 'rtl'");
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        await expectNoBarriers();
      }
      expect(faults).toEqual([]);
    },
    180_000,
  );

  it('is forgotten by the page that logs out', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Enter the demo' }).waitFor();
    expect(faults).toEqual([]);
  }, 120_000);

  /** They begin to answer once they have the log; before that each screen of them says so. */
  async function booksAnswer(): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${system.baseUrl}/config/contributions?limit=1`, { headers });
    // 404: they have no contribution yet.
    return answer.ok && ((await answer.json()) as unknown[]).length === 0 ? 404 : answer.status;
  }

  async function administratorToken(): Promise<string> {
    const { admin } = system.credentials;
    const answer = await fetch(`${system.baseUrl}/auth/admin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: admin.username, password: admin.password }),
    });
    return ((await answer.json()) as { token: string }).token;
  }
});
