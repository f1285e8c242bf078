import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repository } from '../../sdk/support/page.ts';
import { run } from '../../sdk/support/run.ts';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import type { RunningSystem } from '../../support/system.ts';
import { award } from './award.ts';
import { openPages } from './pages.ts';

const patience = { timeout: patienceMs };
/** Beside what moves: what shifts, which the browser counts, and which wins were announced and celebrated. */
const watch = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value);
  }).observe({ type: 'layout-shift', buffered: true });
  window.wins = [];
  addEventListener('potstream-win', ({ target, detail }) => window.wins.push([target.id, detail.data.win_pot_id]));
`;

async function open(page: Page, address: string, faults: string[]): Promise<void> {
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => faults.push(message.text()));
  await page.addInitScript(watch);
  await page.goto(address);
}

/** The amounts of a ticker as screen readers have them. */
function amounts(page: Page, ticker: string): Promise<string[]> {
  return page.locator(`${ticker} .amount .for-readers`).allTextContents();
}

async function moves(page: Page, ticker: string): Promise<void> {
  await expect.poll(async () => (await amounts(page, ticker)).join(''), patience).toMatch(/\d/);
  const before = await amounts(page, ticker);
  await expect.poll(() => amounts(page, ticker), patience).not.toEqual(before);
}

async function seriousFaults(page: Page): Promise<unknown> {
  const found = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
}

describe.skipIf(mayBeSkipped)('the gallery', () => {
  const opened: Page[] = [];
  afterAll(() => Promise.all(opened.map((page) => page.close())));

  it.each([
    ['a desktop', 1280, 'light'],
    ['a desktop', 1280, 'dark'],
    ['a phone', 390, 'light'],
    ['a phone', 390, 'dark'],
  ] as const)(
    'moves on %s, %d wide, %s: nothing shifts, nothing is amiss',
    async (_, width, colorScheme) => {
      const { system, browser } = await openPages();
      const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme });
      opened.push(page);
      const faults: string[] = [];
      await open(page, `${system.baseUrl}/gallery`, faults);
      await moves(page, 'jackpot-ticker.hero');
      await expect
        .poll(() => amounts(page, '[locale=ar-EG]'), patience)
        .toEqual([expect.stringMatching(/[٠-٩]/), expect.any(String), expect.any(String)]);
      expect(await page.evaluate('window.shifts')).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      await page.evaluate(axe.source);
      expect(await seriousFaults(page)).toEqual([]);
      expect(faults).toEqual([]);
    },
    180_000,
  );

  it('shows twelve digits exactly, within their place', async () => {
    const page = opened[0]!;
    const ticker = '[instance=twelve]';
    expect((await amounts(page, ticker))[0]).toMatch(/^€(?:999,999|1,000,000),\d{3},\d{3}\.\d{2}$/);
    const [place, digits] = await Promise.all([
      page.locator(ticker).boundingBox(),
      page.locator(`${ticker} .places`).boundingBox(),
    ]);
    expect(digits!.x + digits!.width).toBeLessThanOrEqual(place!.x + place!.width);
  });
});

/** Between pages and the system; `cut` is the end of the network, `mend` its return. */
class Relay {
  readonly #server = createRelay((socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #target: URL;
  #isCut = false;

  constructor(target: string) {
    this.#target = new URL(target);
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }

  #accept(socket: Socket): void {
    if (this.#isCut) {
      socket.destroy();
      return;
    }
    const upstream = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
  }
}

describe.skipIf(mayBeSkipped)('a ticker on a strict page of another origin', () => {
  let system: RunningSystem;
  let relay: Relay;
  let site: Server;
  let page: Page;
  const faults: string[] = [];
  const whistle = '#whistle';
  let sockets = 0;

  beforeAll(async () => {
    const pages = await openPages();
    system = pages.system;
    relay = new Relay(system.baseUrl);
    const service = await relay.start();
    const policy = `default-src 'none'; script-src ${service}; connect-src ${service} ${service.replace('http', 'ws')}; style-src 'self'; require-trusted-types-for 'script'`;
    site = createServer(({ url }, response) => {
      if (url === '/lobby.css') {
        response.writeHead(200, { 'content-type': 'text/css' });
        response.end('jackpot-ticker { display: block; min-block-size: 9rem; }');
        return;
      }
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
      response.end(`<!doctype html>
