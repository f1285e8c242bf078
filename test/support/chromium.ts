import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The one that `npm test` has found, else Debian's. */
const executablePath = process.env.POTSTREAM_CHROMIUM || '/usr/bin/chromium';
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // A container's shared memory may be too small for a page.
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Without a browser the tests of pages are skipped, and say so; in CI they fail. */
export const mayBeSkipped = !existsSync(executablePath) && !process.env.CI;
if (mayBeSkipped) console.warn(`The browser tests are skipped: there is no Chromium at ${executablePath}.`);

/** How long a page may take to show what is waited for: others may want the same cores. */
export const patienceMs = 90_000;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath, args, timeout: patienceMs });
}
