import { type TOTP, URI } from 'otpauth';
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import { expect, it } from 'vitest';
import type { World } from './world.ts';

const nora = { username: 'nora', password: 'the first password' };
const nextPassword = 'the second password';

/** As `potstream wallet verify` writes it. */
const certificate = {
  operator_id: 'demo',
  brand_id: 'demo:main',
  base_url: 'https://wallet.example',
  verified_timestamp: 1_700_000_000_000,
  version: '1.2.3',
  passed: 58,
  failed: [],
  skipped: ['w1.token-expired'],
};

/** Users, wallets and origins, and what a person does about the own account. */
export function accessIsManaged(world: () => World): void {
  let person: Page;

  it('adds an administrator, whose rights are what was given', async () => {
    const { page, heading, expectNoBarriers } = world();
    await page.getByRole('link', { name: 'Access' }).click();
    await heading('Access');
    await page.getByRole('button', { name: 'Add an administrator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill(nora.username);
    await dialog.getByLabel('Its first password').fill(nora.password);
    await dialog.getByLabel('finance').check();
    await dialog.getByLabel('Owners').fill('demo');
    await expectNoBarriers();
    await dialog.getByRole('button', { name: 'Add an administrator' }).click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    const row = page.getByRole('row').filter({ hasText: 'nora' });
    expect(await row.textContent()).toContain('viewer, finance');
    // The own account is for others to change.
    const own = page.getByRole('row').filter({ hasText: world().system.credentials.admin.username });
    expect(await own.getByRole('button', { name: 'Change' }).first().getAttribute('aria-disabled')).toBe(
      'true',
    );
    await row.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('viewer').uncheck();
    await dialog.getByLabel('support').check();
    await dialog.getByRole('button', { name: 'Change nora' }).click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await row.filter({ hasText: 'support' }).waitFor();
    expect(world().faults).toEqual([]);
  }, 180_000);

  it('keeps the session of who types a wrong password in a dialog, and takes the right one', async () => {
    person = await world().logIn(nora, 'account');
    await person.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await person.getByText('This needs the role security').first().waitFor();
    await world().expectNoBarriers(person);
    await person.getByRole('button', { name: 'Change your password' }).click();
    const dialog = person.getByRole('dialog');
    await dialog.getByLabel('Your password now').fill('not the password');
    await dialog.getByLabel('The new password, 8').fill(nextPassword);
    await dialog.getByLabel('The new password again').fill(nextPassword);
    const change = dialog.getByRole('button', { name: 'Change your password' });
    await change.click();
    await dialog.getByText('That is not your password.').waitFor();
    await dialog.getByLabel('Your password now').fill(nora.password);
    await dialog.getByLabel('The new password again').fill('something else');
    await change.click();
    await dialog.getByText('not the same both times').waitFor();
    await dialog.getByLabel('The new password again').fill(nextPassword);
    await change.click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await person.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    expect(await world().tokenOf({ ...nora, password: nextPassword })).toMatch(/^ey/);
  }, 180_000);

  it('enrols a second factor from the QR code, replaces it with its code, and ends all sessions', async () => {
    const first = await enrolled('Enrol a second factor', null);
    await enrolled('Replace your second factor', first);
    await person.getByRole('button', { name: 'End all your sessions' }).click();
    await person.getByRole('dialog').getByRole('button', { name: 'End all your sessions' }).click();
    await person.getByRole('button', { name: 'Log in' }).waitFor();
    await person.context().close();
    expect(world().faults).toEqual([]);
  }, 180_000);

  async function enrolled(title: string, present: TOTP | null): Promise<TOTP> {
    await person.getByRole('button', { name: title }).click();
    const dialog = person.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(nextPassword);
    if (present !== null) {
      // The code of now has enrolled it: that of the next half minute counts, too.
      const code = present.generate({ timestamp: Date.now() + 30_000 });
      await dialog.getByLabel('Code of your present second factor').fill(code);
    }
    await dialog.getByRole('button', { name: title }).click();
    const uri = read((await dialog.locator('svg path').last().getAttribute('d')) ?? '');
    const factor = URI.parse(uri) as TOTP;
    await dialog.getByText(factor.secret.base32, { exact: true }).waitFor();
    await dialog.getByText(uri, { exact: true }).waitFor();
    await world().expectNoBarriers(person);
    await dialog.getByLabel('The app’s code now').fill(factor.generate());
    await dialog.getByRole('button', { name: 'Confirm the first code' }).click();
    await dialog.getByText('Done.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await person.getByRole('button', { name: 'Replace your second factor' }).waitFor();
    return factor;
  }

  it('shows service users with a key once, wallets without secrets, origins, and the keys of tokens', async () => {
    const { system, page, expectNoBarriers, faults } = world();
    await page.getByRole('link', { name: 'Access' }).click();
    const dialog = page.getByRole('dialog');
    const choose = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const done = async () => {
      await dialog.getByText('Done.').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
    };
    await choose('Service users');
    await choose('Add a service user');
    await dialog.getByLabel('User name').fill('robot');
    await dialog.getByLabel('Its password').fill('the password of the robot');
    await dialog.getByRole('combobox', { name: /^Operator/ }).selectOption('demo');
    await dialog.getByLabel('reports').check();
    await dialog.getByRole('button', { name: 'Add a service user' }).click();
    await done();
    const robot = page.getByRole('row').filter({ hasText: 'robot' });
    await robot.getByRole('button', { name: 'New key' }).click();
    await dialog.getByRole('button', { name: 'New signing key of robot' }).click();
    await dialog.getByText('Secret, shown this once').waitFor();
    const key = (await dialog.locator('dd.id').first().textContent()) ?? '';
    await done();
    await robot.filter({ hasText: key }).waitFor();
    await robot.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove robot' }).click();
    await done();
    await robot.waitFor({ state: 'detached' });
    await choose('Wallets');
    const wallet = page.getByRole('row').filter({ hasText: 'demo:main' }).filter({ hasText: 'callable' });
    await wallet.filter({ hasText: 'none recorded' }).waitFor();
    await wallet.getByRole('button', { name: 'Record a certificate' }).click();
    const file = (content: object) =>
      dialog.getByLabel('The file that').setInputFiles({
        ...{ name: 'wallet-certificate.json', mimeType: 'application/json' },
        buffer: Buffer.from(JSON.stringify(content)),
      });
    const record = dialog.getByRole('button', { name: 'Record a certificate' });
    await file({ certified: true, results: [] });
    await record.click();
    await dialog.getByText('not the report').waitFor();
    await file({ ...certificate, brand_id: 'demo:vip' });
    await record.click();
    await dialog.getByText('invalid_request').waitFor();
    await file(certificate);
    await expectNoBarriers();
    await record.click();
    await done();
    await wallet
      .filter({ hasText: '58 checks of version 1.2.3 passed; skipped: w1.token-expired' })
      .waitFor();
    await wallet.getByText('It is of another address').waitFor();
    await wallet.getByText(`recorded by ${system.credentials.admin.username}`).waitFor();
    await expectNoBarriers();
    await choose('Webhook origins');
    await choose('Register an origin');
    await dialog.getByRole('combobox', { name: /^Operator/ }).selectOption('demo');
    await dialog.getByLabel('Origin, such as').fill('https://Events.example:443');
    await dialog.getByRole('button', { name: 'Register an origin' }).click();
    await done();
    const origin = page.getByRole('row').filter({ hasText: 'https://events.example' });
    await origin.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove this origin' }).click();
    await done();
    await origin.waitFor({ state: 'detached' });
    await choose('Keys');
    await page.getByRole('row').filter({ hasText: 'sig' }).first().waitFor();
    await expectNoBarriers();
    expect(faults).toEqual([]);
  }, 240_000);
}

/** What a reader sees of the squares `M<x> <y>h1v1h-1z`. */
function read(path: string): string {
  const squares = [...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => [Number(x), Number(y)] as const);
  const scale = 4;
  const size = (Math.max(...squares.flat()) + 5) * scale;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [x, y] of squares)
    for (let row = y * scale; row < (y + 1) * scale; row += 1)
      for (let column = x * scale; column < (x + 1) * scale; column += 1)
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
  return decodeQR({ width: size, height: size, data });
}
