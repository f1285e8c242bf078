import { type RunningSystem, startSystem } from '../../support/system.ts';

/** The one system that the tests of this folder share. It starts once, because a start costs what many of them cost. */
let present: Promise<RunningSystem> | null = null;

/** Starts it, or gives the one that runs. */
export function oneSystem(): Promise<RunningSystem> {
  present ??= startSystem({ args: ['--no-traffic'] });
  return present;
}

export async function stopOneSystem(): Promise<void> {
  const system = await present;
  present = null;
  await system?.stop();
}
