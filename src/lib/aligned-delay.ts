/**
 * How long something waits that happens every so often, in milliseconds: to the multiple of its period that is nearest to one
 * period from now. Whatever has the same period, or a part of it, then happens in one wake-up of the process.
 */
export function alignedDelayMs(nowMs: number, everyMs: number): number {
  const delayMs = everyMs - (nowMs % everyMs);
  return delayMs < everyMs / 2 ? delayMs + everyMs : delayMs;
}
