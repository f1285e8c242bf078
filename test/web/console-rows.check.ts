import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { saw, scaled } from '../jackpot/checks/scale.ts';
import { type Administrator, administratorOf, practiceInstance } from '../sdk/support/practice.ts';
import { patienceMs } from '../support/chromium.ts';
import { loggedIn } from '../support/operator-client.ts';
import type { RunningSystem } from '../support/system.ts';
import { openPages, stopPages } from './on-one-system/pages.ts';

/**
 * `npm run checks -- console-rows`: lists of the console with 100,000 rows are scrolled from the first to the last one. Tasks of the page
 * above 50 ms are printed; whether all rows come, and only those in sight are drawn, is judged.
 */
const rows = scaled(2_000, 100_000);
const atOnce = 32;
const drawnAtMost = 120;

let system: RunningSystem;
let administrator: Administrator;
let page: Page;
beforeAll(async () => {
  const environment = {
    POTSTREAM_REPORTING: 'on',
    POTSTREAM_ADMINISTRATOR_WRITES_PER_SECOND: '100000',
    POTSTREAM_DEMO_TRAFFIC: 'off',
  };
  const pages = await openPages(environment);
  system = pages.system;
  administrator = await administratorOf(system);
  page = await pages.browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(patienceMs);
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { longTasks: tasks });
    new PerformanceObserver((list) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration)),
    ).observe({
      type: 'longtask' as never,
      buffered: true,
    });
  });
  await page.goto(`${system.baseUrl}/console/`);
  await page.getByRole('button', { name: 'Enter the demo' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});
afterAll(stopPages);

it(`scrolls through ${rows.toLocaleString('en')} jackpots`, async () => {
  const template = { template_owner_id: 'demo', template_id: 'every-time', owner_id: 'demo' };
  await practiceInstance(administrator);
  await inParallel(rows, (n) =>
    administrator.call('POST', '/config/instances', { ...template, name: `Jackpot ${n}` }),
  );
  await scrolled('jackpots', rows);
});

it(`scrolls through ${rows.toLocaleString('en')} winners`, async () => {
  const instance = await practiceInstance(administrator);
  const token = await loggedIn(`${system.baseUrl}/v1/auth/service`, system.credentials.service);
  await inParallel(rows, async (n) => {
    const response = await fetch(`${system.baseUrl}/v1/jackpot/instances/${instance}/contributions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        ...{ token: 'session', brand_id: system.credentials.brand_id, player_id: `winner-${n % 997}` },
        ...{ player_country: 'DE', gameround_id: `round-${n}`, base_wager: 1, currency: 'EUR' },
      }),
    });
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
    await response.arrayBuffer();
  });
  await scrolled('winners', rows);
});

async function inParallel(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await work(next);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Scrolls a list to its end, which is where no page comes any more. */
async function scrolled(screen: string, atLeast: number): Promise<void> {
  await page.goto(`${system.baseUrl}/console/${screen}`);
  const table = page.getByRole('region', { name: 'Table of' });
  await table.waitFor();
  const box = await table.elementHandle();
  const loaded = async () => Number((await table.locator('table').getAttribute('aria-rowcount')) ?? 0) - 1;
  const more = page.getByRole('button', { name: /Show more|Loading…/ });
  let drawn = 0;
  while ((await more.count()) > 0) {
    await box!.evaluate((element) => element.scrollBy(0, 4_000));
    drawn = Math.max(drawn, await table.getByRole('row').count());
  }
  await box!.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const count = await loaded();
  const tasks = await page.evaluate(() => (globalThis as unknown as { longTasks: number[] }).longTasks);
  saw(`${screen} scrolled`, {
    rows: count,
    'tasks above 50 ms': tasks.length,
    'longest ms': Math.round(Math.max(0, ...tasks)),
  });
  expect(count).toBeGreaterThanOrEqual(atLeast);
  expect(drawn).toBeLessThanOrEqual(drawnAtMost);
}
