import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import { loggedIn } from '../../support/operator-client.ts';
import type { RunningSystem } from '../../support/system.ts';
import { openPages } from './pages.ts';

const repository = resolve(import.meta.dirname, '../../..');

interface Epoch {
  readonly epoch: number;
  readonly state: string;
  readonly first_sequence: number;
  readonly last_sequence: number;
}

describe.skipIf(mayBeSkipped)('the page that verifies', () => {
  let system: RunningSystem;
  let page: Page;
  let directory: string;
  let instance: string;
  let epoch: Epoch;
  const faults: string[] = [];

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'potstream-verify-page-'));
    const pages = await openPages();
    system = pages.system;
    const session = (await read('/demo/session')) as { jackpots: { instance_id: string }[] };
    instance = session.jackpots[0]!.instance_id;
    epoch = await revealedEpoch();
    page = await pages.browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(patienceMs);
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) faults.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== system.baseUrl) faults.push(request.url());
    });
  }, 300_000);

  afterAll(async () => {
    await page?.close();
    rmSync(directory, { recursive: true, force: true });
  }, 60_000);

  async function read(path: string): Promise<unknown> {
    return (await fetch(system.baseUrl + path)).json();
  }

  const epochsOfInstance = () =>
    read(`/v1/fairness/instances/${instance}/epochs?limit=500`) as Promise<Epoch[]>;

  /** A published epoch of more than one message of contributions: it can be cut into pages. */
  async function revealedEpoch(): Promise<Epoch> {
    const looking = async () => {
      for (const each of await epochsOfInstance()) {
        if (each.state !== 'revealed' || !(each.last_sequence > each.first_sequence)) continue;
        const path = `/v1/fairness/instances/${instance}/epochs/${each.epoch}`;
        const { groups } = (await read(path)) as { groups?: readonly unknown[] | null };
        if (groups && groups.length > 1) return each;
      }
      throw new Error('no epoch with contributions is published');
    };
    return vi.waitFor(looking, { timeout: patienceMs, interval: 500 });
  }

  async function verdict(): Promise<string | null> {
    const place = page.locator('[data-testid=verdict][data-stage=done] [data-verified]');
    await place.waitFor();
    return place.getAttribute('data-verified');
  }

  /** A file of its own each time: the page may still be reading the last one. */
  async function choose(name: string, text: string): Promise<void> {
    const file = join(directory, name);
    writeFileSync(file, text);
    await page.getByTestId('file').setInputFiles(file);
  }

  it('says what it does before anything is chosen, with the jackpots of the system at hand', async () => {
    await page.goto(`${system.baseUrl}/verify`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('the commitment').first().waitFor();
    await page.getByRole('list', { name: 'Jackpots of this system' }).getByRole('button').first().waitFor();
  });

  it('verifies by keyboard alone what was chosen', async () => {
    await page.getByLabel('Jackpot', { exact: true }).fill(instance);
    await page.getByLabel('Epoch').selectOption(String(epoch.epoch));
    await page.getByLabel('Number of a draw').fill(String(epoch.first_sequence));
    await page.keyboard.press('Enter');
    expect(await verdict()).toBe('true');
    const states = await page
      .locator('.step')
      .evaluateAll((steps) => steps.map((step) => step.dataset.state));
    expect(new Set(states)).toEqual(new Set(['verified']));
    await page.getByTestId('draw').getByText('Where the numbers come from').click();
    expect(
      await page
        .getByTestId('draw')
        .getByText(/^[0-9a-f]{64}$/)
        .count(),
    ).toBeGreaterThan(1);
    expect(new URL(page.url()).search).toBe(
      `?instance=${instance}&epoch=${epoch.epoch}&seq=${epoch.first_sequence}`,
    );
  });

  it('goes straight to what a link names', async () => {
    await page.goto(`${system.baseUrl}/verify?instance=${instance}&seq=${epoch.last_sequence}`);
    expect(await verdict()).toBe('true');
    await page
      .getByRole('heading', { name: `Draw number ${epoch.last_sequence.toLocaleString('en')}` })
      .waitFor();
  });

  it('takes a saved file, and names the first number that does not fit', async () => {
    const text = JSON.stringify(await read(`/v1/fairness/instances/${instance}/epochs/${epoch.epoch}`));
    await choose('saved.json', text);
    expect(await verdict()).toBe('true');
    const last = new RegExp(`"seq":${epoch.last_sequence},"c":"(\\d+)"`).exec(text)!;
    const changed = last[0].replace(`"${last[1]}"`, `"${Number(last[1]) + 1}"`);
    await choose('changed.json', text.replace(last[0], changed));
    expect(await verdict()).toBe('false');
    await page.getByText(`At number ${epoch.last_sequence}:`).waitFor();
  });

  it('takes an epoch page by page, from the system and from a saved file', async () => {
    const path = `/v1/fairness/instances/${instance}/epochs/${epoch.epoch}`;
    const whole = (await read(path)) as { readonly v: number; readonly groups: readonly unknown[] };
    const half = whole.groups.length >> 1;
    const first = { ...whole, pages: 2, groups: whole.groups.slice(0, half) };
    const further = { v: 1, page: 1, groups: whole.groups.slice(half) };
    const asked: string[] = [];
    await page.route(`**${path}*`, async (route) => {
      const { search } = new URL(route.request().url());
      asked.push(search);
      await route.fulfill({ json: search === '?page=1' ? further : first });
    });
    await page.goto(`${system.baseUrl}/verify?instance=${instance}&seq=${epoch.last_sequence}`);
    expect(await verdict()).toBe('true');
    expect(asked).toEqual(['', '?page=1']);
    await page.unroute(`**${path}*`);
    await choose('first.json', JSON.stringify([first]));
    expect(await verdict()).toBe('false');
    await choose('pages.json', JSON.stringify([first, further]));
    expect(await verdict()).toBe('true');
  });

  it('says of a file that changed after it was chosen that it could not be read', async () => {
    await page.evaluate('window.readText = File.prototype.text');
    await page.evaluate(
      'File.prototype.text = () => Promise.reject(new DOMException("", "NotReadableError"))',
    );
    await choose('moved.json', '[]');
    await page.getByText('The file could not be read.').waitFor();
    expect(await page.locator('[data-verified]').count()).toBe(0);
    await page.evaluate('File.prototype.text = window.readText');
    await choose('found.json', '[]');
    await page.getByText('The file could not be read.').waitFor({ state: 'detached' });
  });

  it('counts down to the end of a running epoch, shows its commitment, and opens by itself', async () => {
    const list = `${system.baseUrl}/v1/fairness/instances/${instance}/epochs?*`;
    let asked = 0;
    await page.route(list, async (route) => {
      const answer = await route.fetch();
      const rows = (await answer.json()) as Epoch[];
      asked += 1;
      const isHeld = asked <= 3;
      const held = { state: 'running', published: false, timestamp_end: Date.now() + 60_000 };
      const json = rows.map((row) => (isHeld && row.epoch === epoch.epoch ? { ...row, ...held } : row));
      await route.fulfill({ response: answer, json });
    });
    await page.goto(`${system.baseUrl}/verify?instance=${instance}&epoch=${epoch.epoch}`);
    await page
      .getByTestId('opening')
      .getByText(/^Opens by itself in 0:5\d$|^Opens by itself in 1:00$/)
      .waitFor();
    await page.getByText(/^[0-9a-f]{64}$/).waitFor();
    expect(await verdict()).toBe('true');
    await page.unroute(list);
  });

  it('asks for a token where the operator shows its draws to its own, and verifies with it', async () => {
    const token = await loggedIn(`${system.baseUrl}/auth/admin`, system.credentials.admin);
    const operator = system.credentials.brand_id.split(':')[0];
    const decide = async (fairness: string) => {
      const answer = await fetch(`${system.baseUrl}/config/operators/${operator}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ fairness }),
      });
      expect(answer.status).toBe(204);
    };
    await decide('signed_in');
    try {
      await page.goto(`${system.baseUrl}/verify?instance=${instance}&seq=${epoch.last_sequence}`);
      await page.getByText('shows its draws to its own players').waitFor();
      await page.getByLabel('Token', { exact: true }).fill(token);
      await page.getByTestId('verify').click();
      expect(await verdict()).toBe('true');
      expect(page.url()).not.toContain(token);
      const args = ['verify', system.baseUrl, '--instance', instance, '--epoch', String(epoch.epoch)];
      const verify = (environment: Record<string, string>) =>
        spawnSync(process.execPath, [join(repository, 'bin/potstream'), ...args], {
          env: { ...process.env, ...environment },
        }).status;
      expect([verify({}), verify({ POTSTREAM_VERIFY_TOKEN: token })]).toEqual([4, 0]);
    } finally {
      await decide('public');
    }
  });

  it('fits a phone without scrolling sideways, dark as well', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(
      `${system.baseUrl}/verify?instance=${instance}&epoch=${epoch.epoch}&seq=${epoch.first_sequence}`,
    );
    expect(await verdict()).toBe('true');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.evaluate('getComputedStyle(document.body).colorScheme')).toContain('dark');
  });

  it('asked nobody but this system, had no script error and broke no rule of its policy', () => {
    expect(faults).toEqual([]);
  });

  it('agrees with the command line', () => {
    const args = ['verify', system.baseUrl, '--instance', instance, '--epoch', String(epoch.epoch), '--json'];
    const { status, stdout } = spawnSync(process.execPath, [join(repository, 'bin/potstream'), ...args], {
      encoding: 'utf8',
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ verified: true, epochs: [{ instance, epoch: epoch.epoch }] });
  });
});