<html lang="en"><title>A lobby</title><link rel="stylesheet" href="/lobby.css">
<header id="top"><h1>A lobby</h1></header>
<main>
<script type="module" src="${service}/client/ticker.js"></script>
<jackpot-ticker id="aurora" src="${service}" brand="demo/main" source="slot-1" pots="grand major"></jackpot-ticker>
<jackpot-ticker id="whistle" src="${service}" brand="demo/main" source="sportsbook" label="Final Whistle" pots="whistle"></jackpot-ticker>
<p id="below">Below it</p>
</main></html>`);
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    page = await pages.browser.newPage({ viewport: { width: 390, height: 844 } });
    page.on('websocket', () => {
      sockets += 1;
    });
    await open(page, `http://127.0.0.1:${(site.address() as AddressInfo).port}`, faults);
  }, 300_000);

  afterAll(async () => {
    await page?.close();
    site?.close();
    relay?.stop();
  }, 120_000);

  const state = () => page.locator(whistle).getAttribute('state');
  const note = () => page.locator(`${whistle} .note`).textContent();
  const below = () => page.locator('#below').boundingBox();

  it('shows values that move, on one connection', async () => {
    await expect.poll(state, patience).toBe('live');
    await moves(page, '#aurora');
    expect((await amounts(page, whistle))[0]).toMatch(/^£\d/);
    expect(sockets).toBe(1);
  });

  it('celebrates a win once, in its own box', async () => {
    const before = await below();
    await award(system, 'Final Whistle', 'bruno');
    const celebration = page.locator(`${whistle} .celebration`);
    await expect.poll(() => celebration.isVisible(), patience).toBe(true);
    const [box, own] = await Promise.all([celebration.boundingBox(), page.locator(whistle).boundingBox()]);
    // The browser's own rounding is below a pixel.
    expect(box!.y).toBeGreaterThan(own!.y - 0.5);
    expect(box!.y + box!.height).toBeLessThan(own!.y + own!.height + 0.5);
    const covering = `(() => {
      const { left, top, width, height } = document.querySelector('h1').getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2).tagName;
    })()`;
    expect(await page.evaluate(covering)).toBe('H1');
    expect(await celebration.textContent()).toMatch(/£[\d,.]+\u2068br\*\*\*\u2069 · \u2068Whistle\u2069/);
    expect(await page.locator(`${whistle} [role=status]`).textContent()).toContain('br*** won £');
    await expect.poll(() => celebration.isVisible(), patience).toBe(false);
    expect(await below()).toEqual(before);
    const wins = (await page.evaluate('window.wins')) as [string, string][];
    expect(wins.filter(([ticker]) => ticker === 'whistle')).toEqual([['whistle', 'whistle']]);
  });

  it('has had no word in the console, no layout shift and no serious fault so far', async () => {
    expect(faults).toEqual([]);
    expect(await page.evaluate('window.shifts')).toEqual([]);
    // The policy lets no script in but the service's.
    const context = await page.context().newCDPSession(page);
    await context.send('Page.setBypassCSP', { enabled: true });
    await page.evaluate(axe.source);
    expect(await seriousFaults(page)).toEqual([]);
    await context.send('Page.setBypassCSP', { enabled: false });
  });

  it('keeps the last value without a network, dimmed and dated, and goes on after it', async () => {
    const before = await below();
    await page.context().setOffline(true);
    relay.cut();
    await expect.poll(state, patience).toBe('offline');
    const [kept] = await amounts(page, whistle);
    expect(await note()).toMatch(/^As of \d/);
    const amount = `document.querySelector('${whistle}').shadowRoot.querySelector('.amount')`;
    const opacity = () => page.evaluate(`getComputedStyle(${amount}).opacity`);
    await expect.poll(async () => Number(await opacity()), patience).toBeCloseTo(0.6);
    expect((await amounts(page, whistle))[0]).toBe(kept);
    expect(await below()).toEqual(before);
    relay.mend();
    await page.context().setOffline(false);
    await expect.poll(state, patience).toBe('live');
    expect(await note()).toBe('');
    await moves(page, '#aurora');
  });

  it('comes back by itself when the fan-out was killed, and celebrates nothing again', async () => {
    const count = async () => ((await page.evaluate('window.wins')) as unknown[]).length;
    const whistles = async () =>
      ((await page.evaluate('window.wins')) as [string, string][]).filter(([id]) => id === 'whistle').length;
    expect(await count()).toBeGreaterThan(0);
    const opened = sockets;
    await system.kill('fanout');
    // One that is back within three seconds stays `live` to the page.
    await expect.poll(() => sockets, patience).toBeGreaterThan(opened);
    await system.ready();
    await expect.poll(state, patience).toBe('live');
    await moves(page, '#aurora');
    expect(await whistles()).toBe(1);
  });

  it('left nothing useful in the console when connections failed', () => {
    // Browsers write down each websocket that did not open; a script cannot keep them from it.
    const own = faults.filter(
      (text) => !/^WebSocket connection to '[^']*' failed|^Failed to load resource/.test(text),
    );
    expect(own).toEqual([]);
    expect(faults.filter((text) => /token|ticket/.test(text))).toEqual([]);
  });

  it('says what keeps it from showing anything', async () => {
    await page.evaluate(`
      window.told = [];
      document.addEventListener('potstream-error', ({ target, detail }) => told.push([target.id, detail.reason]));
      for (const [id, attributes] of [['nosuch', { source: 'slot-99' }], ['nopot', { source: 'slot-1', pots: 'grand tiny' }]]) {
        const ticker = document.querySelector('#aurora').cloneNode();
        for (const [name, value] of Object.entries({ id, ...attributes })) ticker.setAttribute(name, value);
        document.querySelector('main').append(ticker);
      }
    `);
    await expect.poll(() => page.evaluate('told.length'), patience).toBe(2);
    expect(await page.evaluate('told')).toEqual([
      ['nosuch', expect.stringContaining('no such jackpot')],
      ['nopot', expect.stringContaining('no pot tiny')],
    ]);
    expect(await page.locator('#nosuch .note').textContent()).toBe('Not available');
    await page.evaluate("for (const id of ['nosuch', 'nopot']) document.getElementById(id).remove()");
  });
});

