import { expect, it } from 'vitest';
import { startProvider } from '../../gateway/support/identity-provider.ts';
import { callGateway } from '../../support/call.ts';
import { mayBeSkipped, patienceMs } from '../../support/chromium.ts';
import { loggedIn } from '../../support/operator-client.ts';
import { openPages } from './pages.ts';

it.skipIf(mayBeSkipped)(
  'a person goes from the console to a provider of another site, and comes back with a session',
  async () => {
    const { system, browser } = await openPages();
    const { base_url: base, admin, operator_id: operator } = system.credentials;
    const provider = await startProvider([`${base}/auth/admin/oidc/${operator}/callback`], 'localhost');
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    // The pages of the provider want fonts from elsewhere.
    await context.route(
      ({ hostname }) => hostname !== '127.0.0.1' && hostname !== 'localhost',
      (route) => route.abort(),
    );
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      // The browser says so of each refusal, and here are no books.
      const isOurs = message.location().url.startsWith(base);
      if (isOurs && !/status of [45]\d\d/.test(message.text())) faults.push(message.text());
    });
    try {
      const token = await loggedIn(`${base}/auth/admin`, admin);
      const must = async (method: string, path: string, body?: unknown) => {
        const { status, text } = await callGateway(base, method, path, body, token);
        expect(status, text).toBeLessThan(300);
      };
      const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
      const settings = `/config/operators/${operator}/identity-provider`;
      await must('PUT', settings, { issuer, client_id, client_secret });
      const account = {
        username: 'by-page',
        password: 'a long password',
        roles: ['viewer'],
        owners: [operator],
      };
      await must('POST', '/config/users', account);

      const logIn = async () => {
        await page.getByLabel('Operator').fill(operator);
        await page.getByRole('button', { name: 'Continue' }).click();
      };
      await page.goto(`${base}/console/`);
      await logIn();
      await page.getByPlaceholder('Enter any login').fill('somebody');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByText('no account here is bound to it').waitFor();
      expect(new URL(page.url()).search).toBe('');
      await must('PUT', '/config/users/by-page/identity', { subject: 'somebody' });
      // The provider still knows the person.
      await logIn();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      const session = (await context.cookies()).find(({ name }) => name === '__Host-potstream');
      expect(session).toMatchObject({ sameSite: 'Strict', httpOnly: true, secure: true });
      await must('DELETE', settings);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
      await provider.stop();
    }
  },
  300_000,
);
