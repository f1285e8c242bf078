import axe, { type AxeResults } from 'axe-core';
import { type TOTP, URI } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { callWallet } from '../../../tools/demo/wallet-call.ts';
import { readKeys } from '../../../tools/reference-wallet/keys.ts';
import { patienceMs } from '../../support/chromium.ts';
import { addSecondAdministrator, second } from '../../support/second-administrator.ts';
import type { RunningSystem } from '../../support/system.ts';
import { openPages } from '../on-one-system/pages.ts';

/** Markup, a change of direction, and a name that is far too long. */
export const hostile = `<img src=x onerror="document.title='hurt'"> \u{202e}evil ${'👩‍👩‍👧‍👦'.repeat(40)}`;

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The running system, the page of its first administrator, and what the tests of the console do there. */
export interface World {
  readonly system: RunningSystem;
  readonly page: Page;
  /** The app of the second administrator. */
  readonly factor: TOTP;
  /** Errors of pages, messages of their consoles, and requests to other origins. */
  readonly faults: string[];
  /** As the first administrator, or with another token. */
  asked(method: string, path: string, body?: unknown, bearer?: string): Promise<Response>;
  tokenOf(credentials: Credentials): Promise<string>;
  heading(name: string): Promise<void>;
  /** axe finds nothing serious. */
  expectNoBarriers(on?: Page): Promise<void>;
  /** A person at another browser, who logs in at an address of the console. */
  logIn(credentials: Credentials, path: string): Promise<Page>;
  /** Which calls of the demo's wallet go wrong. */
  walletFails(rules: readonly object[]): Promise<void>;
}

/** Starts a system with two actor hosts, so that one can be missed. */
export async function openConsole(): Promise<World> {
  // By these names each host owns two of the four lanes.
  const environment = { POTSTREAM_REPORTING: 'on', POTSTREAM_HOST_ID: 'console' };
  const { system, browser } = await openPages(environment, ['--hosts', '2']);
  const faults: string[] = [];
  const send = (method: string, path: string, bearer: string | null, body?: unknown) =>
    fetch(`${system.baseUrl}${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const tokenOf = async ({ username, password }: Credentials) => {
    const answer = await send('POST', '/auth/admin', null, { username, password });
    return ((await answer.json()) as { token: string }).token;
  };
  const token = await tokenOf(system.credentials.admin);
  await vi.waitFor(async () => expect(await booksAnswer(system, token)).toBe(200), {
    timeout: 3 * patienceMs,
    interval: 500,
  });
  await addSecondAdministrator(system);
  await vi.waitFor(async () => expect(await tokenOf(second)).toMatch(/^ey/), { timeout: patienceMs });
  const factor = await enrolledFactor(send, await tokenOf(second));
  const page = await newPage(browser, system, faults);
  return {
    system,
    page,
    factor,
    faults,
    tokenOf,
    asked: (method, path, body, bearer = token) => send(method, path, bearer, body),
    heading: (name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    async expectNoBarriers(on = page) {
      // The policy of the page refuses scripts of others; the browser's own protocol is none of them.
      await on.evaluate(axe.source);
      const found = (await on.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
      const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    },
    async logIn({ username, password }, path) {
      const other = await newPage(browser, system, faults);
      await other.goto(`${system.baseUrl}/console/${path}`);
      await other.getByLabel('User name').fill(username);
      await other.getByLabel('Password').fill(password);
      await other.getByRole('button', { name: 'Log in' }).click();
      await other.getByRole('button', { name: 'Log out' }).waitFor();
      return other;
    },
    async walletFails(rules) {
      const keys = readKeys(system.dataDirectory);
      if (keys === null) throw new Error('The wallet has no keys.');
      const demo = { url: system.credentials.wallet_url ?? '', keys };
      expect((await callWallet(demo, 'PUT', '/control/faults', rules))?.status).toBe(200);
    },
  };
}

/** In a browser context of its own: another person. */
async function newPage(browser: Browser, system: RunningSystem, faults: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const said = `${message.text()} ${message.location().url}`;
    // The browser says so of each refusal; the page shows it.
    if (!/status of 4\d\d .*\/(config|auth\/admin|v1)\//.test(said)) faults.push(said);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(system.baseUrl).origin) faults.push(request.url());
  });
  return page;
}

/** They begin to answer once they have the log; before that each screen of them says so. */
async function booksAnswer({ baseUrl }: RunningSystem, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${baseUrl}/config/contributions?limit=1`, { headers });
  // 404: they have no contribution yet.
  return answer.ok && ((await answer.json()) as unknown[]).length === 0 ? 404 : answer.status;
}

/** The second administrator has an app from now on. */
async function enrolledFactor(
  send: (method: string, path: string, bearer: string, body: unknown) => Promise<Response>,
  bearer: string,
): Promise<TOTP> {
  const path = '/auth/admin/second-factor';
  const begun = await (await send('POST', path, bearer, { current_password: second.password })).json();
  const { uri, enrolment_id } = begun as { readonly uri: string; readonly enrolment_id: string };
  const factor = URI.parse(uri) as TOTP;
  const enrolled = await send('PUT', path, bearer, { enrolment_id, code: factor.generate() });
  expect(enrolled.status).toBe(204);
  return factor;
}
