import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { recoveryWindowMs } from '../../../src/fanout/base/limits.ts';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import { award } from './award.ts';
import { openPages } from './pages.ts';

const patience = { timeout: patienceMs };
const jackpot = 'Final Whistle';
const winner = /^br\*\*\* whistle/;
const watch = `
  window.wins = [];
  window.gaps = [];
  const nameOf = ({ data, seq, timestamp }) => [data.player_id, data.win_pot_id, seq, timestamp].join(' ');
  window.feed = Potstream.connect({ url: location.origin, brand: 'demo/main' });
  feed.on('win', (win) => wins.push(nameOf(win)));
  feed.on('gap', ({ instance, wins }) => gaps.push({ instance, wins: wins?.map(nameOf) ?? null }));
`;

let page: Page;
let leftMs = 0;

/** A page loses its network, and misses a win. What other pages do meanwhile takes longer than the feed remembers. */
export function goesAway(): void {
  it.skipIf(mayBeSkipped)(
    'is live, and loses its network',
    async () => {
      const { system, browser } = await openPages();
      page = await browser.newPage();
      await page.goto(`${system.baseUrl}/verify`);
      await page.addScriptTag({ url: '/client/client.js' });
      await page.evaluate(watch);
      await expect.poll(() => page.evaluate('feed.state'), patience).toBe('live');
      await award(system, jackpot, 'bruno');
      await expect.poll(() => page.evaluate('wins'), patience).toContainEqual(expect.stringMatching(winner));
      await page.context().setOffline(true);
      await expect.poll(() => page.evaluate('feed.state'), patience).toBe('offline');
      await page.evaluate('wins.length = 0');
      leftMs = performance.now();
      await award(system, jackpot, 'bruno');
    },
    240_000,
  );
}

export function comesBack(): void {
  it.skipIf(mayBeSkipped)(
    'learns that it missed events, and reads the wins among them',
    async () => {
      await sleep(Math.max(0, leftMs + 1.1 * recoveryWindowMs - performance.now()));
      await page.context().setOffline(false);
      // Each instance that the page knew has a gap of its own.
      const missed = () => page.evaluate('gaps.flatMap(({ wins }) => wins ?? [])') as Promise<string[]>;
      await expect.poll(missed, patience).toContainEqual(expect.stringMatching(winner));
      const found = await missed();
      const wins = (await page.evaluate('wins')) as string[];
      expect(wins).toEqual(expect.arrayContaining(found));
      expect(new Set(wins).size).toBe(wins.length);
      await expect.poll(() => page.evaluate('feed.state'), patience).toBe('live');
      await page.close();
    },
    360_000,
  );
}
