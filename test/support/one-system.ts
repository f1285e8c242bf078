import { type RunningSystem, startSystem } from './system.ts';

/** Tests that run one after another in this process share it: a start costs what many of them cost. */
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
