import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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
  const players = system.credentials.players.filter(({ currency }) => currency === 'EUR');
  const contribute = async (n: number) => {
    const { player_id, token: session, currency } = players[n % players.length]!;
    const response = await fetch(`${system.baseUrl}/v1/jackpot/instances/${instance}/contributions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        ...{ token: session, brand_id: 'demo:main', player_id, player_country: 'DE', currency },
        ...{ gameround_id: `round-${n}`, base_wager: 1 },
      }),
    });
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
    await response.arrayBuffer();
    return response.headers.get('x-contribution-id');
  };
  await inParallel(rows, contribute);
  const last = await contribute(rows + 1);
  const isBooked = async () => {
    await administrator.call('GET', `/config/contributions/${last}`);
  };
  await vi.waitFor(isBooked, { timeout: Math.max(patienceMs, 10 * rows), interval: 500 });
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

/** In the page: a driver's questions take its time. */
const scrolling = `async () => {
  const box = document.querySelector('section.table');
  const tasks = [];
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: 'longtask' });
  const hasMore = () => /Show more|Loading…/.test(document.querySelector('.list-end')?.textContent ?? '');
  let drawn = 0;
  for (let still = 0; still < 30; still = hasMore() ? 0 : still + 1) {
    box.scrollBy(0, 4_000);
    await new Promise(requestAnimationFrame);
    drawn = Math.max(drawn, box.querySelectorAll('tr').length);
  }
  observer.disconnect();
  return { tasks, drawn };
}`;

/** Scrolls a list to its end, which is where no page comes any more. */
async function scrolled(screen: string, atLeast: number): Promise<void> {
  await page.goto(`${system.baseUrl}/console/${screen}`);
  const table = page.getByRole('region', { name: 'Table of' });
  await table.getByRole('row').nth(10).waitFor();
  const found = (await page.evaluate(`(${scrolling})()`)) as { tasks: number[]; drawn: number };
  const rowCount = await table.locator('table').getAttribute('aria-rowcount');
  const { tasks, drawn } = found;
  saw(`${screen} scrolled`, {
    rows: Number(rowCount) - 1,
    'drawn at once': drawn,
    'tasks above 50 ms': tasks.length,
    'longest ms': Math.round(Math.max(0, ...tasks)),
  });
  expect(Number(rowCount) - 1).toBeGreaterThanOrEqual(atLeast);
  expect(drawn).toBeLessThanOrEqual(drawnAtMost);
}
