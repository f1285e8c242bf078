import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 100;

/** Waits until `done`; an outage of what it asks counts as no. @throws Error after the limit, with what it said last */
export async function until(
  what: string,
  done: () => Promise<boolean | string>,
  limitMs = 120_000,
): Promise<void> {
  const untilMs = performance.now() + limitMs;
  let last = '';
  for (;;) {
    try {
      const answer = await done();
      if (answer === true) return;
      if (typeof answer === 'string') last = answer;
    } catch (error) {
      last = String(error);
    }
    if (performance.now() > untilMs) throw new Error(`${what}: not within ${limitMs / 1000} s. ${last}`);
    await pause(pollMs);
  }
}
