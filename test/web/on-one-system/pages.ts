import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/chromium.ts';
import { type RunningSystem, startSystem } from '../../support/system.ts';

export interface Pages {
  /** With the demo's traffic, and epochs that are soon revealed. */
  readonly system: RunningSystem;
  readonly browser: Browser;
}

/** Tests that run one after another in this process share both: their starts cost more than the tests. */
let system: Promise<RunningSystem> | null = null;
let browser: Promise<Browser> | null = null;

/** Starts what does not run yet; `environment` and `args` count for who starts the system. */
export async function openPages(
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<Pages> {
  system ??= startSystem({ args, environment: { POTSTREAM_EPOCH_SECONDS: '4', ...environment } });
  return { system: await system, browser: await openBrowser() };
}

export function openBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}

export async function stopPages(): Promise<void> {
  const [toClose, toStop] = [browser, system];
  browser = null;
  system = null;
  await (await toClose)?.close();
  await (await toStop)?.stop();
}
