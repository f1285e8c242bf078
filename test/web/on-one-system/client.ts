import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import type { RunningSystem } from '../../support/system.ts';
import { award } from './award.ts';
import { openPages } from './pages.ts';

const patience = { timeout: patienceMs };
const jackpot = 'Final Whistle';

/** What the page notes down of a feed. */
const watch = `
  window.watch = (options) => {
    const seen = { states: [], wins: [], errors: [] };
    seen.feed = Potstream.connect({ url: location.origin, brand: 'demo/main', ...options });
    seen.feed.on('state', (state) => seen.states.push(state));
    seen.feed.on('win', (win) => seen.wins.push(win.data.player_id + ' ' + win.data.win_pot_id + ' ' + win.seq));
    // No ticket can be had while the gateway or the network is away: the feed says so, and tries again.
    seen.feed.on('error', ({ code, reason, final, cause }) => {
      if (final || cause === undefined) seen.errors.push(code + ' ' + reason);
    });
    return seen;
  };
`;
const asBruno = `
  const answered = async (asked) => {
    const answer = await asked;
    if (!answer.ok) throw new Error('The service answers ' + answer.status);
    return answer;
  };
  window.own = watch({
    async ticket() {
      const session = await (await answered(fetch('/demo/session'))).json();
      const { token, brand_id, currency } = session.players.find((player) => player.player_id === 'bruno');
      const answer = await answered(fetch('/v1/feed-tickets', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'X-Player-Token': token },
        body: JSON.stringify({ brand_id, currency }),
      }));
      return (await answer.json()).ticket;
    },
  });
`;
/** As where something between lets no websocket through. */
const withoutWebsockets = `
  const Open = window.WebSocket;
  window.WebSocket = function (url) {
    return new Open(url.replace(/:\\d+/, ':1'));
  };
`;

describe.skipIf(mayBeSkipped)('a page with the script of the client', () => {
  let system: RunningSystem;
  let page: Page;
  const faults: string[] = [];
  const read = <T>(expression: string) => page.evaluate(expression) as Promise<T>;
  const newest = (seen = 'own') =>
    read<number>(`Math.max(...[...${seen}.feed.jackpots.values()].map(({ seq }) => seq))`);
  const own = () => read<string[]>("own.wins.filter((win) => win.startsWith('bruno whistle'))");
  const isLive = async (seen = 'own') => {
    const before = await newest(seen);
    await expect.poll(() => newest(seen), patience).toBeGreaterThan(before);
    expect(await read(`${seen}.feed.state`)).toBe('live');
  };
  const becomesLive = async (seen: string) => {
    await expect.poll(() => read(`${seen}.feed.state`), patience).toBe('live');
    await isLive(seen);
  };

  beforeAll(async () => {
    const pages = await openPages();
    system = pages.system;
    page = await pages.browser.newPage();
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`${system.baseUrl}/verify`);
    await page.addScriptTag({ url: '/client/client.js' });
    await page.evaluate(watch);
    await page.evaluate(asBruno);
  }, 240_000);
  afterAll(() => page?.close(), 60_000);

  it('is live, and sees values move', async () => {
    await expect.poll(() => read('own.feed.state'), patience).toBe('live');
    await isLive();
    expect(await read('typeof [...own.feed.jackpots.values()][0].data.pots[0].current_value')).toBe('string');
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
    await expect.poll(() => read('own.feed.state'), patience).toBe('offline');
    expect(await read('own.feed.jackpots.size')).toBeGreaterThan(0);
    await award(system, jackpot, 'bruno');
    await page.context().setOffline(false);
    await expect.poll(own, patience).toHaveLength(before + 1);
    await isLive();
  });

  it('follows the public feed without any credential, winners masked', async () => {
    await page.evaluate('window.open = watch({ currency: "EUR" })');
    await becomesLive('open');
    await award(system, jackpot, 'bruno');
    await expect
      .poll(() => read<string[]>('open.wins'), patience)
      .toContainEqual(expect.stringMatching(/^br\*\*\* whistle/));
    expect(await read("'allowed_brands' in [...open.feed.jackpots.values()][0].data")).toBe(false);
  });

  it('follows it as Server-Sent Events where no websocket gets through', async () => {
    await page.evaluate(withoutWebsockets);
    await page.evaluate('window.streamed = watch({})');
    await becomesLive('streamed');
    await award(system, jackpot, 'bruno');
    await expect
      .poll(() => read<string[]>('streamed.wins'), patience)
      .toContainEqual(expect.stringMatching(/^br\*\*\* whistle/));
  });

  it('has had each win once, no error and no fault', async () => {
    const wins = await own();
    expect(new Set(wins).size).toBe(wins.length);
    expect(await read('[...own.errors, ...open.errors, ...streamed.errors]')).toEqual([]);
    expect(faults).toEqual([]);
  });
});
