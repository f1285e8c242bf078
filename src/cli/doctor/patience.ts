import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigurationError } from '../../config/composed.ts';

/** A busy machine answers late, and a system may be on its way: a problem lasts this long. */
const problemAfterMs = 10_000;
const againAfterMs = 500;

/** Runs a check until it succeeds, for ten seconds. @throws its last error; a ConfigurationError at once */
export async function patiently<T>(check: () => Promise<T>, withinMs = problemAfterMs): Promise<T> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (error instanceof ConfigurationError || performance.now() >= deadlineMs) throw error;
    }
    await sleep(againAfterMs);
  }
}