describe.skipIf(mayBeSkipped)('an example of a framework, as its compiler builds it', () => {
  let folder: string;
  let site: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'potstream-lobbies-'));
    site = createServer(({ url = '/' }, response) => {
      const path = new URL(url, 'http://lobby').pathname;
      if (path === '/favicon.ico') {
        response.writeHead(204).end();
        return;
      }
      const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
      response.writeHead(200, { 'content-type': file.endsWith('.js') ? 'text/javascript' : 'text/html' });
      response.end(readFileSync(file));
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
  });
  afterAll(() => {
    site.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['react', 'vue', 'svelte'])('shows live pots: %s', async (framework) => {
    const vite = join(repository, 'node_modules/vite/bin/vite.js');
    const example = join(repository, 'client/examples', framework);
    const base = ['--base', `/${framework}/`, '--outDir', join(folder, framework)];
    await run(process.execPath, [vite, 'build', example, ...base], { NODE_ENV: 'production' });
    const { system, browser } = await openPages();
    const page = await browser.newPage();
    const faults: string[] = [];
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/${framework}/`;
    await open(page, `${address}?service=${encodeURIComponent(system.baseUrl)}`, faults);
    await moves(page, 'jackpot-ticker');
    if (framework === 'react') await page.getByText(/^EUR: grand \d+\.\d\d, major/).waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });
});
