import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import type { RunningSystem } from '../../support/system.ts';
import { award } from './award.ts';
import { openPages } from './pages.ts';

const patience = { timeout: patienceMs };
const jackpot = 'Final Whistle';

/** What the page notes down of its feed. */
const follow = `
  window.states = [];
  window.wins = [];
  window.errors = [];
  window.feed = Potstream.connect({
    url: location.origin,
    brand: 'demo/main',
    currency: 'EUR',
    token: async () => {
      const session = await (await fetch('/demo/session')).json();
      return session.players.find((player) => player.player_id === 'bruno').token;
    },
  });
  feed.on('state', (state) => states.push(state));
  feed.on('win', (win) => wins.push(win.data.player_id + ' ' + win.data.win_pot_id + ' ' + win.seq));
  feed.on('error', (error) => errors.push(error.code + ' ' + error.reason));
`;

describe.skipIf(mayBeSkipped)('a page with the script of the client', () => {
  let system: RunningSystem;
  let page: Page;
  const faults: string[] = [];
  const read = <T>(expression: string) => page.evaluate(expression) as Promise<T>;
  const newest = () => read<number>('Math.max(...[...feed.jackpots.values()].map(({ seq }) => seq))');
  const own = () => read<string[]>("wins.filter((win) => win.startsWith('bruno whistle'))");
  const isLive = async () => {
    const before = await newest();
    await expect.poll(newest, patience).toBeGreaterThan(before);
    expect(await read('feed.state')).toBe('live');
  };

  beforeAll(async () => {
    const pages = await openPages();
    system = pages.system;
    page = await pages.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${system.baseUrl}/verify`);
    await page.addScriptTag({ url: '/client/client.js' });
    const found = (await read<{ players: { player_id: string; currency: string }[] }>(
      "fetch('/demo/session').then((answer) => answer.json())",
    )) as { players: { player_id: string; currency: string }[] };
    const { currency = '' } = found.players.find(({ player_id }) => player_id === 'bruno') ?? {};
    await page.evaluate(follow.replace("'EUR'", JSON.stringify(currency)));
  }, 240_000);
  afterAll(() => page?.close(), 60_000);

  it('is live, and sees values move', async () => {
    await expect.poll(() => read('feed.state'), patience).toBe('live');
    await isLive();
    expect(await read('typeof [...feed.jackpots.values()][0].data.pots[0].current_value')).toBe('string');
  });

  it('hears of a win once, as the player who won', async () => {
    await award(system, jackpot, 'bruno');
    await expect.poll(own, patience).toHaveLength(1);
  });

  it.each(['fanout', 'gateway'])(
    'is live again after the %s was killed, and missed nothing',
    async (role) => {
      const before = (await own()).length;
      await system.kill(role);
      await system.ready();
      await award(system, jackpot, 'bruno');
      await expect.poll(own, patience).toHaveLength(before + 1);
      await isLive();
    },
  );

  it('is offline with the browser, keeps the last values, and gets what it missed', async () => {
    const before = (await own()).length;
    await page.context().setOffline(true);
    await expect.poll(() => read('feed.state'), patience).toBe('offline');
    expect(await read('feed.jackpots.size')).toBeGreaterThan(0);
    await award(system, jackpot, 'bruno');
    await page.context().setOffline(false);
    await expect.poll(own, patience).toHaveLength(before + 1);
    await isLive();
  });

  it('has had each win once, no error and no fault', async () => {
    const wins = await own();
    expect(new Set(wins).size).toBe(wins.length);
    expect(await read('errors')).toEqual([]);
    expect(faults).toEqual([]);
  });
});
