import { readFile } from 'node:fs/promises';
import axe, { type AxeResults } from 'axe-core';
import { type TOTP, URI } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callWallet } from '../../tools/demo/wallet-call.ts';
import { readKeys } from '../../tools/reference-wallet/keys.ts';
import { mayBeSkipped, patienceMs } from '../support/chromium.ts';
import { addSecondAdministrator, second } from '../support/second-administrator.ts';
import type { RunningSystem } from '../support/system.ts';
import { award } from './on-one-system/award.ts';
import { openPages, stopPages } from './on-one-system/pages.ts';

/** Markup, a change of direction, and a name that is far too long. */
const hostile = `<img src=x onerror="document.title='hurt'"> \u{202e}evil ${'👩‍👩‍👧‍👦'.repeat(40)}`;

const paths = [
  '',
  'jackpots',
  'money',
  'approvals',
  'winners',
  'players',
  'deliveries',
  'webhooks',
  'reports',
  'audit',
  'system',
];

describe.skipIf(mayBeSkipped)('the console', () => {
  let system: RunningSystem;
  let browser: Browser;
  let page: Page;
  let token: string;
  const faults: string[] = [];

  beforeAll(async () => {
    const pages = await openPages({ POTSTREAM_REPORTING: 'on' });
    system = pages.system;
    browser = pages.browser;
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

  it('shows a jackpot as it was, by keys alone, and draws how it came there', async () => {
    await page.goto(`${system.baseUrl}/console/jackpots`);
    await page.getByRole('link', { name: 'Aurora' }).click();
    const then = page.getByText(/behind message [\d,.]+ of lane \d/);
    const slider = page.getByRole('slider', { name: 'Show it as it was at' });
    await slider.focus();
    await page.keyboard.press('Home');
    await then.waitFor();
    const first = await then.textContent();
    await page.getByText('They sum to zero').waitFor();
    // Its first message made it: nobody had contributed.
    await page.getByText('Contributions of this message').click();
    await page.getByText('It brought none to this jackpot.').waitFor();
    await page.getByRole('button', { name: 'Message after' }).click();
    await vi.waitFor(async () => expect(await then.textContent()).not.toBe(first), { timeout: patienceMs });
    expect(page.url()).toContain('message=');
    await page.reload();
    await then.waitFor();
    expect(await then.textContent()).not.toBe(first);
    await slider.focus();
    await page.keyboard.press('PageUp');
    await vi.waitFor(() => expect(page.url()).toContain('at='), { timeout: patienceMs });
    await then.waitFor();
    await page.getByText('They sum to zero').waitFor();
    await expectNoBarriers();
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await then.waitFor({ state: 'detached' });
    await page
      .getByRole('img', { name: /^Value of grand in EUR/ })
      .locator('canvas')
      .waitFor();
    for (const range of ['Last hour', 'Last year']) {
      await page.getByRole('button', { name: range }).click();
      await page.getByRole('heading', { name: /^Contributed and won in each (30 s|1 min|4 d)/ }).waitFor();
    }
    await page.getByText('The values as a table').click();
    await page.getByRole('columnheader', { name: 'Contributed', exact: true }).last().waitFor();
    await expectNoBarriers();
    await page.setViewportSize({ width: 390, height: 844 });
    await vi.waitFor(
      async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390),
      { timeout: patienceMs },
    );
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(faults).toEqual([]);
  }, 300_000);

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

  it('leads a payment that the wallet does not confirm to its end', async () => {
    await walletFails([{ operation: 'W3', player_id: 'bruno', fault: 'drop', when: 'before' }]);
    await award(system, 'Final Whistle', 'bruno');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'unknown' }).click();
    await heading('Money');
    const retry = page.getByRole('button', { name: 'Retry' });
    const row = page.getByRole('row').filter({ hasText: 'bruno' }).filter({ has: retry });
    const transaction = (await row.first().locator('span.id').last().textContent()) ?? '';
    const rowOfIt = page.getByRole('row').filter({ hasText: transaction });
    await rowOfIt.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('alert').getByText('This can be paid twice.').waitFor();
    await expectNoBarriers();
    const decide = dialog.getByRole('button', { name: 'Resolve this payment' });
    await decide.click();
    // What has to be true is confirmed, and a reason given, before anything is sent.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await rowOfIt.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByLabel('Reason, for the audit trail').fill('The wallet is down.');
    await dialog.getByRole('button', { name: 'Ask the wallet again' }).click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await rowOfIt.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByLabel('The player has the money').check();
    await dialog.getByLabel('Reason, for the audit trail').fill(hostile);
    await decide.click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await rowOfIt.waitFor({ state: 'detached' });
    await walletFails([]);
    await page.goto(`${system.baseUrl}/console/players/demo:main/bruno`);
    await page.getByText('No win is waiting to be paid.').waitFor();
    expect(faults).toEqual([]);
  }, 300_000);

  it.each([390, 768, 1440])(
    'fits %i pixels, in the dark and from right to left',
    async (width) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme: width === 768 ? 'dark' : 'light' });
      for (const path of paths) {
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

  it('subscribes a server to events, and lets pages read answers', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Operator').fill('demo');
    await page.getByRole('button', { name: 'Show' }).click();
    const dialog = page.getByRole('dialog');
    const decide = async (name: string) => {
      await dialog.getByRole('button', { name }).click();
      await dialog.getByText('Done.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    const address = 'http://127.0.0.1:9/events';
    await page.getByRole('button', { name: 'Subscribe an address' }).click();
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByRole('button', { name: 'Subscribe an address' }).click();
    await dialog.getByText('callback_address_not_allowed').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Register an origin' }).click();
    await dialog.getByLabel('Origin').fill('http://127.0.0.1:9/');
    await decide('Register an origin');
    await page.getByRole('button', { name: 'Subscribe an address' }).click();
    await dialog.getByLabel('Address').fill(address);
    await dialog.getByLabel('OptInEvent').uncheck();
    await decide('Subscribe an address');
    const row = page.getByRole('row').filter({ hasText: address });
    await row.getByText('PayoutEvent').waitFor();
    expect(await row.textContent()).not.toContain('OptInEvent');
    await page.getByRole('button', { name: 'Allow pages' }).click();
    await dialog.getByLabel('Origin or pattern').fill('https://games.example');
    await decide('Allow pages');
    await page.getByRole('row').filter({ hasText: 'https://games.example' }).waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await decide('Remove the subscription');
    await row.waitFor({ state: 'detached' });
    // The browser names what was refused, and that was the test.
    expect(faults.splice(0).filter((fault) => !fault.includes('422'))).toEqual([]);
  });

  it('answers from the books, the trail, the outbox and the hosts', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Winners' }).click();
    await page.getByLabel('Brand').fill('demo:main');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('row').filter({ hasText: 'bruno' }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toMatch(/^\u{feff}Time,Kind,Jackpot,Pot,Player/u);
    await page.getByRole('link', { name: 'Audit' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: '<img src=x' })
      .getByRole('button', { name: 'Show' })
      .click();
    await page.getByRole('dialog').getByRole('heading', { name: 'Input' }).waitFor();
    await expectNoBarriers();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.title()).toBe('Potstream console');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await heading('Deliveries');
    await page.getByRole('link', { name: 'System' }).click();
    await page.getByText('serving').first().waitFor();
    await page.getByRole('button', { name: 'Drain', exact: true }).click();
    // Its only host keeps what no other can have.
    await page.getByRole('dialog').getByText('No lane gets another owner.').waitFor();
    await expectNoBarriers();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Drain / })
      .click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: 'drained' }).waitFor();
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.getByRole('button', { name: /^Let / }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Move' }).first().click();
    await page.getByRole('dialog').getByText('No lane gets another owner.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('button', { name: 'By brand', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'demo:main' }).filter({ hasText: 'EUR' }).first().waitFor();
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'wins', exact: true }).click(),
    ]);
    expect(await readFile(await table.path(), 'utf8')).toContain('demo:main');
    expect(faults).toEqual([]);
  }, 300_000);

  it('has a change approved by a second person, not by who proposed it', async () => {
    await addSecondAdministrator(system);
    const factor = await enrolledFactor();
    const rule = await asked('PATCH', '/config/operators/demo', { four_eyes: { enabled: true } });
    expect(rule.status).toBe(204);
    const found = await (await asked('GET', '/config/instances?name=Aurora')).json();
    const [aurora] = found as { readonly id: string }[];
    const path = `/config/instances/${aurora?.id}/pots/mini/surplus-seed`;
    expect((await asked('PUT', path, { adjustment: 7, reason: hostile })).status).toBe(202);
    await page.getByRole('link', { name: 'Approvals' }).click();
    await page.getByText('You proposed this: another administrator has to approve it.').waitFor();
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
    await expectNoBarriers();
    const context = await browser.newContext();
    const other = await context.newPage();
    other.setDefaultTimeout(patienceMs);
    await other.goto(`${system.baseUrl}/console/approvals`);
    await other.getByLabel('User name').fill(second.username);
    await other.getByLabel('Password').fill(second.password);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.getByRole('button', { name: 'Approve', exact: true }).click();
    await other.getByRole('cell', { name: 'changed by 7' }).waitFor();
    await other.getByRole('button', { name: 'Approve this change' }).click();
    // The code of now has enrolled the factor: that of the next half minute counts, too.
    const code = factor.generate({ timestamp: Date.now() + 30_000 });
    await other.getByLabel('Code of your second factor').fill(code);
    await other.getByRole('button', { name: 'Approve this change' }).click();
    await other.getByText('Done.').waitFor();
    await other.getByRole('button', { name: 'Close' }).click();
    await other.getByRole('button', { name: 'Executed' }).click();
    await other.getByRole('row').filter({ hasText: 'surplus-seed' }).filter({ hasText: 'second' }).waitFor();
    await context.close();
    expect(faults).toEqual([]);
  }, 300_000);

  it('is forgotten by the page that logs out', async () => {
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Enter the demo' }).waitFor();
    expect(faults).toEqual([]);
  }, 120_000);

  const asked = (method: string, path: string, body?: unknown) =>
    fetch(`${system.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  /** Which calls of the demo's wallet go wrong. */
  async function walletFails(rules: readonly object[]): Promise<void> {
    const { dataDirectory, credentials } = system;
    const keys = readKeys(dataDirectory);
    if (keys === null) throw new Error('The wallet has no keys.');
    const demo = { url: credentials.wallet_url ?? '', keys };
    expect((await callWallet(demo, 'PUT', '/control/faults', rules))?.status).toBe(200);
  }

  /** They begin to answer once they have the log; before that each screen of them says so. */
  async function booksAnswer(): Promise<number> {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${system.baseUrl}/config/contributions?limit=1`, { headers });
    // 404: they have no contribution yet.
    return answer.ok && ((await answer.json()) as unknown[]).length === 0 ? 404 : answer.status;
  }

  async function administratorToken({ username, password } = system.credentials.admin): Promise<string> {
    const answer = await fetch(`${system.baseUrl}/auth/admin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    });
    return ((await answer.json()) as { token: string }).token;
  }

  /** The second administrator has an app from now on. */
  async function enrolledFactor(): Promise<TOTP> {
    const bearer = await administratorToken(second);
    const send = (method: string, body: unknown) =>
      fetch(`${system.baseUrl}/auth/admin/second-factor`, {
        method,
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const begun = await (await send('POST', { current_password: second.password })).json();
    const { uri, enrolment_id } = begun as { readonly uri: string; readonly enrolment_id: string };
    const factor = URI.parse(uri) as TOTP;
    expect((await send('PUT', { enrolment_id, code: factor.generate() })).status).toBe(204);
    return factor;
  }
});
