import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** The pictures of docs/console.md: POTSTREAM_PICTURES names the directory that they are written to. */
const directory = process.env.POTSTREAM_PICTURES ?? '';
const names = new Map([
  ['', 'home'],
  ['jackpots', 'jackpots'],
  ['templates/demo/three-pots', 'template'],
  ['money', 'money'],
  ['reports', 'reports'],
  ['system', 'system'],
]);

/** Takes a picture of the screen at a path, once it has loaded, if it is one of those and somebody asked. */
export async function pictured(page: Page, path: string): Promise<void> {
  const name = names.get(path);
  if (directory === '' || name === undefined) return;
  await page
    .getByText(/^Loading /)
    .first()
    .waitFor({ state: 'detached' });
  await page.screenshot({ path: join(directory, `console-${name}.png`), animations: 'disabled' });
}
